import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryEngine

/// One password that is tried for many accounts.
@Suite struct PasswordSprayingTests {
    private let world: World
    private static let home = "192.0.2.1"
    private static let sprayed = "sprayed horse battery"

    init() throws { world = try World.vici { $0.limits = .generous } }

    private func signIn(_ email: String, password: String = sprayed, from network: String) async -> AuthError? {
        await refusal {
            try await world.engine.serving(Caller(address: network, network: network)).perform(
                SignIn(identifier: .email(EmailAddress(email)), password: Secret(password)))
        }
    }

    /// Tries the password for so many accounts, each from a network of its own.
    private func spray(_ count: Int = 30, password: String = sprayed) async {
        for index in 0..<count {
            let refusal = await signIn(
                "person-\(index)@example.com", password: password, from: "198.51.\(index).1")
            #expect(refusal == .wrongCredentials)
        }
    }

    private func register(_ email: String = ada, password: String = sprayed) async throws {
        _ = try await world.engine.serving(Caller(network: Self.home)).perform(
            Register(email: EmailAddress(email), password: Secret(password)))
    }

    @Test func `RL-09 MA-08: refuses a password that failed for thirty accounts, as if it were wrong`() async throws {
        try await register()
        await spray()
        let before = world.hasher.checks
        #expect(await signIn(ada, from: "203.0.113.1") == .wrongCredentials)
        #expect(world.hasher.checks == before + 1)
        #expect(await signIn("nobody@example.com", from: "203.0.113.1") == .wrongCredentials)
        #expect(world.hasher.checks == before + 2)
    }

    @Test func `RL-09 MA-08: accepts it for thirty accounts`() async throws {
        try await register()
        await spray(29)
        #expect(await signIn(ada, from: "203.0.113.1") == nil)
    }

    @Test func `MA-09: accepts it from a network that the account knows`() async throws {
        try await register()
        await spray()
        #expect(await signIn(ada, from: Self.home) == nil)
    }

    @Test func `MA-09: accepts other passwords`() async throws {
        try await register(password: goodPassword)
        await spray()
        #expect(await signIn(ada, password: goodPassword, from: "203.0.113.1") == nil)
    }

    @Test func `MA-08: counts an account once, and accounts that do not exist too`() async throws {
        try await register()
        for index in 0..<60 { _ = await signIn("nobody@example.com", from: "198.51.\(index).1") }
        #expect(await signIn(ada, from: "203.0.113.1") == nil)
    }

    @Test func `MA-08: forgets after an hour`() async throws {
        try await register()
        await spray()
        world.clock.advance(by: .seconds(3600))
        #expect(await signIn(ada, from: "203.0.113.1") == nil)
    }

    @Test func `MA-10: audits an attack once a minute and network, and counts every refusal`() async throws {
        await spray()
        for _ in 0..<3 { _ = await signIn(ada, from: "203.0.113.1") }
        let events = try await world.events().filter { $0.action == "detectAttack" }
        #expect(events.map(\.outcome) == ["password_spraying"])
        #expect(world.engine.ports.attackCounts.count(.passwordSpraying) == 3)
    }

    @Test func `MA-11: writes nothing about a password to the store`() async {
        let before = world.store.calls.count
        _ = await signIn(ada, from: "203.0.113.1")
        let first = Array(world.store.calls.dropFirst(before))
        await spray(30)
        let after = world.store.calls.count
        _ = await signIn(ada, from: "203.0.113.1")
        // The attempt itself is counted; the network's identifier was counted the first time.
        #expect(Set(world.store.calls.dropFirst(after)).isSubset(of: Set(first + ["append"])))
    }
}
