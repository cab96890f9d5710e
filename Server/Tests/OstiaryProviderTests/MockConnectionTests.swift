import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryProvider

@Suite struct MockConnectionTests {
    @Test func `a played service asks for a name, and the code is then for that person as Auth0 would name them`()
        async throws
    {
        let world = try await World { $0.mocksConnections = true }
        let change = ["connection": "google-oauth2"]
        guard case .mockSignIn(let request, let connection) = try await world.step(change) else {
            Issue.record("nobody was asked for a name")
            return
        }
        #expect(connection == "google-oauth2")
        let cookie = try await enter(world)
        let again = parameters("https://x.example/?" + request.query)
        let url = try #require(redirect(try await world.step(again, session: cookie)))
        let answer = try await world.redeem(try #require(parameters(url)["code"]))
        let claims = try claims(answer.idToken)
        let subject = text(claims["sub"])
        #expect(subject.hasPrefix("google-oauth2|") && subject.utf8.count == "google-oauth2|".utf8.count + 20)
        #expect(claims["email"] == "grace@example.com" && claims["email_verified"] == true)
        #expect(claims["name"] == "Grace Hopper")
    }

    @Test func `the same address is the same person, at another service another`() async throws {
        let world = try await World { $0.mocksConnections = true }
        let one = try await world.account(try await enter(world))
        let same = try await world.account(try await enter(world, "GRACE@example.com"))
        let other = try await world.account(try await enter(world, at: "github"))
        #expect(one.id == same.id && one.id != other.id)
        #expect(other.provider == "github" && one.provider == "google-oauth2")
    }

    @Test func `somebody with a password of their own is never the one who is played`() async throws {
        let world = try await World { $0.mocksConnections = true }
        let own = try await world.account(try await world.person("grace@example.com"))
        let played = try await world.account(try await enter(world))
        #expect(own.id != played.id)
    }

    @Test func `a session from elsewhere does not answer for a service`() async throws {
        let world = try await World { $0.mocksConnections = true }
        let cookie = try await world.person()
        guard case .mockSignIn = try await world.step(["connection": "github"], session: cookie) else {
            Issue.record("nobody was asked for a name")
            return
        }
    }

    @Test func `a service that is not played is refused, and outside development none is`() async throws {
        let world = try await World { $0.mocksConnections = true }
        let url = try #require(redirect(try await world.step(["connection": "facebook"])))
        #expect(parameters(url)["error"] == "invalid_request")
        await #expect(throws: AuthError.notConfigured) { try await enter(world, at: "facebook") }
        await #expect(throws: AuthError.notConfigured) { try await enter(try await World()) }
    }

    private func enter(
        _ world: World, _ email: String = "grace@example.com", at connection: String = "google-oauth2"
    ) async throws -> Secret<String> {
        try await world.provider.mockSignIn(
            as: PersonName("Grace Hopper"), EmailAddress(email), at: connection, from: world.caller
        ).tokens.accessToken
    }
}
