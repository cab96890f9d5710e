import Foundation
import OstiaryCore

/// A key in a file that only its user can read, for all stores that name its directory.
///
/// It protects copies of the store that were made without it, a backup for example; whoever reads all of the user's files
/// reads the key as well.
struct KeyFile: SealingKeySource {
    let name = "key-file"
    let directory: String
    /// Longer than another process needs to write the file.
    var lockWait: Duration = .seconds(10)

    static let fileName = "sealing-key"

    func key() async throws(StoreProblem) -> SealingKey? {
        do throws(StoreProblem) {
            return try key(in: PrivateDirectory(path: directory))
        } catch {
            if case .system(_, code: ENOENT) = error { return nil }
            throw error
        }
    }

    func makeKey() async throws(StoreProblem) -> SealingKey {
        let directory = try PrivateDirectory(making: directory)
        let lockName = "\(Self.fileName).lock"
        let lock = try await FileLock(
            directory.openLockFile(lockName), path: directory.path(of: lockName), wait: lockWait)
        defer { lock.unlock() }
        // Under the lock: of two processes that find none, the second takes what the first has made.
        if let key = try key(in: directory) { return key }
        let key = SealingKey()
        try directory.replace(Self.fileName, with: Array("\(key.text.reveal())\n".utf8))
        return key
    }

    private func key(in directory: borrowing PrivateDirectory) throws(StoreProblem) -> SealingKey? {
        guard let bytes = try directory.read(Self.fileName, atMost: 4096) else { return nil }
        // One that is no key is left alone: it may be repaired, and what it sealed opened again.
        guard let key = SealingKey(text: String(decoding: bytes, as: UTF8.self)) else {
            throw .sealingKey(.malformed, source: name)
        }
        return key
    }
}
