import CoreFoundation
import Foundation

/// The identity of a file, independent of the path that leads to it.
struct FileIdentity: Codable, Hashable, Sendable {
    private let device: UInt64
    private let file: UInt64

    /// Creates the identity of the file at `path`; nil if there is none. A symbolic link is followed.
    init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: information.st_dev)
        file = UInt64(information.st_ino)
    }
}
