import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The check by which a page asks for a further factor before it shows the form of a change.
@Suite struct StepUpCheckTests {
    private let world: World

    init() throws { world = try .vici { $0.limits = .generous } }

    private func methods(_ tokens: Tokens, _ change: ProtectedChange) async throws -> [ChallengeMethod]? {
        do throws(AuthError) {
            try await world.engine.checkStepUp(tokens.accessToken, for: change)
            return nil
        } catch {
            guard case .stepUpRequired(let requirement) = error else { throw error }
            return requirement.challenge?.methods ?? []
        }
    }

    @Test func `a recent session needs nothing more, and an old one its password for factors`() async throws {
        let tokens = try await world.registered().tokens
        #expect(try await methods(tokens, .factors) == nil)
        #expect(try await methods(tokens, .password) == nil)
        world.clock.advance(by: .seconds(301))
        #expect(try await methods(tokens, .factors) == [.password])
        // The request for the change has the password with it.
        #expect(try await methods(tokens, .password) == nil)
    }

    @Test func `an account with a factor needs both kinds, and a recovery code only for factors`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.enrolled(tokens)
        #expect(try await methods(tokens, .factors) == nil)
        world.clock.advance(by: .seconds(301))
        #expect(try await methods(tokens, .factors) == [.password, .totp, .recoveryCode])
        #expect(try await methods(tokens, .password) == [.totp])
    }

    @Test func `a session that has ended, and an app without factors, are refused`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.engine.perform(SignOut(accessToken: tokens.accessToken))
        for change in [ProtectedChange.factors, .password] {
            await #expect(throws: AuthError.sessionRevoked) { try await methods(tokens, change) }
        }
        let plain = try World.vici { $0.secondFactor.requirement = .off }
        let signedIn = try await plain.registered().tokens
        await #expect(throws: AuthError.notFound) {
            try await plain.engine.checkStepUp(signedIn.accessToken, for: .factors)
        }
        try await plain.engine.checkStepUp(signedIn.accessToken, for: .password)
    }
}
