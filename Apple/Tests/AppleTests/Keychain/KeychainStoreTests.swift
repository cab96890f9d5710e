import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import Security
import Testing

@testable import OstiaryClient

struct KeychainStoreTests {
    private let place = KeychainPlace()
    private var record: String { get throws { try place.again().account } }

    @Test(arguments: KeychainPlace.Layout.allCases, StoreRule.allCases)
    func `holds what every store holds`(_ layout: KeychainPlace.Layout, _ rule: StoreRule) async throws {
        let place = KeychainPlace(layout)
        // Stores of one run share what binds them.
        let binding = layout == .bound ? place.binding() : nil
        try await rule.check { try place.again(binding: binding) }
    }

    @Test func `is what a client uses here`() async throws {
        let client = try AuthClient(
            contract: .vici, baseURL: try #require(URL(string: "https://auth.example.com/vici")))
        #expect(Self.keychain(of: await client.keeper.store) != nil)
        let named = try AuthClient(
            contract: .timetracker, baseURL: try #require(URL(string: "https://auth.example.com")))
        #expect(Self.keychain(of: await named.keeper.store)?.service == "com.timetracker.app")
    }

    private static func keychain(of store: any SessionStore) -> KeychainSessionStore? {
        (store as? EntitlementFallbackStore)?.keychain as? KeychainSessionStore ?? store as? KeychainSessionStore
    }

    @Test func `keeps everything in one item, which says nothing by its name`() async throws {
        try await place.again().put(try SampleSessions.all)
        #expect(place.shim.accounts == [try record])
        #expect(try record == "ostiary clarity https://auth.example.com/clarity")
        #expect(place.text(try record) == String(decoding: try SampleSessions.all.document, as: UTF8.self))
    }

    @Test func `finds what a former installation left, whatever other places say`() async throws {
        try await place.again().put(try SampleSessions.all)
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
        #expect(place.shim.calls.allSatisfy { $0.name != "SecItemDelete" })
    }

    // MARK: What goes wrong

    @Test(arguments: ["SecItemCopyMatching", "SecItemAdd", "SecItemUpdate", "SecItemDelete"])
    func `says what the keychain said, and has changed nothing`(_ function: String) async throws {
        if function != "SecItemAdd" { try await place.again().put(try SampleSessions.all) }
        let before = place.texts
        place.shim.failNext(function, with: errSecNotAvailable)
        await #expect(throws: StoreProblem.keychain(status: errSecNotAvailable)) {
            let saved =
                function == "SecItemDelete" ? .none : SavedSessions(sessions: [try SampleSessions.session()])
            try await place.again().put(saved)
        }
        #expect(place.texts == before)
    }

    @Test(arguments: [nil, 26])
    func `keeps whom the device knew, and in which version's form`(_ system: Int?) async throws {
        var session = try SampleSessions.session()
        session.enrolment = BiometricEnrolment([1, 2], system: system)
        let saved = SavedSessions(sessions: [session])
        try await place.again().put(saved)
        #expect(await (try place.again()).read() == .found(saved))
    }

    @Test func `sets aside what it cannot read, and keeps the latest of it alone`() async throws {
        for number in 1...3 {
            place.put("junk \(number)", try record)
            let name = "\(try record).damaged-1"
            #expect(
                await (try place.again()).read()
                    == .unavailable(.damaged(setAside: "the keychain item \(name) of \(place.service)")))
            #expect(place.texts == [name: "junk \(number)"])
            #expect(await (try place.again()).read() == .absent)
        }
    }

    @Test(arguments: KeychainPlace.Layout.allCases)
    func `leaves a newer version where it is, and writes nothing over it`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        let place = KeychainPlace(layout)
        let account = KeychainPlace.Layout.named.contains(layout) ? NamedItems.index : try place.again().account
        place.put("{\"version\":9}", account)
        #expect(await (try place.again()).read() == .unavailable(.newerVersion))
        await #expect(throws: StoreProblem.newerVersion) { try await place.again().put(try SampleSessions.all) }
        #expect(place.texts == [account: "{\"version\":9}"])
    }

    // MARK: Several

    @Test(arguments: KeychainPlace.Layout.allCases)
    func `gives each contract and base URL its own sessions`(_ layout: KeychainPlace.Layout) async throws {
        let place = KeychainPlace(layout)
        let binding = layout == .bound ? place.binding() : nil
        let one = try place.again(binding: binding)
        let others = [
            try place.again(baseURL: "https://auth.example.com/other", binding: binding),
            try place.again(contract: "vici", binding: binding),
        ]
        try await one.put(try SampleSessions.all)
        for other in others { #expect(await other.read() == .absent) }
        for (number, other) in others.enumerated() {
            try await other.put(SavedSessions(sessions: [try SampleSessions.session("other-\(number)")]))
        }
        #expect(await one.read() == .found(try SampleSessions.all))
        for (number, other) in others.enumerated() {
            #expect(await other.found?.sessions.map(\.id.rawValue) == ["other-\(number)"])
            try await other.put(.none)
        }
        #expect(await one.read() == .found(try SampleSessions.all))
        try await one.put(.none)
        #expect(place.shim.count == 0)
    }

    @Test func `asks the keychain on no thread that Swift needs`() async throws {
        let calls = Shared<[Bool]>([])
        place.shim.beforeCall { _ in calls.change { $0.append(withUnsafeCurrentTask { $0 != nil }) } }
        try await place.again().put(try SampleSessions.all)
        _ = await (try place.again()).read()
        #expect(calls.value.count > 2 && calls.value.allSatisfy { !$0 })
    }
}
