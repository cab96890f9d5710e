import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// What an app had stored before it had this client.
struct BroughtAlongTests {
    @Test func `tokens of a hand-written manager come along`() async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        server.route("GET", "/projects") { _ in .json(#"["Ostiary"]"#) }
        let call = SignIn(
            identifier: .email(try EmailAddress("jo@example.com")), password: Secret("correct horse 7 battery"))
        let old = try await server.remote().perform(call).tokens
        let session = ClientSession(
            id: ClientSession.ID(rawValue: "brought along"), contract: "vici", baseURL: server.baseURL, accountID: nil,
            label: "", accessToken: old.accessToken, refreshToken: old.refreshToken, issuedAt: server.clock.now,
            expiresAt: nil)
        let store = TestStore()
        try await store.change { saved in
            saved.sessions.append(session)
            saved.current = session.id
        }
        server.clock.advance(by: .seconds(3600))

        let auth = try server.client(store: store)
        let projects: [String] = try await auth.get("/projects")
        #expect(projects == ["Ostiary"])
        #expect(server.count(of: .refresh) == 1)
        #expect(try await auth.refreshUser().email?.text == "jo@example.com")
        #expect(server.count(of: .refresh) == 1)
    }
}
