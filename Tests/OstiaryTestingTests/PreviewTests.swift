import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// Clients for previews and demo modes.
struct PreviewTests {
    private let account = PreviewAccount.ada

    @Test(arguments: Contract.presets.filter { $0.rules.identifier != .subject }.map(\.name))
    func `signs the account in without a server elsewhere`(_ name: String) async throws {
        let contract = try #require(Contract.preset(name))
        let auth = try AuthClient.preview(contract)
        switch contract.rules.identifier {
        case .phoneNumber: try await auth.signIn(phoneNumber: account.phoneNumber, password: account.password)
        case .username: try await auth.signIn(username: account.email, password: account.password)
        case .email, .subject: try await auth.signIn(email: account.email, password: account.password)
        }
        #expect(auth.isAuthenticated)
        try await auth.refreshUser()
    }

    @Test func `refuses a wrong password as a server does`() async throws {
        let auth = try AuthClient.preview(.vici)
        await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await auth.signIn(email: account.email, password: "another password")
        }
    }

    @Test func `signs a person in whose contract sends them to a browser`() async throws {
        let server = try TestServer.preview(.timetracker)
        let auth = try server.client()
        try await auth.signInWithBrowser(using: ScriptedBrowser(server))
        #expect(auth.isAuthenticated)
    }

    @Test func `knows its own account only`() async throws {
        let own = PreviewAccount(email: "grace@example.com", phoneNumber: "+15551230000", password: "a demo of the app")
        let auth = try AuthClient.preview(.vici, account: own)
        await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await auth.signIn(email: account.email, password: account.password)
        }
        try await auth.signIn(email: own.email, password: own.password)
    }
}
