import Foundation
import LocalAuthentication
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Security
import Testing

@testable import OstiaryClient

struct KeychainBindingTests {
    private let place = KeychainPlace(.bound)

    private func client(_ store: KeychainSessionStore) throws -> AuthClient {
        // A clock that stands still, so that the client does not read the store again by itself.
        let transport = ScriptedTransport { _ throws(TransportError) in throw .offline }
        var options = ClientOptions(
            store: store, transport: .custom(transport), system: TestClock().system)
        options.log = .silent
        return try AuthClient(
            contract: .clarity, baseURL: try #require(URL(string: SampleSessions.baseURL.text)), options: options)
    }

    private func stored() async throws {
        try await place.again().put(try SampleSessions.all)
        #expect(place.device.prompts == 0)
    }

    @Test func `seals what it keeps, and asks nobody to begin with`() async throws {
        try await stored()
        let key = "\(try place.again().account) key"
        #expect(Set(place.shim.accounts) == [try place.again().account, key])
        #expect(place.shim.protection(account: key) == "accessControl")
        for text in place.texts.values {
            for secret in ["token", "5551234567", "admin"] { #expect(!text.contains(secret)) }
        }
    }

    @Test func `asks the person once in a run, by one prompt, and says why`() async throws {
        try await stored()
        let store = try place.again()
        #expect(await store.read() == .found(try SampleSessions.all))
        try await store.change { $0.deviceID = "device-1" }
        #expect(await store.found?.deviceID == "device-1")
        #expect(place.device.shim.asked.map(\.reason) == ["Open your notes"])
        // The keychain accepted the earlier authentication.
        #expect(place.shim.prompts == 0)
    }

    @Test func `asks with everybody who reads meanwhile`() async throws {
        try await stored()
        let store = try place.again()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = await store.read() } }
        }
        #expect(place.device.prompts == 1)
    }

    @Test(arguments: [
        LAError.Code.userCancel, .authenticationFailed, .userFallback,
    ])
    func `is unavailable when the person says no, and asks again only when the app says so`(
        _ failure: LAError.Code
    ) async throws {
        try await stored()
        let before = place.texts
        place.device.play { $0.failure = failure }
        let binding = place.binding()
        let store = try place.again(binding: binding)
        let locked = StoreProblem.sealingKey(.locked, source: "keychain")
        for _ in 0..<5 { #expect(await store.read() == .unavailable(locked)) }
        await #expect(throws: locked) { try await store.put(.none) }
        #expect(place.device.prompts == 1 && binding.isRefused)
        #expect(place.texts == before)

        place.device.play { $0.failure = nil }
        binding.retry()
        #expect(await store.read() == .found(try SampleSessions.all))
        #expect(place.device.prompts == 2)
    }

    @Test(arguments: [LAError.Code.systemCancel, .appCancel, .notInteractive, .biometryLockout])
    func `does not take a prompt that the system took away for a no`(_ failure: LAError.Code) async throws {
        try await stored()
        place.device.play { $0.failure = failure }
        let binding = place.binding()
        let store = try place.again(binding: binding)
        #expect(await store.read() == .unavailable(.sealingKey(.locked, source: "keychain")))
        #expect(!binding.isRefused)
        place.device.play { $0.failure = nil }
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `asks again, once, when the app comes to the front, or the person wants to unlock`() async throws {
        try await stored()
        place.device.play { $0.failure = .userCancel }
        let client = try client(try place.again())
        await client.keeper.start()
        #expect(client.state == .unknown && place.device.prompts == 1)
        // The prompt itself made the app inactive and active again.
        await client.willEnterForeground()
        #expect(place.device.prompts == 1)

        client.didEnterBackground()
        await client.keeper.resume()
        #expect(place.device.prompts == 1)
        for _ in 0..<3 { await client.willEnterForeground() }
        #expect(client.state == .unknown && place.device.prompts == 2)

        await #expect(throws: ClientError.locked) { try await client.unlock("r") }
        #expect(place.device.prompts == 3)
        place.device.play { $0.failure = nil }
        try await client.unlock("r")
        #expect(client.isAuthenticated && place.device.prompts == 4)
    }

    @Test func `a key that a locked device does not show is not gone`() async throws {
        try await stored()
        let before = place.texts
        place.shim.lock = .locked
        place.shim.hidesWhatIsLocked = true
        place.isProtectedDataAvailable.value = false
        let store = try place.again()
        #expect(await store.read() == .unavailable(.sealingKey(.locked, source: "keychain")))
        place.shim.lock = .unlocked
        place.isProtectedDataAvailable.value = true
        #expect(place.texts == before)
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `says something general where the app gives no reason`() async throws {
        try await stored()
        let binding = KeychainBinding(reason: "") { [device = place.device] in device.prompt() }
        #expect(await (try place.again(binding: binding)).read() == .found(try SampleSessions.all))
        #expect(place.device.shim.asked.map(\.reason) == [DevicePrompt.generalReason])
    }

    @Test(arguments: [errSecItemNotFound, errSecAuthFailed])
    func `is lost with the faces it was bound to, once and for all`(_ status: OSStatus) async throws {
        try await stored()
        place.shim.enrolment = Data([2])
        place.shim.statusOfInvalidated = status
        let store = try place.again()
        #expect(await store.read() == .unavailable(.enrolmentChanged))
        #expect(await store.read() == .absent)
        #expect(place.device.prompts == 1)
        #expect(place.shim.accounts.contains("\(store.account).damaged-1"))
        // The next person starts anew.
        try await store.put(try SampleSessions.all)
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
    }

    @Test(arguments: [LAError.Code.biometryNotEnrolled, .passcodeNotSet])
    func `is lost when the device knows nobody any more, without a question`(_ code: LAError.Code) async throws {
        try await stored()
        place.device.play { $0.unavailable = code }
        #expect(await (try place.again()).read() == .unavailable(.enrolmentChanged))
        #expect(place.device.prompts == 0)
    }

    @Test(arguments: [(LAError.Code.biometryLockout, SealingKeyProblem.locked), (.biometryNotAvailable, .unreachable)])
    func `waits while nobody can be asked`(_ code: LAError.Code, _ problem: SealingKeyProblem) async throws {
        try await stored()
        place.device.play { $0.unavailable = code }
        let store = try place.again()
        #expect(await store.read() == .unavailable(.sealingKey(problem, source: "keychain")))
        place.device.play { $0.unavailable = nil }
        #expect(await store.read() == .found(try SampleSessions.all))
    }

    @Test func `a changed enrolment signs out with its reason, and does not ask again`() async throws {
        try await stored()
        place.shim.enrolment = Data([2])
        let client = try client(try place.again())
        var states = client.states.makeAsyncIterator()
        while let state = await states.next() {
            guard state != .unknown else { continue }
            #expect(state == .signedOut(.notRecognised(.enrolmentChanged)))
            break
        }
        await client.keeper.resume()
        #expect(client.state == .signedOut(.notRecognised(.enrolmentChanged)))
        #expect(place.device.prompts == 1)
    }

    @Test func `has a key of its own for each session that begins with nothing`() async throws {
        try await stored()
        let store = try place.again()
        try await store.put(.none)
        #expect(place.shim.count == 0)
        try await (try place.again()).put(try SampleSessions.all)
        #expect(place.device.prompts == 1)
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
    }

    @Test func `makes no other key where another process has made one meanwhile`() async throws {
        let key = "\(try place.again().account) key"
        let (one, other) = (place.binding().key(key, in: place.keychain), place.binding().key(key, in: place.keychain))
        _ = try await one.makeKey()
        let made = place.shim.value(account: key)
        await #expect(throws: StoreProblem.busy) { try await other.makeKey() }
        #expect(place.shim.value(account: key) == made)
    }

    @Test func `a session that begins after another process signed out is sealed with a new key`() async throws {
        let (store, other) = (try place.again(), try place.again())
        try await store.put(try SampleSessions.all)
        try await other.put(.none)
        #expect(place.shim.count == 0)
        try await store.put(try SampleSessions.all)
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
    }

    @Test func `a session that another process sealed with another key is not moved aside`() async throws {
        let (store, other) = (try place.again(), try place.again())
        try await store.put(try SampleSessions.all)
        try await other.put(.none)
        try await other.put(try SampleSessions.all)
        #expect(await store.read() == .found(try SampleSessions.all))
        #expect(Set(place.shim.accounts) == [store.account, "\(store.account) key"])
    }

    @Test func `keeps nothing where the device knows nobody`() async throws {
        place.shim.enrolment = Data()
        let problem = StoreProblem.sealingKey(.unreachable, source: "keychain")
        await #expect(throws: problem) { try await place.again().put(try SampleSessions.all) }
        #expect(place.shim.count == 0)
    }

    @Test(arguments: KeychainPlace.Layout.named + [.record])
    func `seals what lay there in the clear, and leaves no token beside it`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        let place = KeychainPlace(layout)
        try await place.again().put(try SampleSessions.all)
        let binding = place.binding()
        #expect(await (try place.again(binding: binding)).read() == .found(try SampleSessions.all))
        let store = try place.again(binding: binding)
        try await store.change { $0.deviceID = "device-1" }
        #expect(Set(place.shim.accounts) == [store.account, "\(store.account) key"])
        for text in place.texts.values { #expect(!text.contains("access/token")) }
        #expect(await store.found?.sessions == (try SampleSessions.all.sessions))
    }

    @Test func `says that a key is missing to a store that is not bound`() async throws {
        try await stored()
        let before = place.texts
        let store = KeychainSessionStore(
            contract: SampleSessions.contract, rules: place.rules, baseURL: try SampleSessions.baseURL)
        #expect(await store.read() == .unavailable(.sealingKey(.missing, source: "keychain")))
        #expect(place.texts == before)
    }

    @Test(arguments: KeychainPlace.Layout.named + [.record])
    func `stops being bound as the guide says`(_ layout: KeychainPlace.Layout) async throws {
        let place = KeychainPlace(layout)
        try await place.again(binding: place.binding()).put(try SampleSessions.all)
        let store = try place.again()
        #expect(await store.read() == .unavailable(.sealingKey(.missing, source: "keychain")))
        let bound = try place.again(binding: place.binding())
        let saved = try #require(await bound.found)
        try await bound.change { $0 = .none }
        try await store.change { $0 = saved }
        #expect(await (try place.again()).read() == .found(try SampleSessions.all))
        #expect(place.device.prompts == 1 && place.texts.keys.allSatisfy { !$0.hasSuffix(" key") })
    }
}
