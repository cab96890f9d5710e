import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting

@testable import OstiaryProvider

extension World {
    /// The time in whole seconds since 1970.
    var seconds: Int { Int(clock.now.timeIntervalSince1970) }

    /// Adds an authenticator app to the account of a session.
    func enrol(
        _ cookie: Secret<String>
    ) async throws -> (authenticator: TestAuthenticator, codes: [Secret<String>]) {
        let engine = provider.engine.serving(caller)
        let pending = try await engine.perform(BeginTOTP(accessToken: cookie))
        guard let authenticator = TestAuthenticator(uri: pending.uri.reveal()) else { throw Missing() }
        let codes = try await engine.perform(
            ConfirmTOTP(
                accessToken: cookie, factorID: pending.factorID,
                code: try OneTimeCode(authenticator.code(at: clock.now)))
        ).added?.codes
        return (authenticator, codes ?? [])
    }

    /// Signs a registered person in with the answers to the challenge; returns the value of the session's cookie.
    func signIn(
        _ email: String = "ada@example.com", answering answers: (Challenge) throws -> [String: Secret<String>]
    ) async throws -> Secret<String> {
        let engine = provider.engine.serving(caller)
        do {
            _ = try await engine.perform(
                SignIn(identifier: .email(EmailAddress(email)), password: Secret(Self.password)))
            throw Missing()
        } catch AuthError.challengeRequired(let challenge) {
            return try await engine.perform(
                AnswerChallenge(challengeToken: challenge.token, answers: try answers(challenge))
            ).tokens.accessToken
        }
    }

    /// Signs a registered person in with an authenticator app, whose code is typed after a time.
    func signIn(with authenticator: TestAuthenticator, after time: Duration) async throws -> Secret<String> {
        try await signIn { _ in
            clock.advance(by: time)
            return ["totp": Secret(authenticator.code(at: clock.now))]
        }
    }

    /// Returns a session of one factor, of an account that has two.
    func personAtFirstLevel() async throws -> (cookie: Secret<String>, authenticator: TestAuthenticator) {
        let person = try await enrol(try await self.person())
        clock.advance(by: .seconds(60))
        let cookie = try await signIn { _ in ["recovery_code": person.codes[0]] }
        return (cookie, person.authenticator)
    }

    /// Answers a challenge with an authenticator app; returns the value of the session's new cookie.
    func answer(
        _ challenge: Challenge, with authenticator: TestAuthenticator, session: Secret<String>
    ) async throws -> Secret<String> {
        try await provider.engine.serving(caller).perform(
            AnswerChallenge(
                challengeToken: challenge.token, answers: ["totp": Secret(authenticator.code(at: clock.now))],
                accessToken: session)
        ).tokens.accessToken
    }

    enum Answer {
        case challenge(String, Secret<String>)
    }

    /// Registers a person where a second factor is required; returns the challenge.
    func registration() async -> Answer? {
        do {
            _ = try await person()
            return nil
        } catch AuthError.challengeRequired(let challenge) {
            return .challenge(challenge.name, challenge.token)
        } catch {
            return nil
        }
    }

    /// Adds the factor that a sign-in requires, and signs in again with a recovery code.
    func recovered(after token: Secret<String>) async throws -> Secret<String> {
        let engine = provider.engine.serving(caller)
        let pending = try await engine.perform(BeginTOTP(accessToken: token))
        guard let authenticator = TestAuthenticator(uri: pending.uri.reveal()) else { throw Missing() }
        let confirmation = try await engine.perform(
            ConfirmTOTP(
                accessToken: token, factorID: pending.factorID,
                code: try OneTimeCode(authenticator.code(at: clock.now))))
        guard case .signedIn(_, let codes?) = confirmation else { throw Missing() }
        return try await signIn { _ in ["recovery_code": codes[0]] }
    }

    /// Returns the refusal of a session that is not recent enough for any operation.
    func refusal(ofStepUp session: Secret<String>) async -> AuthError? {
        do throws(AuthError) {
            _ = try await provider.engine.serving(caller).perform(
                StepUp(accessToken: session, maximumAgeSeconds: 300))
            return nil
        } catch {
            return error
        }
    }
}
