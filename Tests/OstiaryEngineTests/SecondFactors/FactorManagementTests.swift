import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The operations on an account's second factors.
@Suite struct FactorManagementTests {
    private let world: World

    init() throws { world = try .vici { $0.limits = .generous } }

    @Test func `the secret of an authenticator app has 160 bits and is in the URI`() async throws {
        let tokens = try await world.registered().tokens
        let pending = try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        #expect(try world.secret(in: pending).count == 20)
        let secret = pending.secret.reveal()
        #expect(
            pending.uri.reveal()
                == "otpauth://totp/vici:ada%40example.com?secret=\(secret)&issuer=vici&algorithm=SHA1&digits=6&period=30"
        )
        #expect("\(pending)".contains(secret) == false)
    }

    @Test func `a factor counts from its confirmation on`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        _ = try await world.signIn()
        let (app, codes) = try await world.enrolled(tokens)
        #expect(Set(codes?.map { $0.reveal() } ?? []).count == 10)
        let list = try await world.engine.perform(ListFactors(accessToken: tokens.accessToken))
        #expect(list.factors.map(\.id) == [app.id])
        #expect(list.factors[0].type == .totp && list.factors[0].name == "Authenticator app")
        #expect(list.recoveryCodesLeft == 10 && !list.isRequired)
        #expect(world.notificationSealer.messages.last?.notice.factorChange == .added)
        #expect(world.notificationSealer.messages.last?.recipient == .email(try EmailAddress(ada)))
    }

    @Test func `confirming raises this session and ends the others`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        try await _ = world.enrolled(second)
        #expect(await refusal { try await world.use(first) } == .sessionRevoked)
        #expect(try await world.session(of: second)?.authentication.level == .aal2)
        #expect(try await world.session(of: first)?.revocation?.reason == .factorsChanged)
        // A refresh does not change it.
        let refreshed = try await world.refresh(second)
        #expect(try await world.session(of: refreshed)?.authentication.level == .aal2)
    }

    @Test func `an administrator removes lost factors, which ends the sessions and informs the owner`() async throws {
        let tokens = try await world.registered().tokens
        let problem = await #expect(throws: AdministrationProblem.self) {
            try await world.administration.resetFactors(of: ada)
        }
        #expect(problem?.reason == .notFound)
        let (app, _) = try await world.enrolled(tokens)
        #expect(try await world.administration.factors(of: ada).factors.map(\.id) == [app.id])
        #expect(try await world.administration.resetFactors(of: ada).count == 1)
        #expect(world.notificationSealer.messages.last?.notice.factorChange == .reset)
        #expect(await refusal { try await world.use(tokens) } == .sessionRevoked)
        let left = try await world.administration.factors(of: ada)
        #expect(left.factors.isEmpty && left.recoveryCodesLeft == 0)
        _ = try await world.signIn()
        let event = try #require(try await world.events().first { $0.action == "cli.users.factors.reset" })
        #expect(event.outcome == "ok" && event.actor == "cli:operator")
    }

    @Test func `a wrong code leaves the factor pending, a late one finds none`() async throws {
        let tokens = try await world.registered().tokens
        let pending = try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        let app = World.Authenticator(id: pending.factorID, secret: try world.secret(in: pending))
        func confirm(_ code: String) async -> AuthError? {
            await refusal {
                try await world.engine.perform(
                    ConfirmTOTP(accessToken: tokens.accessToken, factorID: app.id, code: OneTimeCode(code)))
            }
        }
        #expect(await confirm("000000") == .codeRefused)
        #expect(try await world.engine.perform(ListFactors(accessToken: tokens.accessToken)).factors.isEmpty)
        world.clock.advance(by: .seconds(599))
        // The session has to be authenticated recently.
        #expect(await confirm(app.code(world))?.code == "step_up_required")
        try await stepUp(tokens, .password, goodPassword)
        #expect(await confirm(app.code(world)) == nil)
        #expect(await confirm(app.code(world)) == .notFound)
        let late = try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        world.clock.advance(by: .seconds(600))
        try await stepUp(tokens, .password, goodPassword)
        try await stepUp(tokens, .totp, app.code(world))
        let code = World.Authenticator(id: late.factorID, secret: try world.secret(in: late)).code(world)
        let refused = await refusal {
            try await world.engine.perform(
                ConfirmTOTP(accessToken: tokens.accessToken, factorID: late.factorID, code: OneTimeCode(code)))
        }
        #expect(refused == .notFound)
    }

    /// Answers the step-up that managing factors requires.
    private func stepUp(_ tokens: Tokens, _ method: ChallengeMethod, _ answer: String) async throws {
        let refused = await refusal { try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken)) }
        guard case .stepUpRequired(let requirement) = refused, let challenge = requirement.challenge else {
            throw World.NothingCame()
        }
        #expect(challenge.methods.contains(method))
        _ = await refusal { try await world.answer(challenge, method, answer, tokens) }
    }

    @Test func `a pending factor of another account is not found`() async throws {
        let tokens = try await world.registered().tokens
        let pending = try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        let app = World.Authenticator(id: pending.factorID, secret: try world.secret(in: pending))
        let bob = try await world.registered("bob@example.com").tokens
        let refused = await refusal {
            try await world.engine.perform(
                ConfirmTOTP(accessToken: bob.accessToken, factorID: app.id, code: OneTimeCode(app.code(world))))
        }
        #expect(refused == .notFound)
    }

    @Test func `an account has at most ten factors`() async throws {
        let tokens = try await world.registered().tokens
        for index in 0..<10 {
            let (_, codes) = try await world.enrolled(tokens)
            #expect((codes != nil) == (index == 0))
        }
        let refused = await refusal { try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken)) }
        #expect(refused == .factorLimitReached)
    }

    @Test func `renames and removes a factor, and with the last one the recovery codes`() async throws {
        let tokens = try await world.registered().tokens
        let (app, _) = try await world.enrolled(tokens)
        let renamed = try await world.engine.perform(
            RenameFactor(accessToken: tokens.accessToken, factorID: app.id, name: FactorName(" Work phone ")))
        #expect(renamed.name == "Work phone")
        _ = try await world.engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: app.id))
        #expect(world.notificationSealer.messages.last?.notice.factorChange == .removed)
        let list = try await world.engine.perform(ListFactors(accessToken: tokens.accessToken))
        #expect(list.factors.isEmpty && list.recoveryCodesLeft == 0)
        _ = try await world.signIn()
        let again = await refusal {
            try await world.engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: app.id))
        }
        #expect(again == .notFound)
    }

    @Test func `a factor of another account is neither renamed nor removed`() async throws {
        let (app, _) = try await world.enrolled(world.registered().tokens)
        let bob = try await world.registered("bob@example.com").tokens
        #expect(
            await refusal {
                try await world.engine.perform(RemoveFactor(accessToken: bob.accessToken, factorID: app.id))
            } == .notFound)
        #expect(
            await refusal {
                try await world.engine.perform(
                    RenameFactor(accessToken: bob.accessToken, factorID: app.id, name: FactorName("x")))
            } == .notFound)
        #expect(try await world.challenged().methods.contains(.totp))
    }

    @Test func `new recovery codes replace the earlier ones`() async throws {
        let tokens = try await world.registered().tokens
        let none = await refusal {
            try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
        }
        #expect(none == .notFound)
        let old = try #require(try await world.enrolled(tokens).codes?.first).reveal()
        let new = try #require(
            try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes?.first)
        let challenge = try await world.challenged()
        #expect(await refusal { try await world.answer(challenge, .recoveryCode, old) } == .codeRefused)
        try await world.answer(challenge, .recoveryCode, new.reveal())
    }

    @Test func `a store that fails during enrolment leaves no factor behind`() async throws {
        let tokens = try await world.registered().tokens
        world.store.fail("enrol")
        #expect(await refusal { try await world.enrolled(tokens) }?.code == "unavailable")
        world.store.recover()
        let list = try await world.engine.perform(ListFactors(accessToken: tokens.accessToken))
        #expect(list == FactorList(factors: [], recoveryCodesLeft: 0, isRequired: false))
        _ = try await world.signIn()
    }

    @Test func `a person who lost the authenticator replaces it with two recovery codes`() async throws {
        let (app, codes) = try await world.enrolled(world.registered().tokens)
        let recovery = try #require(codes)
        world.clock.advance(by: .seconds(3600))
        let tokens = try await world.answer(world.challenged(), .recoveryCode, recovery[0].reveal()).tokens
        // The code of the sign-in counts in the place of the lost factor, for changes of the factors alone.
        _ = try await world.engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: app.id))
        let change = await refusal {
            try await world.engine.perform(StepUp(accessToken: tokens.accessToken, level: .aal2))
        }
        #expect(change?.code == "step_up_required")
    }
}
