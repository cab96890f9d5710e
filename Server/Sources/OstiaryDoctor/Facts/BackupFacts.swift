package import Foundation

/// The newest backup of a directory.
package struct BackupFacts: Hashable, Sendable {
    package var path: String
    package var takenAt: Date
    package var bytes: Int

    package init(path: String, takenAt: Date, bytes: Int) {
        self.path = path
        self.takenAt = takenAt
        self.bytes = bytes
    }
}
