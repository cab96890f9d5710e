import Foundation
import OstiaryClientTestSupport
import OstiaryCore
import OstiaryTestSupport
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// What a store makes of a file that is not as it was written, and what of one whose key is not at hand.
struct DamagedStoreTests {
    private let place: StoreHome
    private let source: ScriptedKeySource
    private let key = SealingKey()
    private var store: FileSessionStore { place.store }

    init() throws {
        source = ScriptedKeySource(answer: .key(key))
        place = try StoreHome(keys: .from(source))
    }

    private var aside: [String] { get throws { try place.files().filter { $0.contains(".damaged-") } } }

    // MARK: Damage

    @Test func `sets a damaged file aside and deletes none`() async throws {
        for (number, text) in ["{\"version\":2,", "", "\u{0}\u{0}", "{\"version\":1}", "[]"].enumerated() {
            try place.put(text.utf8)
            let aside = "\(place.file).damaged-\(number + 1)"
            #expect(await store.read() == .unavailable(.damaged(setAside: aside)))
            #expect(try String(contentsOfFile: aside, encoding: .utf8) == text)
            #expect(await store.read() == .absent)
        }
    }

    @Test func `tells whoever changes a damaged file, once`() async throws {
        try place.put("{\"version\":2}".utf8)
        await #expect(throws: StoreProblem.damaged(setAside: "\(place.file).damaged-1")) { try await place.write() }
        try await place.write()
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `sets aside a file with a flipped bit, wherever it is`() async throws {
        try await place.write(SavedSessions(sessions: [try SampleSessions.session()]))
        let whole = try place.bytes()
        var random = SeededRandom.announced()
        for index in whole.indices.dropLast() {
            var bytes = whole
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let isVersion = whole[index] == UInt8(ascii: "2") && index < 16
            try await expectSetAside(bytes, orNewerVersion: isVersion, "byte \(index)")
        }
    }

    @Test func `sets aside a file that was cut short, wherever it was`() async throws {
        try await place.write(SavedSessions(sessions: [try SampleSessions.session()]))
        let whole = try place.bytes()
        for length in stride(from: 0, to: whole.count - 1, by: 5) {
            try await expectSetAside(Array(whole[..<length]), "\(length) bytes")
        }
    }

    private func expectSetAside(
        _ bytes: [UInt8], orNewerVersion: Bool = false, _ what: Comment
    ) async throws {
        try place.put(bytes)
        switch await store.read() {
        case .unavailable(.damaged(let aside)):
            #expect(try Array(Data(contentsOf: URL(fileURLWithPath: aside))) == bytes)
            try FileManager.default.removeItem(atPath: aside)
        case .unavailable(.newerVersion): #expect(orNewerVersion, what)
        default: Issue.record(what)
        }
    }

    @Test func `sets aside a file that is too long to be one`() async throws {
        try place.put([UInt8](repeating: 0x20, count: 5 << 20))
        #expect(await store.read() == .unavailable(.damaged(setAside: "\(place.file).damaged-1")))
    }

    @Test(arguments: ["https://auth.example.com", "https://auth.example.com/other", "http://localhost/clarity"])
    func `does not open another app's file under its own name`(_ other: String) async throws {
        let former = try StoreHome.store(in: place.directory, keys: .from(source), baseURL: other)
        try await former.put(SampleSessions.all)
        try FileManager.default.moveItem(atPath: "\(place.directory)/\(former.name)", toPath: place.file)
        #expect(await store.read() == .unavailable(.damaged(setAside: "\(place.file).damaged-1")))
    }

    // MARK: Keys that are not at hand

    @Test(arguments: [SealingKeyProblem.locked, .unreachable, .malformed])
    func `moves nothing while its key cannot be had, and reads again when it can`(
        _ problem: SealingKeyProblem
    ) async throws {
        try await place.write()
        let before = try place.bytes()
        source.say(.problem(problem))
        let store = try place.again()
        let expected = StoreProblem.sealingKey(problem, source: "scripted")
        #expect(await store.read() == .unavailable(expected))
        await #expect(throws: expected) { try await store.change { $0 = .none } }
        #expect(try place.bytes() == before && aside.isEmpty)
        source.say(.key(key))
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `moves nothing and makes no other key when its key is gone`() async throws {
        try await place.write()
        let before = try place.bytes()
        source.say(.none)
        let store = try place.again()
        let expected = StoreProblem.sealingKey(.missing, source: "scripted")
        #expect(await store.read() == .unavailable(expected))
        await #expect(throws: expected) { try await store.change { $0 = .none } }
        #expect(try place.bytes() == before && aside.isEmpty)
    }

    @Test func `moves nothing when there is another key`() async throws {
        try await place.write()
        let before = try place.bytes()
        source.say(.key(SealingKey()))
        let store = try place.again()
        let expected = StoreProblem.sealingKey(.different, source: "scripted")
        #expect(await store.read() == .unavailable(expected))
        await #expect(throws: expected) { try await store.change { $0.sessions = [] } }
        #expect(try place.bytes() == before && aside.isEmpty)
    }

    @Test func `sets damage aside without a key`() async throws {
        try await place.write()
        source.say(.problem(.locked))
        var bytes = try place.bytes()
        bytes[bytes.count / 2] ^= 1
        try place.put(bytes)
        #expect(await (try place.again()).read() == .unavailable(.damaged(setAside: "\(place.file).damaged-1")))
    }

    @Test func `goes on when its key is locked while it runs`() async throws {
        try await place.write()
        source.say(.problem(.locked))
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `says what is wrong without a secret`() async throws {
        let problems: [StoreProblem] = [
            .notPrivate(path: place.file), .damaged(setAside: place.file), .newerVersion, .busy,
            .system(path: place.file, code: ENOSPC), .sealingKey(.locked, source: "secret-service"),
            .sealingKey(.missing, source: "key-file"), .sealingKey(.unreachable, source: "secret-service"),
            .sealingKey(.different, source: "environment"), .sealingKey(.malformed, source: "environment"),
        ]
        #expect(Set(problems.map(\.description)).count == problems.count)
        #expect(
            StoreProblem.sealingKey(.locked, source: "secret-service").description
                == "The stored session's key (secret-service) is locked.")
    }
}
