import OstiaryCore
@testable import OstiaryEngine
import Testing

/// New passwords that are known from breaches.
@Suite struct CompromisedPasswordTests {
    private struct Known: CompromisedPasswords {
        func contains(_ password: Secret<String>) async -> Bool { password.reveal() == "known from a breach" }
    }

    private let world: World
    private static let known = "known from a breach"

    init() throws { world = try World("vici", .vici, compromisedPasswords: Known()) }

    @Test func `a registration refuses one`() async throws {
        #expect(
            await refusal { try await world.registered(password: Self.known) } == .invalid(.password, .compromised))
        try await world.registered()
    }

    @Test func `a change of the password refuses one`() async throws {
        let tokens = try await world.registered().tokens
        let change = ChangePassword(
            accessToken: tokens.accessToken, currentPassword: Secret(goodPassword), newPassword: Secret(Self.known))
        #expect(await refusal { try await world.engine.perform(change) } == .invalid(.newPassword, .compromised))
        _ = try await world.signIn()
    }

    @Test func `an administrator cannot set one`() async throws {
        try await world.registered()
        let refused = AdministrationProblem.invalid(
            "password", "compromised", "the password is not acceptable: compromised")
        await #expect(throws: refused) { _ = try await world.administration.setPassword(Secret(Self.known), of: ada) }
    }

    @Test func `an existing password still signs in`() async throws {
        let before = try World.vici()
        try await before.registered(password: Self.known)
        let after = try World("vici", .vici, sharing: before, compromisedPasswords: Known())
        _ = try await after.signIn(password: Self.known)
    }
}
