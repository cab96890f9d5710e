import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Security
import Testing

@testable import OstiaryClient

/// Tests of Apple's keychain with the queries of ``KeychainSessionStore``.
@Suite(.serialized) struct RealKeychainTests {
    #if os(macOS)
    @Test func `refuses a program that is not signed with the entitlement, with -34018`() async throws {
        let store = KeychainSessionStore(contract: .vici, baseURL: try BaseURL("https://real.example.com/vici"))
        #expect(await store.read() == .unavailable(.keychain(status: errSecMissingEntitlement)))
    }
    #else
    @Test func `holds a session between runs, and loses it with a sign-out`() async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        let baseURL = try BaseURL("https://real.example.com/vici")
        let auth = try server.client(store: KeychainSessionStore(contract: .vici, baseURL: baseURL))
        try await auth.signIn(email: "jo@example.com", password: "correct horse 7 battery")

        // Another store on the same items, as the next run has.
        guard case .found(let saved) = await KeychainSessionStore(contract: .vici, baseURL: baseURL).read() else {
            Issue.record("the keychain has no session")
            return
        }
        #expect(saved.currentSession != nil)

        _ = try await auth.signOut()
        if case .found(let saved) = await KeychainSessionStore(contract: .vici, baseURL: baseURL).read() {
            #expect(saved.currentSession == nil)
        }
    }

    @Test func `tells two that write at once apart`() async throws {
        let service = "real.\(UUID().uuidString)"
        let keychain = Keychain(service: service, accessGroup: nil, accessible: .afterFirstUnlock, thisDeviceOnly: true)
        #expect(try keychain.item("one") == nil)
        #expect(try keychain.write([1], to: "one", over: nil) != nil)
        #expect(try keychain.write([2], to: "one", over: nil) == nil, "an item is there")
        let item = try #require(try keychain.item("one"))
        #expect(item.value == [1])
        #expect(item.isOwn)
        #expect(item.isProtected)
        #expect(try keychain.write([3], to: "one", over: item) != nil)
        #expect(try keychain.write([4], to: "one", over: item) == nil, "another generation is there")
        #expect(try !keychain.remove("one", over: item))
        #expect(try keychain.remove("one", over: try #require(try keychain.item("one"))))
        #expect(try keychain.item("one") == nil)
    }
    #endif
}
