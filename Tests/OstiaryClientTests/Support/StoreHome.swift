import Foundation
import OstiaryClientTestSupport
import OstiaryCore
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

/// A directory of a test's own with a file store in it, and hands to damage it.
struct StoreHome {
    let home: TemporaryDirectory
    let store: FileSessionStore
    let keys: SealingKeys

    var directory: String { store.directory }
    var file: String { "\(store.directory)/\(store.name)" }
    var keyFile: String { "\(store.directory)/\(KeyFile.fileName)" }

    /// - Parameter keys: Nil for a key file beside the store.
    init(keys: SealingKeys? = nil, lockWait: Duration = .milliseconds(100)) throws {
        home = try TemporaryDirectory()
        let directory = "\(home.path)/state/ostiary"
        self.keys = keys ?? .keyFile(directory: directory)
        store = try Self.store(in: directory, keys: self.keys, lockWait: lockWait)
    }

    static func store(
        in directory: String, keys: SealingKeys, baseURL: String? = nil, lockWait: Duration = .seconds(20)
    ) throws -> FileSessionStore {
        FileSessionStore(
            directory: directory, contract: SampleSessions.contract,
            baseURL: try baseURL.map { try BaseURL($0) } ?? SampleSessions.baseURL, keys: keys, lockWait: lockWait)
    }

    /// Another store on the same file, as a program has that is started again.
    func again(keys: SealingKeys? = nil) throws -> FileSessionStore {
        try Self.store(in: directory, keys: keys ?? self.keys, lockWait: .milliseconds(100))
    }

    func write(_ saved: SavedSessions? = nil) async throws {
        try await store.put(try saved ?? SampleSessions.all)
    }

    func put(_ bytes: some Sequence<UInt8>, mode: Int = 0o600) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try setMode(0o700, of: directory)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        try setMode(mode, of: file)
    }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file))) }

    func files() throws -> [String] { try home.files(in: "state/ostiary") }
}

extension FileSessionStore {
    func put(_ saved: SavedSessions) async throws { try await change { $0 = saved } }
}

/// A place for a key that a test decides about.
final class ScriptedKeySource: SealingKeySource {
    let name: String
    private let answer: Reference<Answer>

    enum Answer: Sendable {
        case key(SealingKey)
        case none
        case problem(SealingKeyProblem)
    }

    init(_ name: String = "scripted", answer: Answer) {
        self.name = name
        self.answer = Reference()
        self.answer.value = answer
    }

    func say(_ answer: Answer) { self.answer.value = answer }

    func key() async throws(StoreProblem) -> SealingKey? {
        switch answer.value {
        case .key(let key): return key
        case .problem(let problem): throw .sealingKey(problem, source: name)
        case .some(.none), nil: return nil
        }
    }

    func makeKey() async throws(StoreProblem) -> SealingKey {
        let key = SealingKey()
        answer.value = .key(key)
        return key
    }
}
