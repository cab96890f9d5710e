import Foundation

/// Keeps queued requests in a file that only its user can read.
///
/// The directory has mode 0700 and the file 0600; neither is used if others could get at it. What is in it is not
/// encrypted: it holds what people wrote, and no token. A request that has been taken in is on the disk: it survives the end
/// of the process at any moment, in its place.
public struct FileRequestQueueStore: RequestQueueStore {
    /// The directory's path, which begins with a slash.
    public let directory: String
    private let lockWait: Duration

    private static let name = "queue.json"
    private static let changeLock = "queue.lock"
    private static let sendingLock = "queue.sending.lock"
    /// The longest file that is read: many times what the usual limits let in.
    private static let maximumBytes = 1 << 24

    /// - Parameter directory: A path that begins with a slash, made where it is missing. Clients that share it take turns.
    public init(directory: String) { self.init(directory: directory, lockWait: .seconds(5)) }

    init(directory: String, lockWait: Duration) {
        self.directory = directory
        self.lockWait = lockWait
    }

    public func read() async throws(StoreProblem) -> SavedQueue {
        do {
            if let queue = try Self.read(in: PrivateDirectory(path: directory)) { return queue }
        } catch {
            if case .system(_, code: ENOENT) = error { return .empty }
            throw error
        }
        // Damaged: only a change may move it away.
        return try await change { $0 }
    }

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
        // One that could not be read again would be lost as a whole.
        guard bytes.count <= Self.maximumBytes else { throw .system(path: self.directory, code: EFBIG) }
        try directory.replace(Self.name, with: bytes)
        return result
    }

    public func sendingTurn() async throws(StoreProblem) -> any SendingTurn {
        let directory = try PrivateDirectory(making: directory)
        return FileTurn(lock: try await lock(Self.sendingLock, in: directory, wait: .zero))
    }

    private func lock(
        _ name: String, in directory: borrowing PrivateDirectory, wait: Duration
    ) async throws(StoreProblem) -> FileLock {
        let file = try directory.openLockFile(name)
        return try await FileLock(file, path: directory.path(of: name), wait: wait)
    }

    /// - Returns: Nil for a file that cannot be understood.
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

private struct FileTurn: SendingTurn {
    let lock: FileLock
    func end() { lock.unlock() }
}
