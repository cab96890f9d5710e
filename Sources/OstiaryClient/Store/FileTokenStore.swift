import Foundation

/// Keeps a session in a file that only its user can read, for terminals on Linux and macOS.
///
/// The directory has mode 0700 and the file 0600; neither is used if others could get at it. The tokens in it are not
/// encrypted: what protects them is the user's account, as with an SSH key without a passphrase.
public struct FileTokenStore: TokenStore {
    /// The directory's path, which begins with a slash.
    public let directory: String
    let name: String
    /// Longer than a refresh may take.
    private let lockWait: Duration

    /// - Parameter directory: A path that begins with a slash, made where it is missing.
    public init(directory: String, contract: String, baseURL: BaseURL) {
        self.init(directory: directory, contract: contract, baseURL: baseURL, lockWait: .seconds(20))
    }

    init(directory: String, contract: String, baseURL: BaseURL, lockWait: Duration) {
        self.directory = directory
        self.name = FileSessionStore.fileName(contract: contract, baseURL: baseURL)
        self.lockWait = lockWait
    }

    /// ``FileSessionStore/defaultDirectory(environment:homeDirectory:)``.
    public static func defaultDirectory(environment: [String: String], homeDirectory: String) -> String {
        FileSessionStore.defaultDirectory(environment: environment, homeDirectory: homeDirectory)
    }

    public func read() async -> StoredSession {
        do {
            let directory = try PrivateDirectory(path: directory)
            if let answer = try Self.read(name, in: directory) { return answer }
        } catch {
            if case .system(_, code: ENOENT) = error { return .absent }
            return .unavailable(error)
        }
        // Damaged, or seen so: only under the lock is it certain, and may it be moved.
        do {
            let locked = try await lock()
            defer { locked.unlock() }
            return locked.read()
        } catch {
            return .unavailable(error)
        }
    }

    public func lock() async throws(TokenStoreProblem) -> any LockedTokenStore {
        let directory = try PrivateDirectory(making: directory)
        let lockName = "\(name).lock"
        let lock = try await FileLock(
            directory.openLockFile(lockName), path: directory.path(of: lockName), wait: lockWait)
        return LockedFileTokenStore(directory: directory, name: name, lock: lock)
    }

    /// The longest file that is read; records are a few kilobytes.
    private static let maximumBytes = 1 << 20

    /// - Returns: Nil for a record that cannot be understood.
    fileprivate static func read(
        _ name: String, in directory: borrowing PrivateDirectory
    ) throws(TokenStoreProblem) -> StoredSession? {
        guard let bytes = try directory.read(name, atMost: maximumBytes) else { return .absent }
        do {
            return .found(try SessionRecord(bytes: bytes))
        } catch {
            switch error {
            case .newerVersion: throw .newerVersion
            case .damaged: return nil
            }
        }
    }
}

/// The file of a ``FileTokenStore`` while this process has it to itself.
private final class LockedFileTokenStore: LockedTokenStore {
    private let directory: PrivateDirectory
    private let name: String
    private let lock: FileLock

    init(directory: consuming PrivateDirectory, name: String, lock: FileLock) {
        self.directory = directory
        self.name = name
        self.lock = lock
    }

    func read() -> StoredSession {
        do throws(TokenStoreProblem) {
            if let answer = try FileTokenStore.read(name, in: directory) { return answer }
            guard lock.isHeld else { throw .busy }
            return .unavailable(.damaged(setAside: try directory.setAside(name)))
        } catch {
            return .unavailable(error)
        }
    }

    func write(_ record: SessionRecord) throws(TokenStoreProblem) {
        guard lock.isHeld else { throw .busy }
        try directory.replace(name, with: record.bytes)
    }

    func clear() throws(TokenStoreProblem) {
        guard lock.isHeld else { throw .busy }
        try directory.remove(name)
    }

    func unlock() { lock.unlock() }
}
