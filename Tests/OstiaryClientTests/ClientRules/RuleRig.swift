import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting

/// An app of one contract with its server, and a network and a store that do as the test says.
struct RuleRig {
    let server: TestServer
    let network: ScriptedTransport
    let store = TestStore()
    let client: AuthClient

    static let password = "correct horse 7 battery"

    /// - Parameter skippingSleeps: Sleeps of up to that long move the clock by themselves.
    init(
        _ contract: Contract, rules: TestServerRules = .standard, baseURL: String? = nil,
        skippingSleeps: Duration = .seconds(10), adjust: (inout ClientOptions) -> Void = { _ in }
    ) throws {
        server = try TestServer(
            contract, rules: rules, clock: TestClock(skippingSleeps: skippingSleeps), baseURL: baseURL)
        network = ScriptedTransport(server)
        client = try server.client(store: store, over: network, adjust: adjust)
    }

    /// The app as it is started again on the same device.
    func restarted() throws -> AuthClient { try server.client(store: store, over: network) }

    /// Jo has an account, and signs in.
    func signIn() async throws {
        switch server.contract.rules.identifier {
        case .email:
            try server.addAccount(email: "jo@example.com", password: Self.password, fullName: "Jo")
            try await client.signIn(email: "jo@example.com", password: Self.password)
        case .phoneNumber:
            try server.addAccount(phoneNumber: "+15551234567", password: Self.password)
            try await client.signIn(phoneNumber: "+15551234567", password: Self.password)
        case .username:
            try server.addAccount(email: "jo@example.com", username: "jo", password: Self.password)
            try await client.signIn(username: "jo", password: Self.password)
        case .subject:
            try await client.signInWithBrowser(using: OstiaryTesting.ScriptedBrowser(server))
        }
    }

    /// Nothing is left of a session: not stored, not in memory, and nobody is shown.
    var isCleared: Bool {
        store.saved.currentSession == nil && !client.isAuthenticated && client.currentUser == nil
            && !client.hasValidToken
    }
}

extension AsyncStream where Element: Sendable {
    /// The first that is as the test wants it.
    func first(_ condition: (Element) -> Bool) async -> Element? {
        for await element in self where condition(element) { return element }
        return nil
    }
}
