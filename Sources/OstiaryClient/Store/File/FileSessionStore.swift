import Foundation

/// Keeps an app's sessions in a file that only its user can read, sealed with a key that is kept elsewhere; for programs
/// on Linux, and in terminals on macOS.
///
/// The directory has mode 0700 and the file 0600; neither is used if others could get at it. Any number of processes and of
/// stores may share the file. One that is damaged is moved aside, never deleted.
public final class FileSessionStore: SessionStore {
    /// The directory's path.
    public let directory: String
    let name: String
    /// The file, for whoever wants to tell a person of it.
    public var path: String { "\(directory)/\(name)" }
    private let app: StoredApp
    private let keys: StoreKeys
    /// Longer than a refresh may take, or the desktop to hand out a key.
    private let lockWait: Duration

    /// - Parameters:
    ///   - directory: A path that begins with a slash, made where it is missing.
    ///   - contract: The contract's name.
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

    public func read() async -> StoredSessions {
        do throws(StoreProblem) {
            guard let bytes = try bytes() else { return .absent }
            if let stored = try await opened(bytes) { return .found(stored.saved) }
            // Damaged, or seen so: only under the lock is it certain, and may it be moved.
            let file = try await locked()
            defer { file.unlock() }
            let stored = try await stored(in: file)
            return stored.isAbsent ? .absent : .found(stored.saved)
        } catch {
            return .unavailable(error)
        }
    }

    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result {
        let file = try await locked()
        defer { file.unlock() }
        let stored = try await stored(in: file)
        var saved = stored.saved
        let result = change(&saved)
        try await write(saved, over: stored, to: file)
        return result
    }

    /// Apart from the lock of ``change(_:)``, so that nobody who signs out waits for another's refresh.
    public func refreshTurn() async throws(StoreProblem) -> any RefreshTurn {
        let directory = try PrivateDirectory(making: directory)
        let lockName = "\(name).refresh.lock"
        return try await FileLock(
            directory.openLockFile(lockName), path: directory.path(of: lockName), wait: lockWait)
    }

    // MARK: The file

    /// The longest file that is read or written; sessions are a few kilobytes.
    private static let maximumBytes = 1 << 22

    /// What is stored, and what sealed it.
    private struct Stored {
        var saved = SavedSessions.none
        var mark: KeyMark?
        var isAbsent = false
    }

    /// - Returns: Nil if there is none.
    private func bytes() throws(StoreProblem) -> [UInt8]? {
        do throws(StoreProblem) {
            return try PrivateDirectory(path: directory).read(name, atMost: Self.maximumBytes)
        } catch {
            if case .system(_, code: ENOENT) = error { return nil }
            throw error
        }
    }

    /// - Returns: Nil for bytes that cannot be understood.
    /// - Throws: ``StoreProblem/sealingKey(_:source:)`` or ``StoreProblem/newerVersion``: they may be as good as ever.
    private func opened(_ bytes: [UInt8]) async throws(StoreProblem) -> Stored? {
        let form = try Self.understood { () throws(StoredFormProblem) in try StoredForm(bytes, of: app) }
        switch form {
        case nil: return nil
        case .first(let saved): return Stored(saved: saved)
        case .sealed(let sealed):
            let key = try await keys.key(of: sealed.mark)
            let saved = try Self.understood { () throws(StoredFormProblem) in try sealed.open(for: app, with: key) }
            return saved.map { Stored(saved: $0, mark: sealed.mark) }
        }
    }

    /// - Returns: Nil for what is damaged.
    private static func understood<Value>(
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
        guard let bytes = try file.directory.read(name, atMost: Self.maximumBytes) else {
            return Stored(isAbsent: true)
        }
        guard let stored = try await opened(bytes) else {
            throw .damaged(setAside: try file.directory.setAside(name))
        }
        return stored
    }

    private func write(
        _ saved: SavedSessions, over stored: Stored, to file: LockedFile
    ) async throws(StoreProblem) {
        if saved.isEmpty {
            if !stored.isAbsent { try file.directory.remove(name) }
            return
        }
        // To the byte: two texts that Swift calls equal may be different tokens.
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

/// The directory of a store while no other has the store's file.
private final class LockedFile: Sendable {
    let directory: PrivateDirectory
    private let lock: FileLock

    init(directory: consuming PrivateDirectory, lock: FileLock) {
        self.directory = directory
        self.lock = lock
    }

    func unlock() { lock.unlock() }
}
