import Foundation

/// A store of queued requests in a file that only its user can read.
///
/// The directory has mode 0700 and the file 0600; neither is used if other users could access it. The content is not
/// encrypted: it contains the users' requests, and no token. An accepted request is durable: it survives the end of the
/// process at any moment, in its position.
public struct FileRequestQueueStore: RequestQueueStore {
    /// The directory's absolute path.
    public let directory: String
    private let lockWait: Duration

    private static let name = "queue.json"
    private static let changeLock = "queue.lock"
    private static let sendingLock = "queue.sending.lock"
    /// The maximum size of the file that is read: many times what the default limits allow.
    private static let maximumBytes = 1 << 24

    /// Creates a store in a directory.
    ///
    /// - Parameter directory: An absolute path, created if missing. Clients that share it are serialized by lock files. On
    ///   iOS it must not be in the container of an app group: the system terminates an app that is suspended while it
    ///   holds a lock there, and a lock is held while a request is sent.
    public init(directory: String) { self.init(directory: directory, lockWait: .seconds(5)) }

    init(directory: String, lockWait: Duration) {
        self.directory = directory
        self.lockWait = lockWait
    }

    /// Reads the queue; a damaged file is set aside under another name.
    ///
    /// - Throws: ``StoreProblem/damaged(setAside:)``, ``StoreProblem/newerVersion``, ``StoreProblem/busy``,
    ///   ``StoreProblem/notPrivate(path:)`` or ``StoreProblem/system(path:code:)``.
    public func read() async throws(StoreProblem) -> SavedQueue {
        do {
            if let queue = try Self.read(in: PrivateDirectory(path: directory)) { return queue }
        } catch {
            if case .system(_, code: ENOENT) = error { return .empty }
            throw error
        }
        // The file is damaged: only a change, which holds the lock, may set it aside.
        return try await change { $0 }
    }

    /// Reads, changes and atomically replaces the file, under a lock across processes.
    ///
    /// - Throws: ``StoreProblem/busy`` if another process holds the lock for five seconds;
    ///   ``StoreProblem/damaged(setAside:)`` for a file that could not be read and has been set aside; else the failure
    ///   of reading or writing.
    public func change<Result: Sendable>(
        _ change: @Sendable (inout SavedQueue) -> Result
    ) async throws(StoreProblem) -> Result {
        let directory = try PrivateDirectory(making: directory)
        let lock = try await lock(Self.changeLock, in: directory, wait: lockWait)
        defer { lock.unlock() }
        guard let before = try Self.read(in: directory) else {
            throw .damaged(setAside: try directory.setAside(Self.name))
        }
        var queue = before
        let result = change(&queue)
        guard queue != before else { return result }
        let bytes = queue.bytes
        // A larger file could not be read again and would be lost as a whole.
        guard bytes.count <= Self.maximumBytes else { throw .system(path: self.directory, code: EFBIG) }
        try directory.replace(Self.name, with: bytes)
        return result
    }

    /// Takes the lock of the sender across processes.
    ///
    /// - Throws: ``StoreProblem/busy`` immediately if another process holds it.
    public func sendLease() async throws(StoreProblem) -> any SendLease {
        let directory = try PrivateDirectory(making: directory)
        return FileLease(lock: try await lock(Self.sendingLock, in: directory, wait: .zero))
    }

    private func lock(
        _ name: String, in directory: borrowing PrivateDirectory, wait: Duration
    ) async throws(StoreProblem) -> FileLock {
        let file = try directory.openLockFile(name)
        return try await FileLock(file, path: directory.path(of: name), wait: wait)
    }

    /// - Returns: Nil for a file that cannot be parsed.
    private static func read(in directory: borrowing PrivateDirectory) throws(StoreProblem) -> SavedQueue? {
        guard let bytes = try directory.read(name, atMost: maximumBytes) else { return .empty }
        do {
            return try SavedQueue(bytes: bytes)
        } catch {
            switch error {
            case .newerVersion: throw .newerVersion
            case .damaged: return nil
            }
        }
    }
}

private struct FileLease: SendLease {
    let lock: FileLock
    func end() { lock.unlock() }
}
