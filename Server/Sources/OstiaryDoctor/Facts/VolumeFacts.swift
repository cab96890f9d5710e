import Foundation

/// The space of the file system that a path is on.
package struct VolumeFacts: Hashable, Sendable {
    package var path: String
    package var freeBytes: Int
    package var totalBytes: Int
    package var freeInodes: Int
    /// 0 where the file system has no fixed number.
    package var totalInodes: Int

    package init(path: String, freeBytes: Int, totalBytes: Int, freeInodes: Int, totalInodes: Int) {
        self.path = path
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
        self.freeInodes = freeInodes
        self.totalInodes = totalInodes
    }

    /// Reads the space that users other than root have; nil if the path does not exist.
    package init?(path: String) {
        var information = statvfs()
        guard statvfs(path, &information) == 0 else { return nil }
        let block = Int(clamping: information.f_frsize)
        func bytes(_ blocks: Int) -> Int { blocks.multipliedReportingOverflow(by: block).partialValue }
        self.init(
            path: path, freeBytes: bytes(Int(clamping: information.f_bavail)),
            totalBytes: bytes(Int(clamping: information.f_blocks)), freeInodes: Int(clamping: information.f_favail),
            totalInodes: Int(clamping: information.f_files))
    }
}
