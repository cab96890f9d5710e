import Foundation

/// A backup in progress: a file under a temporary name, for its owner alone, which is renamed when it is complete.
final class BackupDraft: Sendable {
    /// The final name.
    let path: String
    /// The temporary name.
    let draft: String
    private let descriptor: Int32

    /// Creates the file, or takes over the one that an ended process left.
    ///
    /// - Throws: ``BackupProblem``.
    init(path: String, draft: String) throws(BackupProblem) {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var information = stat()
        guard stat(directory, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
            throw .noDirectory(path: directory)
        }
        guard lstat(path, &information) != 0 else { throw .exists(path: path) }
        let descriptor = open(draft, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: systemError()) }
        // The name may have become a complete backup between the two calls: then it is another file that is locked.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.isSame(descriptor, draft) else {
            close(descriptor)
            throw .inProgress(path: path)
        }
        // In a directory of several users, the file may be another's, who could read the backup then.
        guard fstat(descriptor, &information) == 0, information.st_uid == geteuid(), information.st_nlink == 1 else {
            close(descriptor)
            throw .foreign(path: draft)
        }
        for leftover in Self.companions(of: draft) { unlink(leftover) }
        guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, 0o600) == 0 else {
            let reason = systemError()
            close(descriptor)
            throw .unwritable(path: path, reason: reason)
        }
        self.path = path
        self.draft = draft
        self.descriptor = descriptor
    }

    /// Removes the file, unless it was published.
    func discard() {
        guard Self.isSame(descriptor, draft) else { return }
        for file in [draft] + Self.companions(of: draft) { unlink(file) }
    }

    /// Flushes the file to the disk and gives it its name.
    ///
    /// - Returns: The file's size.
    func publish() throws(BackupProblem) -> Int {
        var information = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &information) == 0, rename(draft, path) == 0 else {
            throw .unwritable(path: path, reason: systemError())
        }
        let directory = open(
            URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .unwritable(path: path, reason: systemError()) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .unwritable(path: path, reason: systemError()) }
        return Int(information.st_size)
    }

    deinit { close(descriptor) }

    private static func companions(of path: String) -> [String] {
        ["\(path)-journal", "\(path)-wal", "\(path)-shm"]
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var one = stat()
        var other = stat()
        return fstat(descriptor, &one) == 0 && stat(path, &other) == 0 && one.st_dev == other.st_dev
            && one.st_ino == other.st_ino
    }
}

private func systemError() -> String { String(cString: strerror(errno)) }
