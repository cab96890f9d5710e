import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct EndedSessionTests {
    private let world: World

    init() throws { world = try World.vici() }

    @Test func `refuses the tokens of a session that was ended, at once`() async throws {
        let tokens = try await world.registered().tokens
        let session = try #require(try await world.session(of: tokens))
        try await world.use(tokens)
        try await world.administration.revokeSession(session.id.text)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
    }

    @Test func `refuses the tokens of an account that was disabled, at once`() async throws {
        let tokens = try await world.registered().tokens
        try await world.use(tokens)
        _ = try await world.administration.setActive(false, ada)
        await #expect(throws: AuthError.accountDisabled) { try await world.use(tokens) }
        await #expect(throws: AuthError.accountDisabled) { try await world.refresh(tokens) }
    }

    @Test func `does not revive the sessions of an account that is enabled again`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.administration.setActive(false, ada)
        _ = try await world.administration.setActive(true, ada)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenRevoked) { try await world.refresh(tokens) }
    }

    @Test func `refuses the tokens of an account that was deleted, at once`() async throws {
        let tokens = try await world.registered().tokens
        try await world.use(tokens)
        _ = try await world.engine.perform(
            DeleteAccount(accessToken: tokens.accessToken, password: Secret(goodPassword)))
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
        await #expect(throws: AuthError.refreshTokenInvalid) { try await world.refresh(tokens) }
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
    }

    @Test func `deletes no account for a wrong password`() async throws {
        let tokens = try await world.registered().tokens
        await #expect(throws: AuthError.wrongCredentials) {
            try await world.engine.perform(
                DeleteAccount(accessToken: tokens.accessToken, password: Secret(otherPassword)))
        }
        try await world.use(tokens)
    }

    @Test func `deletes no account whose password changes while the old one is checked`() async throws {
        let world = world
        let tokens = try await world.registered().tokens
        world.store.interrupt("delete") {
            _ = try await world.engine.perform(
                ChangePassword(
                    accessToken: tokens.accessToken, currentPassword: Secret(goodPassword),
                    newPassword: Secret(otherPassword)))
        }
        await #expect(throws: AuthError.wrongCredentials) {
            try await world.engine.perform(
                DeleteAccount(accessToken: tokens.accessToken, password: Secret(goodPassword)))
        }
        _ = try await world.signIn(password: otherPassword)
    }

    @Test func `refuses a refresh token as access token, and what is none`() async throws {
        let tokens = try await world.registered().tokens
        for token in [tokens.refreshToken ?? Secret(""), Secret(""), Secret("access-99"), Secret("x")] {
            await #expect(throws: AuthError.invalidAccessToken) {
                try await world.engine.perform(CurrentUser(accessToken: token))
            }
        }
    }

    @Test func `refuses the access token of another app's session`() async throws {
        let tokens = try await world.registered().tokens
        let other = try World("clarity", .clarity, sharing: world)
        let stolen = try await other.accessTokens.issue(
            try #require(world.accessTokens.grant(tokens.accessToken)))
        await #expect(throws: AuthError.invalidAccessToken) {
            try await other.engine.perform(CurrentUser(accessToken: stolen))
        }
    }
}
