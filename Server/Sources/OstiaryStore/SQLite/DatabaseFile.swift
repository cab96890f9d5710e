import Foundation
import Synchronization

/// The file of a database, locked against every other process.
///
/// SQLite before 3.51.3 can corrupt a write-ahead log that two connections write or checkpoint, so only one process may
/// have the database open.
final class DatabaseFile: Sendable {
    let path: String
    private let lock: Mutex<Int32?>

    /// The application id "OSTY" in the header of every Ostiary database, which distinguishes it from another
    /// program's.
    static let applicationID: UInt32 = 0x4F53_5459

    /// Takes the lock on a separate file, because SQLite's locks are lost when any descriptor is closed.
    ///
    /// - Throws: ``StoreError/inUse(path:)``, ``StoreError/unwritable(path:reason:)``.
    init(locking path: String) throws(StoreError) {
        self.path = path
        let descriptor = Self.lockFile("\(path).lock")
        guard descriptor >= 0 else { throw .unwritable(path: "\(path).lock", reason: systemError()) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            let reason = systemError()
            Foundation.close(descriptor)
            throw isTaken ? .inUse(path: path) : .unwritable(path: "\(path).lock", reason: reason)
        }
        lock = Mutex(descriptor)
    }

    private static func lockFile(_ path: String) -> Int32 {
        let new = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard new < 0 else {
            giveToOwnerOfDirectory(new, path)
            return new
        }
        return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    }

    /// Gives a file that the superuser has just created to the owner of its directory, as SQLite does with a write-ahead log:
    /// a service could not open what a command of root has left. The file was opened with `O_EXCL`: any other could be a link of
    /// that owner to a file of root.
    private static func giveToOwnerOfDirectory(_ descriptor: Int32, _ path: String) {
        var directory = stat()
        guard geteuid() == 0, stat(URL(fileURLWithPath: path).deletingLastPathComponent().path, &directory) == 0 else {
            return
        }
        // A file system that knows no owners refuses, and loses nothing.
        _ = fchown(descriptor, directory.st_uid, directory.st_gid)
    }

    /// Returns the path with symbolic links resolved, as far as it exists. SQLite places the write-ahead log beside the
    /// file itself, not beside a link.
    static func realPath(_ path: String) -> String {
        func resolved(_ path: String) -> String? {
            guard let found = realpath(path, nil) else { return nil }
            defer { free(found) }
            return String(cString: found)
        }
        if let real = resolved(path) { return real }
        let url = URL(fileURLWithPath: path)
        // A dangling link is refused as one.
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil,
            let directory = resolved(url.deletingLastPathComponent().path)
        else { return path }
        return "\(directory)/\(url.lastPathComponent)"
    }

    /// `true` if a database was opened under this lock before: the lock file is empty until then.
    private var hasHeldDatabase: Bool {
        var information = stat()
        return stat("\(path).lock", &information) == 0 && information.st_size > 0
    }

    /// Records in the lock file that there is a database now.
    func noteDatabase() throws(StoreError) {
        guard !hasHeldDatabase else { return }
        let isNoted = lock.withLock { $0.map { write($0, "1\n", 2) == 2 && fsync($0) == 0 } ?? false }
        guard isNoted else { throw .unwritable(path: "\(path).lock", reason: systemError()) }
    }

    deinit { unlock() }

    func unlock() {
        lock.withLock { descriptor in
            if let descriptor {
                // Closing is not sufficient: a child process that is being started holds the lock too until it runs its
                // program.
                flock(descriptor, LOCK_UN)
                Foundation.close(descriptor)
            }
            descriptor = nil
        }
    }

    /// Checks the file before SQLite does, which takes an empty file for a new database.
    ///
    /// - Parameter isToBeReplaced: `true` if a database that is missing is about to be restored.
    /// - Returns: `false` if there is no file and one may be created.
    /// - Throws: ``StoreError`` for every file that is not a writable Ostiary database.
    func isPresent(isToBeReplaced: Bool = false) throws(StoreError) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else {
            guard errno == ENOENT else { throw .unwritable(path: path, reason: systemError()) }
            // The target of a dangling link may be on a volume that is not mounted.
            guard lstat(path, &information) != 0 else {
                throw .unwritable(path: path, reason: "it is a link to a file that does not exist")
            }
            // Where a database was, an empty one must not silently replace it.
            guard isToBeReplaced || !hasHeldDatabase else { throw .fileGone(path: path) }
            // A missing database's log would be replayed into the new one.
            if stat("\(path)-wal", &information) == 0, information.st_size > 0 { throw .strayLog(path: path) }
            return false
        }
        guard information.st_mode & S_IFMT == S_IFREG else { throw .notADatabase(path: path) }
        // Checked here because the mode does not restrict the superuser.
        guard information.st_mode & S_IWUSR != 0 else { throw .unwritable(path: path, reason: "it is read-only") }
        try checkHeader()
        if information.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 {
            throw .unwritable(path: path, reason: systemError())
        }
        return true
    }

    private func checkHeader() throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: systemError()) }
        defer { Foundation.close(descriptor) }
        guard let id = Self.applicationID(of: descriptor) else { throw .notADatabase(path: path) }
        guard id == Self.applicationID else { throw .foreignDatabase(path: path) }
    }

    /// Returns `true` if the file has the header of an Ostiary database.
    static func hasHeader(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Foundation.close(descriptor) }
        return applicationID(of: descriptor) == applicationID
    }

    /// Reads the application id from a database's header; nil for another file.
    /// Source: https://www.sqlite.org/fileformat2.html §1.3
    private static func applicationID(of descriptor: Int32) -> UInt32? {
        var header = [UInt8](repeating: 0, count: 100)
        guard read(descriptor, &header, header.count) == header.count,
            header.starts(with: Array("SQLite format 3\0".utf8))
        else { return nil }
        return header[68..<72].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Creates the database under another name and renames it when it is complete (atomic), so that a crash in between
    /// never leaves an empty file, which the next start would have to refuse.
    func create(_ make: (String) throws -> Void) throws {
        let draft = "\(path).new"
        try createDraft(draft)
        try make(draft)
        try publish(draft)
    }

    /// Creates an empty file, in the place of one that an ended process left.
    func createDraft(_ draft: String) throws(StoreError) {
        for leftover in [draft, "\(draft)-journal", "\(draft)-wal", "\(draft)-shm"] { unlink(leftover) }
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: systemError()) }
        Self.giveToOwnerOfDirectory(descriptor, draft)
        Foundation.close(descriptor)
    }

    /// Renames the complete draft to the database's name, on disk.
    func publish(_ draft: String) throws(StoreError) {
        guard rename(draft, path) == 0 else { throw .unwritable(path: path, reason: systemError()) }
        let directory = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw .unwritable(path: path, reason: systemError()) }
        defer { Foundation.close(directory) }
        guard fsync(directory) == 0 else { throw .unwritable(path: path, reason: systemError()) }
    }

    /// The identity of a file, which differs from that of another file under the same name.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let file: UInt64
    }

    /// - Throws: ``StoreError/fileGone(path:)``.
    func identity() throws(StoreError) -> Identity {
        var information = stat()
        guard stat(path, &information) == 0 else { throw .fileGone(path: path) }
        return Identity(device: UInt64(truncatingIfNeeded: information.st_dev), file: UInt64(information.st_ino))
    }
}

private func systemError() -> String { String(cString: strerror(errno)) }
