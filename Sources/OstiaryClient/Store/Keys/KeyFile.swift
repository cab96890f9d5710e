import Foundation
import OstiaryCore

/// A key in a file that only its user can read, shared by all stores that name its directory.
///
/// It protects copies of the store that were made without the key, for example a backup. A process that can read all of
/// the user's files reads the key as well.
struct KeyFile: SealingKeySource {
    let name = "key-file"
    let directory: String
    /// The longest wait for the lock: longer than another process needs to write the file.
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
        // Under the lock: if two processes find no key, the second uses the one that the first has created.
        if let key = try key(in: directory) { return key }
        let key = SealingKey()
        try directory.replace(Self.fileName, with: Array("\(key.text.reveal())\n".utf8))
        return key
    }

    private func key(in directory: borrowing PrivateDirectory) throws(StoreProblem) -> SealingKey? {
        guard let bytes = try directory.read(Self.fileName, atMost: 4096) else { return nil }
        // A malformed file is not replaced: once it is repaired, it opens what it sealed.
        guard let key = SealingKey(text: String(decoding: bytes, as: UTF8.self)) else {
            throw .sealingKey(.malformed, source: name)
        }
        return key
    }
}
