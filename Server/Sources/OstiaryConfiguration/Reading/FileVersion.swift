#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The metadata of a file that change with its content, so that the content need not be read.
package struct FileVersion: Hashable, Sendable {
    private let device: UInt64
    private let file: UInt64
    private let size: Int64
    private let changed: [Int]

    /// Creates the version of the file at `path`; nil if there is none. A symbolic link is followed.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        file = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
        changed = [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
        #else
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        #endif
    }
}

extension FileVersion: CustomStringConvertible {
    package var description: String { "\(device) \(file) \(size) \(changed)" }
}
