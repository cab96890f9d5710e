import Foundation
import OstiaryClientTestSupport
import OstiaryCore
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

struct SealingKeyTests {
    private static let text = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    // MARK: Keys

    @Test func `is 32 bytes, and no other number`() {
        for count in [0, 1, 16, 31, 33, 64] { #expect(SealingKey([UInt8](repeating: 7, count: count)) == nil) }
        #expect(
            SealingKey([UInt8](repeating: 7, count: 32))?.text.reveal()
                == Data(repeating: 7, count: 32).base64EncodedString())
    }

    @Test func `is another one each time, with another id`() {
        let keys = (0..<100).map { _ in SealingKey() }
        #expect(Set(keys.map { $0.text.reveal() }).count == 100 && Set(keys.map(\.id)).count == 100)
    }

    @Test func `has an id that gives away none of it`() throws {
        let key = try #require(SealingKey((0..<32).map { UInt8($0) }))
        #expect(key.id == "9wUEH2DZh6Ai" && !key.text.reveal().contains(key.id))
    }

    // MARK: Environment

    @Test func `takes the key that the environment has`() async throws {
        let source = try #require(EnvironmentKey(["OSTIARY_SESSION_KEY": Self.text]))
        #expect(try await source.key()?.id == "9wUEH2DZh6Ai")
        #expect(EnvironmentKey([:]) == nil)
    }

    @Test(arguments: ["", " ", "secret", "AAEC", String(text.dropLast()), text + "AA", "!" + text.dropFirst()])
    func `does not go on without the key that somebody wanted to give`(_ text: String) async throws {
        let place = try StoreHome(keys: .automatic(environment: ["OSTIARY_SESSION_KEY": text]))
        await #expect(throws: StoreProblem.sealingKey(.malformed, source: "environment")) { try await place.write() }
        #expect(try !place.files().contains(KeyFile.fileName))
    }

    @Test func `seals by the environment's key, and makes no other`() async throws {
        let place = try StoreHome(keys: .automatic(environment: ["OSTIARY_SESSION_KEY": Self.text]))
        try await place.write()
        #expect(try place.files() == [place.store.name, "\(place.store.name).lock"])
        let without = try place.again(keys: .automatic(environment: [:]))
        #expect(await without.read() == .unavailable(.sealingKey(.missing, source: "environment")))
        let other = try place.again(keys: .automatic(environment: ["OSTIARY_SESSION_KEY": SealingKey().text.reveal()]))
        #expect(await other.read() == .unavailable(.sealingKey(.different, source: "environment")))
    }

    @Test func `seals anew by a key that the environment was given later`() async throws {
        let place = try StoreHome(keys: .automatic(environment: [:]))
        try await place.write()
        let store = try place.again(keys: .automatic(environment: ["OSTIARY_SESSION_KEY": Self.text]))
        #expect(await store.read() == .found(try SampleSessions.all))
        try await store.change { _ = $0.sessions.removeLast() }
        try FileManager.default.removeItem(atPath: place.keyFile)
        #expect(
            await (try place.again(keys: .automatic(environment: ["OSTIARY_SESSION_KEY": Self.text]))).read() != .absent
        )
        #expect(await store.read() == .found(try SampleSessions.withoutLast))
    }

    // MARK: Key file

    @Test func `makes a key file for the user alone, and stays with it`() async throws {
        let place = try StoreHome()
        let source = KeyFile(directory: place.directory)
        #expect(try await source.key() == nil)
        #expect(try place.home.files().isEmpty)
        let key = try await source.makeKey()
        #expect(try await source.makeKey().id == key.id)
        #expect(try await source.key()?.id == key.id)
        #expect(try mode(of: place.keyFile) == 0o600 && mode(of: place.directory) == 0o700)
    }

    @Test func `keeps the key apart from the store where that is wanted`() async throws {
        let home = try TemporaryDirectory()
        let store = try StoreHome.store(in: "\(home.path)/state", keys: .keyFile(directory: "\(home.path)/keys"))
        try await store.put(SampleSessions.all)
        #expect(try home.files(in: "keys") == ["sealing-key", "sealing-key.lock"])
        #expect(try !home.files(in: "state").contains("sealing-key"))
    }

    @Test(arguments: ["", "\n", "c2hvcnQ=", "no base64 at all, but about as long as a key"])
    func `overwrites no key file that it does not understand`(_ text: String) async throws {
        let place = try StoreHome()
        try place.put([])
        try FileManager.default.removeItem(atPath: place.file)
        try Data(text.utf8).write(to: URL(fileURLWithPath: place.keyFile))
        try setMode(0o600, of: place.keyFile)
        await #expect(throws: StoreProblem.sealingKey(.malformed, source: "key-file")) { try await place.write() }
        #expect(try String(contentsOfFile: place.keyFile, encoding: .utf8) == text)
    }

    @Test func `makes one key, however many ask for the first`() async throws {
        let home = try TemporaryDirectory()
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await KeyFile(directory: "\(home.path)/keys").makeKey().id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test func `does not make a new key in place of the file that sealed`() async throws {
        let place = try StoreHome()
        try await place.write()
        try FileManager.default.removeItem(atPath: place.keyFile)
        let store = try place.again()
        await #expect(throws: StoreProblem.sealingKey(.missing, source: "key-file")) {
            try await store.change { $0.current = nil }
        }
        #expect(try !place.files().contains(KeyFile.fileName))
    }

    // MARK: Which of several

    /// What `automatic` is made of, with places that the test decides about.
    private static func keys(_ desktop: ScriptedKeySource, in directory: String) -> SealingKeys {
        SealingKeys { _, _ in SealingKeySources(chosen: nil, others: [desktop, KeyFile(directory: directory)]) }
    }

    @Test func `prefers the desktop for what is new, and remembers`() async throws {
        let desktop = ScriptedKeySource("desktop", answer: .none)
        let home = try StoreHome()
        let store = try home.again(keys: Self.keys(desktop, in: home.directory))
        try await store.put(SampleSessions.all)
        #expect(try !home.files().contains(KeyFile.fileName))
        #expect(try String(decoding: home.bytes(), as: UTF8.self).contains("\"key\": \"desktop\""))
    }

    @Test(arguments: [SealingKeyProblem.locked, .unreachable])
    func `takes the key file where the desktop gives no key and has sealed nothing`(
        _ problem: SealingKeyProblem
    ) async throws {
        let desktop = ScriptedKeySource("desktop", answer: .problem(problem))
        let home = try StoreHome()
        let store = try home.again(keys: Self.keys(desktop, in: home.directory))
        try await store.put(SampleSessions.all)
        // Unlocked later, it changes nothing.
        desktop.say(.key(SealingKey()))
        try await store.change { _ = $0.sessions.removeLast() }
        #expect(try String(decoding: home.bytes(), as: UTF8.self).contains("\"key\": \"key-file\""))
    }

    @Test func `does not take the key file where the desktop has sealed and is locked`() async throws {
        let desktop = ScriptedKeySource("desktop", answer: .none)
        let home = try StoreHome()
        let keys = Self.keys(desktop, in: home.directory)
        try await home.again(keys: keys).put(SampleSessions.all)
        desktop.say(.problem(.locked))
        let expected = StoreProblem.sealingKey(.locked, source: "desktop")
        #expect(await (try home.again(keys: keys)).read() == .unavailable(expected))
        await #expect(throws: expected) { try await home.again(keys: keys).change { $0 = .none } }
        #expect(try !home.files().contains(KeyFile.fileName))
    }
}
