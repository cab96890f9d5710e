import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting

extension World {
    /// An authenticator app that shares its secret with the server.
    struct Authenticator: Sendable {
        var id: FactorID
        var secret: [UInt8]

        /// Returns the code that the app shows, `steps` time steps from now.
        func code(_ world: World, _ steps: Int64 = 0) -> String {
            TOTP(secret: secret).code(at: TOTP.step(at: world.clock.now) + steps)
        }
    }

    /// Adds an authenticator app to the account of a session, with the code of the current time step.
    func enrolled(_ tokens: Tokens) async throws -> (app: Authenticator, codes: [Secret<String>]?) {
        let pending = try await engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        let app = Authenticator(id: pending.factorID, secret: try secret(in: pending))
        let answer = try await engine.perform(
            ConfirmTOTP(
                accessToken: tokens.accessToken, factorID: app.id, code: OneTimeCode(app.code(self)), name: nil))
        return (app, answer.added?.codes)
    }

    /// The secret that an authenticator app reads from the answer.
    func secret(in pending: PendingTOTP) throws -> [UInt8] {
        guard let secret = Base32.decode(pending.secret.reveal()) else { throw NothingCame() }
        return secret
    }

    /// Signs in with the password, and returns the challenge that answers.
    func challenged(password: String = goodPassword) async throws -> Challenge {
        guard case .challengeRequired(let challenge) = await refusal(of: { try await signIn(password: password) })
        else {
            throw NothingCame()
        }
        return challenge
    }

    @discardableResult
    func answer(
        _ challenge: Challenge, _ method: ChallengeMethod, _ text: String, _ tokens: Tokens? = nil,
        remembering: Bool = false
    ) async throws -> SignedIn {
        try await engine.perform(
            AnswerChallenge(
                challengeToken: challenge.token, answers: [method.rawValue: Secret(text)],
                rememberDevice: remembering, accessToken: tokens?.accessToken))
    }

    /// Moves the clock by one time step, so that the next code is a new one.
    func advanceStep() { clock.advance(by: .seconds(TOTP.stepSeconds)) }
}

extension NotificationContent {
    /// The change of factors that a message is about; nil for other messages.
    var factorChange: FactorChange? { factorNotice?.change }

    /// The content of a message about a change of factors; nil for other messages.
    var factorNotice: FactorChangeNotice? {
        guard case .factorsChanged(let notice) = self else { return nil }
        return notice
    }
}
