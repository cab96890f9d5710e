import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// The recovery of accounts whose only credentials are lost passkeys: see decision 58.
@Suite struct PasskeyRecoveryTests {
    private let world: World
    private let lost = TestPasskeys(), new = TestPasskeys()

    init() throws { world = try .passkeys() }

    @Test func `the link of a mail adds a passkey a day after the request, and signs in`() async throws {
        let world = try World.passkeys { $0.registersSafely = true }
        let before = try await confirmed(in: world)
        let recovery = try await world.recovery()
        #expect(!recovery.hasRecoveryCodes)
        #expect(await refusal { try await world.recover(recovery.token, on: new) } == wait(86_400))
        world.clock.advance(by: .seconds(86_399))
        #expect(await refusal { try await world.recover(recovery.token, on: new) } == wait(1))
        world.clock.advance(by: .seconds(1))
        let recovered = try await world.recover(recovery.token, on: new)
        #expect(try await world.session(of: recovered.tokens)?.authentication.level == .aal2)
        #expect(try await world.session(of: before)?.revocation?.reason == .factorsChanged)
        #expect(try await world.factors().map(\.kind) == [.passkey, .passkey])
        let notice = world.notificationSealer.messages.last?.notice.factorNotice
        #expect(notice?.change == .added && notice?.kind == .passkey && notice?.undoToken != nil)
        _ = try await world.signIn(with: new)
        // The session can replace what was lost.
        let first = try #require(try await world.factors().first)
        _ = try await world.engine.perform(
            RemoveFactor(accessToken: recovered.tokens.accessToken, factorID: first.id))
        let codes = try await world.engine.perform(
            ReplaceRecoveryCodes(accessToken: recovered.tokens.accessToken)
        ).codes
        #expect(codes?.count == 10)
        #expect(await refusal { try await world.signIn(with: lost) } == .wrongCredentials)
    }

    @Test func `a recovery by an address that was never proved replaces what another person may have added`()
        async throws
    {
        let before = try await world.register(with: lost).tokens
        _ = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: before.accessToken))
        let token = try await world.opened()
        let account = try #require(try await world.account())
        #expect(!account.isEmailVerified)
        let recovered = try await world.recover(token, on: new)
        #expect(try await world.session(of: recovered.tokens)?.authentication.level == .aal2)
        #expect(try await world.session(of: before)?.revocation?.reason == .factorsChanged)
        let enrolled = try await world.store.factors(of: account.id, in: account.app)
        #expect(enrolled.factors.count == 1 && enrolled.recoveryCodesLeft == 0)
        #expect(try await world.account()?.credentialVersion == account.credentialVersion + 1)
        // The device of the registration is forgotten; that of the recovery is recognized.
        #expect(recovered.deviceToken != nil)
        let devices = try await world.store.devices(of: account.id, in: account.app, at: world.clock.now)
        #expect(devices.count == 1)
        // The address is not verified yet: its notice has no link.
        let notice = world.notificationSealer.messages.last?.notice.factorNotice
        #expect(notice?.change == .added && notice?.kind == .passkey && notice?.undoToken == nil)
        #expect(await refusal { try await world.signIn(with: lost) } == .wrongCredentials)
        try await world.use(recovered.tokens)
        _ = try await world.signIn(with: new)
        let codes = try await world.engine.perform(
            ReplaceRecoveryCodes(accessToken: recovered.tokens.accessToken)
        ).codes
        #expect(codes?.count == 10)
    }

    @Test func `the owner of a verified address can undo a recovery`() async throws {
        let world = try World.passkeys { $0.registersSafely = true }
        try await confirmed(in: world)
        let token = try await world.opened()
        let tokens = try await world.recover(token, on: new).tokens
        let link = try #require(world.notificationSealer.messages.last?.notice.factorNotice?.undoToken)
        #expect(try await world.engine.undoFactorChange(link).outcome == .undone)
        #expect(await refusal { try await world.use(tokens) } == .sessionRevoked)
        #expect(await refusal { try await world.signIn(with: new) } == .wrongCredentials)
        _ = try await world.signIn(with: lost)
    }

    @Test func `a link recovers once, within a week`() async throws {
        try await world.register(with: lost)
        let token = try await world.opened()
        try await world.recover(token, on: new)
        #expect(await refusal { try await world.recover(token, on: TestPasskeys()) } == .challengeRefused)
        world.clock.advance(by: .seconds(3600))
        let late = try await world.recovery().token
        world.clock.advance(by: .seconds(PasskeyRecovery.lifetimeSeconds))
        #expect(await refusal { try await world.recover(late, on: TestPasskeys()) } == .challengeRefused)
        #expect(await refusal { try await world.engine.passkeyRecoveryOpening(late) } == .challengeRefused)
    }

    @Test func `one of twenty parallel uses of a link succeeds`() async throws {
        try await world.register(with: lost)
        let token = try await world.opened()
        var calls: [RegisterPasskey] = []
        for _ in 0..<20 { calls.append(try await world.recovering(token, on: TestPasskeys())) }
        let outcomes = await withTaskGroup(of: AuthError?.self) { [world] group in
            for call in calls { group.addTask { await refusal { try await world.engine.perform(call) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .challengeRefused } == 19)
        #expect(try await world.factors().count == 1)
    }

    @Test func `a sign-in or a step-up with a passkey makes the link void`() async throws {
        let tokens = try await world.register(with: lost).tokens
        let first = try await world.recovery().token
        world.clock.advance(by: .seconds(3600))
        _ = try await world.signIn(with: lost)
        world.clock.advance(by: .seconds(86_400))
        #expect(await refusal { try await world.recover(first, on: new) } == .challengeRefused)
        let second = try await world.recovery().token
        world.clock.advance(by: .seconds(86_400))
        let fresh = try await world.refresh(tokens)
        guard
            case .stepUpRequired(let requirement)? = await refusal(of: {
                try await world.engine.perform(StepUp(accessToken: fresh.accessToken, maximumAgeSeconds: 300))
            })
        else { throw World.NothingCame() }
        try await world.answer(#require(requirement.challenge), with: lost, fresh)
        #expect(await refusal { try await world.recover(second, on: new) } == .challengeRefused)
        #expect(try await world.factors().count == 1)
    }

    @Test func `a change of factors or of the password makes the link void`() async throws {
        let tokens = try await world.register(with: lost).tokens
        let first = try await world.recovery().token
        try await world.addPasskey(to: tokens, on: TestPasskeys())
        world.clock.advance(by: .seconds(3600))
        let again = try await world.signIn(with: lost).tokens
        let second = try await world.recovery().token
        _ = try await world.engine.perform(
            ChangePassword(accessToken: again.accessToken, currentPassword: nil, newPassword: Secret(goodPassword)))
        world.clock.advance(by: .seconds(86_400))
        for token in [first, second] {
            #expect(await refusal { try await world.recover(token, on: new) } == .challengeRefused)
        }
    }

    @Test func `a password that the same mail has set leaves the link as it is`() async throws {
        let tokens = try await world.register(with: lost).tokens
        _ = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
        let recovery = try await world.recovery()
        #expect(recovery.hasRecoveryCodes)
        guard case .accountRecovery(_, let reset, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        _ = try await world.engine.perform(ResetPassword(proof: .token(reset), password: Secret(goodPassword)))
        #expect(try await world.challenged().methods == [.passkey, .recoveryCode])
        world.clock.advance(by: .seconds(86_400))
        try await world.recover(recovery.token, on: new)
        // An account with a password gets no further link: the mailbox would replace the second factor.
        world.clock.advance(by: .seconds(3600))
        _ = try await world.engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
        guard case .passwordReset? = world.notificationSealer.messages.last?.notice else { throw World.NothingCame() }
    }

    @Test func `a disabled or deleted account is not recovered`() async throws {
        try await world.register(with: lost)
        let token = try await world.opened()
        _ = try await world.administration.setActive(false, ada)
        #expect(await refusal { try await world.recover(token, on: new) } == .challengeRefused)
        _ = try await world.administration.delete(ada)
        #expect(await refusal { try await world.recover(token, on: new) } == .challengeRefused)
    }

    @Test func `accounts with another credential get a reset alone`() async throws {
        try await world.addPasskey(to: world.registered().tokens, on: lost)
        let tokens = try await world.register(with: lost, as: "bob@example.com").tokens
        _ = try await world.enrolled(tokens)
        for email in [ada, "bob@example.com"] {
            _ = try await world.engine.perform(RequestPasswordReset(email: EmailAddress(email)))
            guard case .passwordReset? = world.notificationSealer.messages.last?.notice else {
                throw World.NothingCame()
            }
        }
    }

    @Test func `a request reads and writes the same for every address`() async throws {
        try await world.registered()
        try await world.register(with: lost, as: "bob@example.com")
        var calls: [[String]] = []
        for email in [ada, "bob@example.com", "nobody@example.com"] {
            let before = world.store.calls.count
            _ = try await world.engine.perform(RequestPasswordReset(email: EmailAddress(email)))
            calls.append(Array(world.store.calls.dropFirst(before)))
        }
        #expect(Set(calls).count == 1 && calls[0].contains("factors"))
    }

    @Test func `the token of a link adds a passkey, and nothing else`() async throws {
        try await world.register(with: lost)
        let token = try await world.opened()
        #expect(world.engine.isEnrolment(token))
        #expect(
            await refusal { try await world.engine.perform(BeginTOTP(accessToken: token)) } == .challengeRefused)
        for other in [
            await refusal { try await world.engine.perform(CurrentUser(accessToken: token)) },
            await refusal { try await world.engine.perform(ReplaceRecoveryCodes(accessToken: token)) },
            await refusal { try await world.engine.perform(ListFactors(accessToken: token)) },
        ] { #expect(other == .invalidAccessToken) }
        #expect(
            await refusal {
                try await world.engine.perform(AnswerChallenge(challengeToken: token, answers: [:]))
            } == .challengeRefused)
        let session = try await world.signIn(with: lost).tokens
        #expect(
            await refusal { try await world.engine.passkeyRecoveryOpening(session.accessToken) } == .challengeRefused)
        #expect(
            await refusal { try await world.engine.passkeyRecoveryOptions(session.accessToken) } == .challengeRefused)
    }

    @Test func `a refused passkey adds nothing, and leaves the link`() async throws {
        try await world.register(with: lost)
        let token = try await world.opened()
        let foreign = TestPasskeys(origin: "https://evil.example")
        #expect(await refusal { try await world.recover(token, on: foreign) } == .credentialRefused)
        world.store.fail("enrol")
        #expect(await refusal { try await world.recover(token, on: new) }?.code == "unavailable")
        world.store.recover()
        #expect(try await world.factors().count == 1)
        try await world.recover(token, on: TestPasskeys())
    }

    @Test func `a page recovers without a session, also where sessions must be bound`() async throws {
        try await world.register(with: lost)
        let token = try await world.opened()
        let binding = try World("vici", .vici, seed: 2, sharing: world) {
            $0.limits = .generous
            $0.passkeys = .example
            $0.dpop = DPoPSettings(requirement: .required, origins: ["https://example.com"])
        }
        func recover(on device: TestPasskeys) async throws {
            let call = try await binding.recovering(token, on: device)
            try await binding.engine.recover(
                token, passkeyToken: call.passkeyToken, credential: call.credential, name: FactorName("Phone"))
        }
        try await recover(on: new)
        #expect(try await world.factors().map(\.name).last == "Phone")
        #expect(try await world.administration.sessions(of: ada).isEmpty)
        #expect(await refusal { try await recover(on: TestPasskeys()) } == .challengeRefused)
        _ = try await world.signIn(with: new)
    }

    @Test func `a page recovers with the factors that the link was opened for`() async throws {
        try await world.register(with: lost)
        let token = try await world.opened()
        let call = try await world.recovering(token, on: new)
        world.store.interrupt("enrol") { [world] in _ = try await world.recover(token, on: TestPasskeys()) }
        let refused = await refusal {
            try await world.engine.recover(
                token, passkeyToken: call.passkeyToken, credential: call.credential, name: FactorName("Phone"))
        }
        #expect(refused == .challengeRefused)
        #expect(try await world.factors().map(\.name) == [AuthEngine.usualPasskeyName])
        #expect(await refusal { try await world.signIn(with: new) } == .wrongCredentials)
    }

    /// Registers an account with a verified address and the passkey that is lost; an hour later, mail is sent again.
    @discardableResult
    private func confirmed(in world: World) async throws -> Tokens {
        _ = await refusal { try await world.register(with: lost) }
        let tokens = try await world.confirm(world.registrationToken(), with: lost).tokens
        world.clock.advance(by: .seconds(3600))
        return tokens
    }

    private func wait(_ seconds: Int) -> AuthError { .tooManyAttempts(retryAfterSeconds: seconds) }
}

extension World {
    /// Requests a mail, and returns the recovery in it.
    func recovery() async throws -> PasskeyRecovery {
        _ = try await engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
        guard case .accountRecovery(let recovery, _, _)? = notificationSealer.messages.last?.notice else {
            throw NothingCame()
        }
        return recovery
    }

    /// Requests a mail, and returns the token of its link a day later.
    func opened() async throws -> Secret<String> {
        let token = try await recovery().token
        clock.advance(by: .seconds(PasskeyRecovery.waitSeconds))
        return token
    }

    /// Creates a passkey with the token of a link.
    func recovering(_ token: Secret<String>, on device: TestPasskeys) async throws -> RegisterPasskey {
        let options = try await engine.perform(BeginPasskeyRegistration(accessToken: token))
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        return RegisterPasskey(
            accessToken: token, passkeyToken: options.token ?? Secret(""),
            credential: String(decoding: made.json, as: UTF8.self))
    }

    @discardableResult
    func recover(_ token: Secret<String>, on device: TestPasskeys) async throws -> SignedIn {
        guard case .signedIn(let signedIn, nil) = try await engine.perform(recovering(token, on: device)) else {
            throw NothingCame()
        }
        return signedIn
    }
}
