import Foundation
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
        #expect(await client.keeper.store is KeychainSessionStore)
        let named = try AuthClient(
            contract: .timetracker, baseURL: try #require(URL(string: "https://auth.example.com")))
        #expect(await (named.keeper.store as? KeychainSessionStore)?.service == "com.timetracker.app")
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

    // MARK: Protection

    @Test(arguments: [
        (KeychainRules(), kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String),
        (Contract.timetracker.client.keychain, kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String),
        (Contract.barqnet.client.keychain, kSecAttrAccessibleWhenUnlocked as String),
        (Contract.clarity.client.keychain, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String),
        (
            KeychainRules(accessible: .afterFirstUnlock, thisDeviceOnly: false),
            kSecAttrAccessibleAfterFirstUnlock as String
        ),
    ])
    func `can be read when the contract says, and no sooner`(_ rules: KeychainRules, _ wanted: String) async throws {
        let place = KeychainPlace(rules)
        try await place.again().put(try SampleSessions.all)
        #expect(place.shim.accounts.count >= 1)
        for account in place.shim.accounts { #expect(place.shim.protection(account: account) == wanted, "\(account)") }
    }

    @Test(arguments: KeychainPlace.Layout.named + [.record])
    func `gives an item its accessibility back at the next writing`(_ layout: KeychainPlace.Layout) async throws {
        let place = KeychainPlace(layout)
        try await place.again().put(try SampleSessions.all)
        let wanted = place.shim.accounts.map { place.shim.protection(account: $0) }
        for account in place.shim.accounts {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: place.service,
                kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
            ]
            let open = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock] as CFDictionary
            #expect(SecItemUpdate(query as CFDictionary, open) == errSecSuccess)
        }
        // No token changes.
        try await place.again().change { $0.deviceID = "device-1" }
        #expect(place.shim.accounts.map { place.shim.protection(account: $0) } == wanted)
    }

    @Test func `neither makes nor sees an item that iCloud copies`() async throws {
        let copied: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: place.service,
            kSecAttrAccount as String: try record, kSecAttrSynchronizable as String: true,
            kSecUseDataProtectionKeychain as String: true, kSecValueData as String: Data("theirs".utf8),
        ]
        #expect(SecItemAdd(copied as CFDictionary, nil) == errSecSuccess)
        #expect(await (try place.again()).read() == .absent)
        try await place.again().put(try SampleSessions.all)
        #expect(place.shim.count == 2)
        try await place.again().put(.none)
        #expect(place.texts == [try record: "theirs"])
    }

    @Test func `has the group of items that the app asks for`() async throws {
        place.shim.accessGroups = ["own", "shared"]
        let store = try place.again(accessGroup: "shared")
        try await store.put(try SampleSessions.all)
        #expect(await (try place.again(accessGroup: "own")).read() == .absent)
        #expect(await store.read() == .found(try SampleSessions.all))
        place.shim.accessGroups = ["own"]
        #expect(await store.read() == .unavailable(.keychain(status: errSecMissingEntitlement)))
    }

    @Test func `names the entitlement that is missing`() async throws {
        place.shim.hasNoEntitlement = true
        let problem = StoreProblem.keychain(status: errSecMissingEntitlement)
        #expect(await (try place.again()).read() == .unavailable(problem))
        await #expect(throws: problem) { try await place.again().put(try SampleSessions.all) }
        for word in ["-34018", "keychain-access-groups", "Keychain Sharing"] {
            #expect(problem.description.contains(word))
        }
        #expect(StoreProblem.keychain(status: errSecInteractionNotAllowed).description == "The keychain is locked.")
    }

    // MARK: A locked device

    @Test(arguments: KeychainPlace.Layout.allCases, [true, false])
    func `knows nothing before the device is unlocked first, and loses nothing`(
        _ layout: KeychainPlace.Layout, _ hides: Bool
    ) async throws {
        let place = KeychainPlace(layout)
        let binding = layout == .bound ? place.binding() : nil
        try await place.again(binding: binding).put(try SampleSessions.all)
        let before = place.texts
        place.shim.lock = .beforeFirstUnlock
        place.shim.hidesWhatIsLocked = hides
        // Where the keychain says that it is locked, nothing else is needed to know it.
        place.isProtectedDataAvailable.value = !hides
        let locked = StoreProblem.keychain(status: errSecInteractionNotAllowed)
        let store = try place.again(binding: binding)
        #expect(await store.read() == .unavailable(locked))
        await #expect(throws: locked) { try await store.put(.none) }
        await #expect(throws: locked) { try await store.change { $0.deviceID = "device-1" } }
        #expect(place.texts == before)
        place.shim.lock = .unlocked
        place.isProtectedDataAvailable.value = true
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `asks the system whether what is not found may be hidden`() async throws {
        let store = KeychainSessionStore(
            contract: "vici", rules: place.rules, baseURL: try SampleSessions.baseURL)
        #expect(await store.read() == .absent)
    }

    @Test func `concludes nothing about a token that is hidden beside a companion that is not`() async throws {
        let place = KeychainPlace(.timetracker)
        try await place.again().put(try SampleSessions.all)
        let token = try #require(place.text("accessToken"))
        place.remove("accessToken")
        place.isProtectedDataAvailable.value = false
        #expect(
            await (try place.again()).read() == .unavailable(.keychain(status: errSecInteractionNotAllowed)))
        place.put(token, "accessToken")
        place.isProtectedDataAvailable.value = true
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
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

    @Test func `sets aside what it cannot read, and deletes none of it`() async throws {
        for number in 1...3 {
            place.put("junk \(number)", try record)
            let name = "\(try record).damaged-\(number)"
            #expect(
                await (try place.again()).read()
                    == .unavailable(.damaged(setAside: "the keychain item \(name) of \(place.service)")))
            #expect(place.text(name) == "junk \(number)")
            #expect(await (try place.again()).read() == .absent)
        }
    }

    @Test(arguments: KeychainPlace.Layout.allCases)
    func `leaves a newer version where it is, and writes nothing over it`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        let place = KeychainPlace(layout)
        let account = KeychainPlace.Layout.named.contains(layout) ? NamedItems.companion : try place.again().account
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
