import OstiaryCore
import OstiaryEngine
import Testing

/// The comparison of an access token's subject with its session's account.
@Suite struct TokenSubjectTests {
    @Test(arguments: ["", "another", "ADA"])
    func `PT-15: refuses a token that names another account than its session's`(subject: String) async throws {
        let world = try World.vici()
        let tokens = try await world.registered().tokens
        var grant = try #require(world.accessTokens.grant(tokens.accessToken))
        grant.subject = subject
        let forged = Tokens(
            accessToken: try await world.accessTokens.issue(grant), expiresIn: nil, refreshToken: nil)
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(forged) }
        _ = try await world.engine.perform(SignOut(accessToken: forged.accessToken))
        try await world.use(tokens)
    }

    @Test func `PT-15: refuses a name that only looks the same`() async throws {
        let world = try World.viewvault()
        let tokens = try await world.engine.perform(
            Register(email: EmailAddress(ada), username: Username("caf\u{e9}"), password: Secret(goodPassword))
        ).tokens
        var grant = try #require(world.accessTokens.grant(tokens.accessToken))
        #expect(grant.subject.utf8.elementsEqual("caf\u{e9}".utf8))
        grant.subject = "cafe\u{301}"
        let forged = Tokens(
            accessToken: try await world.accessTokens.issue(grant), expiresIn: nil, refreshToken: nil)
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(forged) }
    }
}
