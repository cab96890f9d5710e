import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// A next step that an external credential provider asks for.
@Suite struct ChallengeTests {
    private let credentialProvider: ScriptedCredentialProvider
    private let world: World
    private static let step = CredentialProviderStep(
        name: "NEW_PASSWORD_REQUIRED", session: "their session", username: ada, lifetimeSeconds: 180)
    private static let secondFactor = CredentialProviderStep(
        name: "SOFTWARE_TOKEN_MFA", session: "their next", username: ada, lifetimeSeconds: 60)

    init() throws { self = try Self(migrating: false) }

    private init(migrating: Bool, _ change: (inout AppSettings) -> Void = { _ in }) throws {
        credentialProvider = ScriptedCredentialProvider(migratesPasswords: migrating)
        world = try .delegating(to: credentialProvider, change)
        credentialProvider.ask(for: Self.step)
    }

    private func challenge(rememberMe: Bool = false) async throws -> Challenge {
        let refusal = await refusal { try await world.signIn(rememberMe: rememberMe) }
        guard case .challengeRequired(let challenge) = refusal else { throw World.NothingCame() }
        return challenge
    }

    private func reply(
        _ token: Secret<String>, _ text: String = otherPassword, to name: String = "NEW_PASSWORD"
    ) async throws -> SignedIn {
        try await world.engine.perform(
            AnswerChallenge(challengeToken: token, answers: [name: Secret(text)]))
    }

    @Test func `asks for the next step and signs in with the answer`() async throws {
        let challenge = try await challenge()
        #expect(challenge.name == "NEW_PASSWORD_REQUIRED")
        let answer = try await reply(challenge.token)
        #expect(try await world.use(answer.tokens) == answer.user)
        #expect(credentialProvider.answers == [["NEW_PASSWORD": Secret(otherPassword)]])
        #expect(try await world.events().map(\.action) == ["signIn", "answerChallenge"])
    }

    @Test func `opens no session before the answer`() async throws {
        _ = try await challenge()
        #expect(!world.store.calls.contains("addSession"))
        #expect(!world.store.calls.contains("accountOfUpsert"))
    }

    @Test func `remembers what the sign-in asked for`() async throws {
        let device = DeviceInfo(deviceID: "d1", platform: "iOS")
        let refused = await refusal {
            try await world.engine.perform(
                SignIn(
                    identifier: .email(EmailAddress(ada)), password: Secret(goodPassword), rememberMe: true,
                    device: device))
        }
        guard case .challengeRequired(let challenge) = refused else { throw World.NothingCame() }
        let session = try await world.session(of: reply(challenge.token).tokens)
        #expect(session?.idleSeconds == 2_592_000)
        #expect(session?.device == device)
    }

    @Test func `says nothing in the token that anybody can read`() async throws {
        let token = try await challenge().token.reveal()
        let bytes = try #require(Base64URL.decode(token.utf8))
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in ["their session", ada, "NEW_PASSWORD"] { #expect(!text.contains(secret)) }
    }

    @Test(arguments: [(179.0, true), (180, false), (181, false)])
    func `takes an answer in time`(seconds: Double, isTaken: Bool) async throws {
        let token = try await challenge().token
        world.clock.advance(by: .seconds(seconds))
        #expect(await refusal { try await reply(token) } == (isTaken ? nil : .challengeRefused))
    }

    @Test func `refuses a token that is not its own`() async throws {
        let token = try await challenge().token.reveal()
        let first = token.hasPrefix("A") ? "B" : "A"
        for forged in ["", "made up", "\(first)\(token.dropFirst())", token + "A"] {
            await #expect(throws: AuthError.challengeRefused) { try await reply(Secret(forged)) }
        }
        #expect(credentialProvider.answers.isEmpty)
    }

    @Test func `refuses another app's token`() async throws {
        let token = try await challenge().token
        let other = try World(
            "other", .clarity, seed: 2, sharing: world,
            identities: IdentitySources(credentialProvider: credentialProvider))
        await #expect(throws: AuthError.challengeRefused) {
            try await other.engine.perform(
                AnswerChallenge(challengeToken: token, answers: ["NEW_PASSWORD": Secret(otherPassword)]))
        }
    }

    @Test func `takes no answers where nobody asks`() async throws {
        let engine = try World.clarity().engine
        await #expect(throws: AuthError.challengeRefused) {
            try await engine.perform(AnswerChallenge(challengeToken: Secret("x"), answers: [:]))
        }
    }

    @Test func `can ask for one step after another`() async throws {
        credentialProvider.ask(for: Self.step, Self.secondFactor)
        let refused = await refusal { try await reply(try await challenge(rememberMe: true).token) }
        guard case .challengeRequired(let second) = refused else { throw World.NothingCame() }
        #expect(second.name == "SOFTWARE_TOKEN_MFA")
        let answer = try await reply(second.token, "123456", to: "SOFTWARE_TOKEN_MFA_CODE")
        #expect(try await world.session(of: answer.tokens)?.idleSeconds == 2_592_000)
    }

    @Test(arguments: [("wrong", AuthError.wrongCredentials), ("weak", .invalid(.newPassword, .malformed))])
    func `says why an answer was no good, and takes a better one`(text: String, expected: AuthError) async throws {
        let token = try await challenge().token
        #expect(await refusal { try await reply(token, text) } == expected)
        _ = try await reply(token)
    }

    @Test func `does not hand on a new password past all measure`() async throws {
        let token = try await challenge().token
        #expect(
            await refusal { try await reply(token, String(repeating: "a", count: 1_025)) }
                == .invalid(.newPassword, .tooLong(maximum: 1_024)))
        #expect(credentialProvider.answers.isEmpty)
    }

    @Test func `counts answers against the person they are for, from everywhere`() async throws {
        let token = try await challenge().token
        var waits = 0
        for number in 0..<200 {
            let caller = world.engine.serving(Caller(network: "192.0.2.\(number)"))
            let refused = await refusal {
                try await caller.perform(
                    AnswerChallenge(challengeToken: token, answers: ["NEW_PASSWORD": Secret("wrong")]))
            }
            if case .tooManyAttempts = refused { waits += 1 }
        }
        // The sign-in itself, without a network, counted one of ten; many networks together have a hundred.
        #expect(waits >= 100)
        #expect(credentialProvider.answers.count <= 100)
    }

    @Test func `counts answers from one network`() async throws {
        let token = try await challenge().token
        let caller = world.engine.serving(Caller(network: "192.0.2.1"))
        for _ in 0..<20 {
            _ = await refusal {
                try await caller.perform(
                    AnswerChallenge(challengeToken: token, answers: ["NEW_PASSWORD": Secret("wrong")]))
            }
        }
        #expect(credentialProvider.answers.count == 5)
    }

    @Test func `brings the new password here, not the one before`() async throws {
        let test = try Self(migrating: true)
        _ = try await test.reply(test.challenge().token)
        #expect(try await test.world.account()?.passwordHash == "current:\(otherPassword)")
    }

    @Test func `takes no new password for which nobody asked`() async throws {
        let test = try Self(migrating: true)
        test.credentialProvider.ask(for: Self.secondFactor)
        let token = try await test.challenge().token
        _ = try await test.world.engine.perform(
            AnswerChallenge(
                challengeToken: token,
                answers: ["NEW_PASSWORD": Secret(otherPassword), "SOFTWARE_TOKEN_MFA_CODE": Secret("123456")]))
        #expect(test.credentialProvider.answers == [["SOFTWARE_TOKEN_MFA_CODE": Secret("123456")]])
        #expect(try await test.world.account()?.passwordHash == "current:\(goodPassword)")
    }

    @Test func `brings the password here that a second factor followed`() async throws {
        let test = try Self(migrating: true)
        test.credentialProvider.ask(for: Self.secondFactor)
        let token = try await test.challenge().token
        _ = try await test.reply(token, "123456", to: "SOFTWARE_TOKEN_MFA_CODE")
        #expect(try await test.world.account()?.passwordHash == "current:\(goodPassword)")
    }
}
