import Foundation
import Synchronization

/// A session store in a file that only its user can read, sealed with a key that is stored separately. For programs on
/// Linux, and command-line tools on macOS.
///
/// The directory has mode 0700 and the file 0600; neither is used if other users have access to it. Any number of
/// processes and of stores may share the file. A damaged file is moved aside, never deleted.
///
/// On iOS, put the directory into the app's own container, not into that of an app group. A file lock is held during a change,
/// and while a session is refreshed, and iOS terminates an app that is suspended while it holds a lock in a shared container
/// (`0xdead10cc`).
public final class FileSessionStore: SessionStore {
    /// The path of the directory that holds the file.
    public let directory: String
    let name: String
    /// The path of the file, for messages to the user.
    public var path: String { "\(directory)/\(name)" }
    private let app: StoredApp
    private let keys: StoreKeys
    /// The longest wait for a lock: longer than a refresh may take, or the desktop may take to supply a key.
    private let lockWait: Duration
    /// The number of damaged files that had been moved aside when this store last accessed the file; `nil` before.
    private let knownSetAside = Mutex<Int?>(nil)

    /// Creates a store for a contract's sessions on one server. The file is not accessed before the first read or
    /// change.
    ///
    /// - Parameters:
    ///   - directory: An absolute path. A missing directory is created when it is needed.
    ///   - contract: The contract's name.
    ///   - baseURL: The base URL of the server.
    ///   - keys: The keys that seal the file.
    public convenience init(directory: String, contract: String, baseURL: BaseURL, keys: SealingKeys) {
        self.init(directory: directory, contract: contract, baseURL: baseURL, keys: keys, lockWait: .seconds(20))
    }

    init(directory: String, contract: String, baseURL: BaseURL, keys: SealingKeys, lockWait: Duration) {
        self.directory = directory
        name = Self.fileName(contract: contract, baseURL: baseURL)
        app = StoredApp(contract: contract, baseURL: baseURL)
        self.keys = StoreKeys(keys.sources(directory, name))
        self.lockWait = lockWait
    }

    /// Reads and decrypts the file. A damaged file is moved aside, and the problem is
    /// ``StoreProblem/damaged(setAside:)``, once for this store and for each other store that has accessed the file.
    public func read() async -> StoredSessions {
        do throws(StoreProblem) {
            guard let bytes = try bytes() else { return .absent }
            if let stored = try await opened(bytes) { return .found(stored.saved) }
            // Damaged, or read as such during a change: only under the lock is that certain, and only there may it be
            // moved.
            let file = try await locked()
            defer { file.unlock() }
            let stored = try await stored(in: file)
            return stored.isAbsent ? .absent : .found(stored.saved)
        } catch {
            return .unavailable(error)
        }
    }

    /// Changes the file under a lock between processes, and returns when the disk has stored the new contents.
    ///
    /// A file whose sessions become empty is removed, unless a damaged file has been moved aside.
    ///
    /// - Throws: ``StoreProblem/busy`` after a wait of 20 s for the lock, or when the task is cancelled;
    ///   ``StoreProblem/damaged(setAside:)``, ``StoreProblem/newerVersion``, ``StoreProblem/notPrivate(path:)``,
    ///   ``StoreProblem/sealingKey(_:source:)`` or ``StoreProblem/system(path:code:)`` if the file cannot be used.
    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        let file = try await locked()
        defer { file.unlock() }
        let stored = try await stored(in: file)
        var saved = stored.saved
        let result = change(&saved)
        if stored.isAbsent, !saved.hasSessions, file.directory.setAsideCount(name) > 0 { saved.hasLostSessions = true }
        try await write(saved, over: stored, to: file)
        return result
    }

    /// Takes a lock between processes that is separate from the lock of ``change(_:)``, so that a sign-out never waits
    /// for another process's refresh.
    ///
    /// - Throws: ``StoreProblem/busy`` after a wait of 20 s for the lock, or when the task is cancelled;
    ///   ``StoreProblem/notPrivate(path:)`` or ``StoreProblem/system(path:code:)`` if the lock file cannot be used.
    public func refreshLease() async throws(StoreProblem) -> any RefreshLease {
        let directory = try PrivateDirectory(making: directory)
        let lockName = "\(name).refresh.lock"
        return try await FileLock(
            directory.openLockFile(lockName), path: directory.path(of: lockName), wait: lockWait)
    }

    // MARK: File contents

    /// The size limit of the file in bytes, for reading and writing; sessions take a few kilobytes.
    private static let maximumBytes = 1 << 22

    /// The stored sessions, with the mark of the key that sealed them.
    private struct Stored {
        var saved = SavedSessions.none
        var mark: SealingKeyReference?
        var isAbsent = false
    }

    /// Reads the file's bytes without the lock.
    ///
    /// - Returns: `nil` if there is no file.
    private func bytes() throws(StoreProblem) -> [UInt8]? {
        do throws(StoreProblem) {
            return try bytes(in: PrivateDirectory(path: directory))
        } catch {
            if case .system(_, code: ENOENT) = error { return nil }
            throw error
        }
    }

    /// Reads the file's bytes.
    ///
    /// - Returns: `nil` if there is no file.
    /// - Throws: ``StoreProblem/damaged(setAside:)`` if there is none because another store has moved it aside since
    ///   this store last accessed it. As an absent file it would sign out a process that holds a session in memory.
    private func bytes(in directory: borrowing PrivateDirectory) throws(StoreProblem) -> [UInt8]? {
        let known = knownSetAside.withLock { $0 }
        // Counted before the read, so that the next read reports a file that is moved aside after it.
        var count = directory.setAsideCount(name)
        let bytes = try directory.read(name, atMost: Self.maximumBytes)
        if bytes == nil { count = directory.setAsideCount(name) }
        knownSetAside.withLock { $0 = count }
        if bytes == nil, let known, count > known {
            throw .damaged(setAside: directory.path(of: PrivateDirectory.nameSetAside(name, count)))
        }
        return bytes
    }

    /// Decrypts a file's bytes.
    ///
    /// - Returns: `nil` for damaged bytes.
    /// - Throws: ``StoreProblem/sealingKey(_:source:)`` or ``StoreProblem/newerVersion``, in which cases the file may
    ///   be intact.
    private func opened(_ bytes: [UInt8]) async throws(StoreProblem) -> Stored? {
        let form = try Self.decoded { () throws(StoredFormProblem) in try StoredForm(bytes, of: app) }
        switch form {
        case nil: return nil
        case .first(let saved): return Stored(saved: saved)
        case .sealed(let sealed):
            let key = try await keys.key(of: sealed.mark)
            let saved = try Self.decoded { () throws(StoredFormProblem) in try sealed.open(for: app, with: key) }
            return saved.map { Stored(saved: $0, mark: sealed.mark) }
        }
    }

    /// Maps a problem of the form to a problem of the store.
    ///
    /// - Returns: `nil` for damaged contents.
    private static func decoded<Value>(
        _ read: () throws(StoredFormProblem) -> Value
    ) throws(StoreProblem) -> Value? {
        do { return try read() } catch {
            switch error {
            case .newerVersion: throw .newerVersion
            case .damaged: return nil
            }
        }
    }

    private func stored(in file: LockedFile) async throws(StoreProblem) -> Stored {
        guard let bytes = try bytes(in: file.directory) else { return Stored(isAbsent: true) }
        guard let stored = try await opened(bytes) else {
            let path = try file.directory.setAside(name)
            knownSetAside.withLock { $0 = file.directory.setAsideCount(name) }
            throw .damaged(setAside: path)
        }
        return stored
    }

    private func write(
        _ saved: SavedSessions, over stored: Stored, to file: LockedFile
    ) async throws(StoreProblem) {
        // Beside a damaged file, other stores do not take a missing file for a sign-out, so an empty one is written.
        if saved.isEmpty, stored.isAbsent || file.directory.setAsideCount(name) == 0 {
            if !stored.isAbsent { try file.directory.remove(name) }
            return
        }
        // Compared by bytes: strings that Swift considers equal may be different tokens.
        guard saved.document != stored.saved.document else { return }
        let (key, source) = try await keys.keyForWriting(over: stored.mark)
        guard let sealed = try? SealedSessions(saved, of: app, with: key, from: source) else {
            throw .sealingKey(.malformed, source: source)
        }
        let bytes = sealed.bytes
        guard bytes.count <= Self.maximumBytes else {
            throw .system(path: file.directory.path(of: name), code: EFBIG)
        }
        try file.directory.replace(name, with: bytes)
    }

    private func locked() async throws(StoreProblem) -> LockedFile {
        let directory = try PrivateDirectory(making: directory)
        let lockName = "\(name).lock"
        let lock = try await FileLock(
            directory.openLockFile(lockName), path: directory.path(of: lockName), wait: lockWait)
        return LockedFile(directory: directory, lock: lock)
    }
}

/// The directory of a store while this process holds the lock on the store's file.
private final class LockedFile: Sendable {
    let directory: PrivateDirectory
    private let lock: FileLock

    init(directory: consuming PrivateDirectory, lock: FileLock) {
        self.directory = directory
        self.lock = lock
    }

    func unlock() { lock.unlock() }
}
