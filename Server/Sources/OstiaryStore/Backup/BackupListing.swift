package import Foundation

/// A backup in a directory.
package struct BackupListing: Hashable, Sendable {
    package var path: String
    package var takenAt: Date
    package var bytes: Int

    /// Returns the newest backup of a directory: of the files with the form of a backup's name, and of other files with the
    /// header of a database of Ostiary's.
    ///
    /// - Throws: ``BackupProblem/noDirectory(path:)``.
    package static func newest(in directory: String) throws(BackupProblem) -> BackupListing? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw .noDirectory(path: directory)
        }
        return names.compactMap { backup($0, in: directory) }.max { $0.takenAt < $1.takenAt }
    }

    private static func backup(_ name: String, in directory: String) -> BackupListing? {
        let path = "\(directory)/\(name)"
        guard name.hasSuffix(".db"), DatabaseFile.hasHeader(path) else { return nil }
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let time = BackupDestination.time(ofName: name) ?? attributes[.modificationDate] as? Date
        else { return nil }
        return BackupListing(path: path, takenAt: time, bytes: (attributes[.size] as? NSNumber)?.intValue ?? 0)
    }
}
