import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import Security
import Testing

@testable import OstiaryClient

/// Tests of the conditions under which an item can be read.
struct KeychainProtectionTests {
    private let place = KeychainPlace()
    private var record: String { get throws { try place.again().account } }

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

    @Test(arguments: KeychainPlace.Layout.named + [.record])
    func `moves to another group as the guide says`(_ layout: KeychainPlace.Layout) async throws {
        let place = KeychainPlace(layout)
        place.shim.accessGroups = ["own", "shared"]
        try await place.again().put(try SampleSessions.all)
        let (former, shared) = (try place.again(accessGroup: "own"), try place.again(accessGroup: "shared"))
        #expect(await shared.read() == .absent)
        for _ in 1...2 {
            if case .found(let saved) = await former.read() {
                try await shared.change { if $0 == .none { $0 = saved } }
                try await former.change { $0 = .none }
            }
            #expect(await former.read() == .absent)
            #expect(await (try place.again(accessGroup: "shared")).read() == .found(try SampleSessions.all))
        }
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

    @Test(arguments: KeychainPlace.Layout.allCases, [ShimKeychain.Lock.beforeFirstUnlock, .locked, .unlocked])
    func `takes nothing for absent when the device is unlocked or locked during a read`(
        _ layout: KeychainPlace.Layout, _ before: ShimKeychain.Lock
    ) async throws {
        let answers: [StoredSessions] = [
            .found(try SampleSessions.all), .unavailable(.keychain(status: errSecInteractionNotAllowed)),
            .unavailable(.sealingKey(.locked, source: "keychain")),
        ]
        // More than the calls of one read.
        for point in 1...10 {
            let place = KeychainPlace(layout)
            try await place.again().put(try SampleSessions.all)
            let texts = place.texts
            place.shim.hidesWhatIsLocked = true
            place.shim.lock = before
            place.isProtectedDataAvailable.value = before == .unlocked
            let calls = Shared(0)
            place.shim.afterCall { _ in
                let number = calls.change { count in
                    count += 1
                    return count
                }
                guard number == point else { return }
                place.shim.lock = before == .unlocked ? .locked : .unlocked
                place.isProtectedDataAvailable.value = before != .unlocked
            }
            let store = try place.again()
            let answer = await store.read()
            #expect(answers.contains(answer), "after call \(point): \(answer)")
            place.shim.afterCall(nil)
            place.shim.lock = .unlocked
            place.isProtectedDataAvailable.value = true
            #expect(place.texts == texts, "after call \(point)")
            #expect(await store.read() == .found(try SampleSessions.all), "after call \(point)")
        }
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
}
