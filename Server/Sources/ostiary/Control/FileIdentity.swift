import CoreFoundation
import Foundation

/// Tells a file from every other one, whatever paths lead to it.
struct FileIdentity: Codable, Hashable, Sendable {
    private let device: UInt64
    private let file: UInt64

    /// Nil if there is no file at `path`. Links at its end are followed.
    init?(path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: information.st_dev)
        file = UInt64(information.st_ino)
    }
}
