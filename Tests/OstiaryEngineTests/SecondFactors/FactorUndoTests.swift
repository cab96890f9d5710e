import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The notices of changes of factors, and the link that undoes a change: see decision 57.
@Suite struct FactorUndoTests {
    private let world: World

    init() throws { world = try .passkeys() }

    /// An account whose address is verified, and its session.
    private func verified() async throws -> Tokens {
        try await world.registered()
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        return try await world.signIn().tokens
    }

    /// The engine for a caller with an address.
    private var engine: AuthEngine { world.engine.serving(Caller(address: "203.0.113.7")) }

    private var notice: FactorChangeNotice {
        get throws {
            guard let notice = world.notificationSealer.messages.last?.notice.factorNotice else {
                throw World.NothingCame()
            }
            return notice
        }
    }

    /// The token of the link in the last message.
    private var link: Secret<String> { get throws { try #require(try notice.undoToken) } }

    private func undo(_ token: Secret<String>) async throws -> FactorUndoOutcome {
        try await engine.undoFactorChange(token).outcome
    }

    private func list() async throws -> EnrolledFactors { try await world.administration.factors(of: ada) }

    private func remove(_ id: FactorID, _ tokens: Tokens) async throws {
        _ = try await engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: id))
    }

    // MARK: Notices

    @Test func `a notice says what changed and from where, and has a link`() async throws {
        let tokens = try await verified()
        let pending = try await engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        let app = World.Authenticator(id: pending.factorID, secret: try world.secret(in: pending))
        _ = try await engine.perform(
            ConfirmTOTP(accessToken: tokens.accessToken, factorID: app.id, code: OneTimeCode(app.code(world))))
        let added = try notice
        #expect(added.change == .added && added.kind == .totp && added.address == "203.0.113.7")
        let change = try await engine.factorChange(undoneBy: link)
        #expect(change == UndoableFactorChange(change: .added, kind: .totp, at: world.clock.now.asStored))
        _ = try await engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
        #expect(try notice.change == .recoveryCodesReplaced)
        #expect(try notice.undoToken != added.undoToken)
        try await remove(app.id, tokens)
        #expect(try notice == FactorChangeNotice(.removed, kind: .totp, address: "203.0.113.7", undoToken: link))
    }

    @Test func `an address that is not verified gets no link and no origin`() async throws {
        let tokens = try await world.registered().tokens
        try await world.addPasskey(to: tokens, on: TestPasskeys())
        #expect(try notice == FactorChangeNotice(.added, kind: .passkey))
        #expect(world.notificationSealer.messages.last?.recipient == .email(try EmailAddress(ada)))
        _ = try await world.administration.resetFactors(of: ada)
        #expect(try notice == FactorChangeNotice(.reset))
    }

    @Test func `a verified phone number gets the link by text message`() async throws {
        let world = try World.barqnet { $0.limits = .generous }
        let number = try PhoneNumber("+15551234567")
        let (code, _) = try await world.codeSent(to: number)
        let jo = try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        _ = try await world.enrolled(jo.tokens)
        let message = try #require(world.notificationSealer.messages.last)
        #expect(message.recipient == .phoneNumber(number) && message.notice.factorNotice?.undoToken != nil)
    }

    @Test func `the use of a recovery code changes no factor and has no link`() async throws {
        let (_, codes) = try await world.enrolled(verified())
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(codes?.first).reveal())
        #expect(try notice == FactorChangeNotice(.recoveryCodeUsed))
    }

    // MARK: Additions

    @Test func `undoing an addition removes the factor with its codes and ends all sessions`() async throws {
        let tokens = try await verified()
        _ = try await world.enrolled(tokens)
        let token = try link
        #expect(try await undo(token) == .undone)
        #expect(try await list() == EnrolledFactors())
        #expect(await refusal { try await world.use(tokens) } == .sessionRevoked)
        #expect(try await world.session(of: tokens)?.revocation?.reason == .factorsChanged)
        // The owner is informed, without a link that would undo the undo.
        #expect(try notice == FactorChangeNotice(.undone, address: "203.0.113.7"))
        _ = try await world.signIn()
        let event = try #require(try await world.events().first { $0.action == "undoFactorChange" })
        #expect(event.outcome == "ok" && event.address == "203.0.113.7")
        #expect(try await world.account()?.id == event.account)
    }

    @Test func `the account's devices and networks are forgotten`() async throws {
        _ = try await world.enrolled(verified())
        let account = try #require(try await world.account())
        let thief = world.engine.serving(Caller(address: "198.51.100.1", network: "198.51.100.1"))
        let device = try #require(try await thief.addDevice(of: account))
        await thief.rememberNetwork(for: account)
        let subject = world.engine.guessSubject(of: account)
        let presenting = world.engine.serving(
            Caller(address: "198.51.100.1", network: "198.51.100.1", deviceToken: device))
        #expect(
            try await presenting.recognition(of: subject)
                == Recognition(isDeviceRecognized: true, isNetworkKnown: true))
        #expect(try await undo(link) == .undone)
        #expect(try await presenting.recognition(of: subject) == Recognition())
    }

    @Test func `a challenge of an addition that was undone is void`() async throws {
        let (app, _) = try await world.enrolled(verified())
        let token = try link
        let challenge = try await world.challenged()
        world.advanceStep()
        _ = try await undo(token)
        #expect(await refusal { try await world.answer(challenge, .totp, app.code(world)) } == .challengeRefused)
    }

    @Test func `a link works once, for seven days`() async throws {
        _ = try await world.enrolled(verified())
        let token = try link
        world.clock.advance(by: .seconds(7 * 86_400 - 1))
        _ = try await engine.factorChange(undoneBy: token)
        #expect(try await undo(token) == .undone)
        #expect(await refusal { try await engine.factorChange(undoneBy: token) } == .notFound)
        #expect(await refusal { try await undo(token) } == .notFound)
        let refused = try await world.events().filter { $0.action == "undoFactorChange" }.map(\.outcome)
        #expect(refused == ["ok", "not_found"])
        _ = try await world.enrolled(world.signIn().tokens)
        let late = try link
        world.clock.advance(by: .seconds(7 * 86_400))
        #expect(await refusal { try await engine.factorChange(undoneBy: late) } == .notFound)
        #expect(await refusal { try await undo(late) } == .notFound)
        #expect(try await list().factors.count == 1)
    }

    @Test func `a link belongs to its app, and looking at it changes nothing`() async throws {
        let tokens = try await verified()
        _ = try await world.enrolled(tokens)
        let token = try link
        let other = try World("clarity", .clarity, sharing: world)
        #expect(await refusal { try await other.engine.factorChange(undoneBy: token) } == .notFound)
        #expect(await refusal { try await other.engine.undoFactorChange(token).outcome } == .notFound)
        #expect(await refusal { try await undo(Secret("")) } == .notFound)
        for _ in 0..<3 { _ = try await engine.factorChange(undoneBy: token) }
        try await world.use(tokens)
        #expect(try await list().factors.count == 1)
    }

    @Test func `an authenticator that signed in stays, and all sessions end`() async throws {
        let (app, _) = try await world.enrolled(verified())
        let token = try link
        world.advanceStep()
        let tokens = try await world.answer(world.challenged(), .totp, app.code(world)).tokens
        #expect(try await undo(token) == .additionKept)
        #expect(try await list().factors.map(\.id) == [app.id])
        #expect(try await list().recoveryCodesLeft == 10)
        #expect(await refusal { try await world.use(tokens) } == .sessionRevoked)
        #expect(await refusal { try await undo(token) } == .notFound)
    }

    @Test(arguments: [true, false])
    func `a passkey that signed in stays`(isSecondFactor: Bool) async throws {
        let device = TestPasskeys()
        try await world.addPasskey(to: verified(), on: device)
        let token = try link
        if isSecondFactor {
            try await world.answer(world.challenged(), with: device)
        } else {
            _ = try await world.signIn(with: device)
        }
        #expect(try await undo(token) == .additionKept)
        #expect(try await list().factors.count == 1)
    }

    @Test func `a factor stays after a sign-in with a code that came with it`() async throws {
        let (app, codes) = try await world.enrolled(verified())
        let token = try link
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(codes?.first).reveal())
        #expect(try await undo(token) == .additionKept)
        #expect(try await list().factors.map(\.id) == [app.id])
    }

    @Test func `a step-up is no sign-in, so a thief of a session does not keep a factor by it`() async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        let token = try link
        world.clock.advance(by: .seconds(600))
        let refused = await refusal {
            try await world.engine.perform(StepUp(accessToken: tokens.accessToken, maximumAgeSeconds: 300))
        }
        guard case .stepUpRequired(let requirement) = refused, let challenge = requirement.challenge else {
            throw World.NothingCame()
        }
        try await world.answer(challenge, .totp, app.code(world), tokens)
        #expect(try await list().factors.first?.lastUsedAt != nil)
        #expect(try await undo(token) == .undone)
        #expect(try await list().factors.isEmpty)
    }

    @Test func `undoing an addition leaves the other factors and their codes`() async throws {
        let tokens = try await verified()
        let (first, _) = try await world.enrolled(tokens)
        world.advanceStep()
        _ = try await world.enrolled(tokens)
        #expect(try await undo(link) == .undone)
        #expect(try await list().factors.map(\.id) == [first.id])
        #expect(try await list().recoveryCodesLeft == 10)
    }

    // MARK: Removals

    @Test func `undoing a removal restores the factor and its codes`() async throws {
        let tokens = try await verified()
        let (app, codes) = try await world.enrolled(tokens)
        let before = try await list()
        try await remove(app.id, tokens)
        #expect(try await list() == EnrolledFactors())
        #expect(try await undo(link) == .undone)
        #expect(try await list() == before)
        #expect(await refusal { try await world.use(tokens) } == .sessionRevoked)
        // The code that confirmed the factor is not accepted again.
        let challenge = try await world.challenged()
        #expect(await refusal { try await world.answer(challenge, .totp, app.code(world)) } == .codeRefused)
        world.advanceStep()
        _ = try await world.answer(challenge, .totp, app.code(world))
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(codes?.first).reveal())
    }

    @Test func `a restored passkey signs in`() async throws {
        let (tokens, device) = (try await verified(), TestPasskeys())
        let added = try await world.addPasskey(to: tokens, on: device)
        try await remove(added.factor.id, tokens)
        _ = try await undo(link)
        _ = try await world.signIn(with: device)
    }

    @Test(arguments: [false, true])
    func `the credential id of a removed passkey is not registered while the removal can be undone`(
        isReset: Bool
    ) async throws {
        _ = try await verified()
        // The id of a response that another account sends after the removal.
        let bob = Identifier.email(try EmailAddress("bob@example.com"))
        let options = try await world.passkeyAccountOptions(bob)
        let made = try await TestPasskeys().register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        let response = PasskeyResponse(
            token: try #require(options.token), credential: String(decoding: made.json, as: UTF8.self))
        let account = try #require(try await world.account())
        var factor = Factor(
            app: account.app, account: account.id, id: try FactorID("own"), kind: .passkey, name: "Phone",
            material: [7], counter: 0, createdAt: world.clock.now.asStored)
        factor.credentialID = Array(made.credentialID)
        _ = try await world.store.base.enrol(
            FactorEnrolment(
                factor: factor, spending: nil, recoveryCodes: [], credentialVersion: account.credentialVersion,
                session: nil, authentication: AuthenticationContext(), notice: nil, at: world.clock.now))
        if isReset {
            _ = try await world.administration.resetFactors(of: ada)
        } else {
            try await world.administration.removeFactor(factor.id, of: account.id)
        }
        #expect(await refusal { try await world.register(response, "bob@example.com") } == .credentialRefused)
        #expect(try await undo(link) == .undone)
        #expect(try await list().factors == [factor])
    }

    @Test func `a credential id is reserved for as long as the latest removal can be undone`() async throws {
        let tokens = try await verified()
        let settings = try world.engine.passkeySettings()
        let added = try await world.addPasskey(to: tokens, on: TestPasskeys())
        let id = try #require(try await world.factors().first?.credentialID)
        try await remove(added.factor.id, tokens)
        #expect(try await world.engine.isRegistered(id, with: settings))
        // Restored and removed again, days later.
        _ = try await undo(link)
        world.clock.advance(by: .seconds(4 * 86_400))
        try await world.administration.removeFactor(added.factor.id, of: #require(world.account()).id)
        for seconds in [3 * 86_400, 4 * 86_400 - 1] {
            world.clock.advance(by: .seconds(seconds))
            #expect(try await world.engine.isRegistered(id, with: settings))
        }
        world.clock.advance(by: .seconds(7 * 86_400 + 1))
        #expect(try await !world.engine.isRegistered(id, with: settings))
    }

    @Test func `a full account gets its factor back once there is room`() async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        try await remove(app.id, tokens)
        let token = try link
        var added: [FactorID] = []
        for _ in 0..<Factor.limitPerAccount {
            added.append(try await world.enrolled(tokens).app.id)
            world.advanceStep()
        }
        #expect(try await undo(token) == .incomplete)
        #expect(await refusal { try await world.use(tokens) } == .sessionRevoked)
        #expect(try await list().factors.map(\.id) == added)
        _ = try await world.store.remove(
            added[0], of: #require(world.account()).id, in: world.engine.app.name, keepingLast: false, notice: nil)
        #expect(try await undo(token) == .undone)
        #expect(try await list().factors.map(\.id) == added.dropFirst() + [app.id])
        #expect(await refusal { try await undo(token) } == .notFound)
    }

    @Test func `the owner undoes a reset by an administrator`() async throws {
        let tokens = try await verified()
        let device = TestPasskeys()
        let (app, _) = try await world.enrolled(tokens)
        try await world.addPasskey(to: tokens, on: device)
        let before = try await list()
        _ = try await world.administration.resetFactors(of: ada)
        #expect(try notice == FactorChangeNotice(.reset, undoToken: link))
        #expect(try await undo(link) == .undone)
        #expect(try await list() == before)
        world.advanceStep()
        _ = try await world.answer(world.challenged(), .totp, app.code(world))
    }

    @Test(arguments: [true, false])
    func `nothing is restored to an account that is disabled or deleted`(isDeleted: Bool) async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        try await remove(app.id, tokens)
        let token = try link
        if isDeleted {
            _ = try await world.administration.delete(ada)
        } else {
            _ = try await world.administration.setActive(false, ada)
        }
        #expect(await refusal { try await engine.factorChange(undoneBy: token) } == .notFound)
        #expect(await refusal { try await undo(token) } == .notFound)
        guard !isDeleted else { return }
        #expect(try await list().factors.isEmpty)
        // The link does not come back.
        _ = try await world.administration.setActive(true, ada)
        #expect(await refusal { try await engine.factorChange(undoneBy: token) } == .notFound)
        #expect(await refusal { try await undo(token) } == .notFound)
        world.clock.advance(by: .seconds(1))
        _ = try await world.enrolled(world.signIn().tokens)
        #expect(try await undo(link) == .undone)
    }

    @Test(arguments: [true, false])
    func `a link is void once its address is another one's, also if the account gets it back`(
        isReturned: Bool
    ) async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        try await remove(app.id, tokens)
        let token = try link
        let id = try #require(try await world.account()).id
        for email in isReturned ? ["new@example.com", ada] : ["new@example.com"] {
            var update = AccountUpdate()
            update.email = .replaced(email)
            update.isEmailVerified = true
            _ = try await world.administration.update(id, update)
        }
        #expect(await refusal { try await engine.factorChange(undoneBy: token) } == .notFound)
        #expect(await refusal { try await undo(token) } == .notFound)
        #expect(try await world.administration.factors(of: id.text).factors.isEmpty)
    }

    @Test func `a link is void if its address was replaced without an administrator`() async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        try await remove(app.id, tokens)
        let token = try link
        let account = try #require(try await world.account())
        var change = AccountChange()
        change.identifiers = IdentifierChange()
        change.identifiers?.email = .replaced(try EmailAddress("new@example.com"))
        _ = try await world.store.base.change(account.id, in: account.app, change, at: world.clock.now)
        #expect(await refusal { try await undo(token) } == .notFound)
    }

    @Test func `a link outlives changes that leave the account its address`() async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        try await remove(app.id, tokens)
        let token = try link
        var update = AccountUpdate()
        update.fullName = .replaced("Ada")
        update.isActive = true
        update.email = .replaced(ada)
        _ = try await world.administration.update(#require(world.account()).id, update)
        world.clock.advance(by: .seconds(60))
        _ = try await world.engine.perform(
            ResetPassword(proof: .token(world.resetToken()), password: Secret(otherPassword)))
        #expect(try await undo(token) == .undone)
        #expect(try await list().factors.map(\.id) == [app.id])
    }

    @Test func `nothing is restored to an account that is disabled and enabled while the link is redeemed`()
        async throws
    {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        try await remove(app.id, tokens)
        world.store.interrupt("undo") { [world] in
            for isActive in [false, true] { _ = try await world.administration.setActive(isActive, ada) }
        }
        let token = try link
        #expect(await refusal { try await undo(token) } == .notFound)
        #expect(try await list().factors.isEmpty)
    }

    // MARK: Recovery codes

    @Test func `undoing a replacement makes the earlier codes valid in the place of the new ones`() async throws {
        let tokens = try await verified()
        let (_, codes) = try await world.enrolled(tokens)
        let new = try await engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes
        #expect(try await undo(link) == .undone)
        #expect(try await list().recoveryCodesLeft == 10)
        let challenge = try await world.challenged()
        let refused = await refusal {
            try await world.answer(challenge, .recoveryCode, #require(new?.first).reveal())
        }
        #expect(refused == .codeRefused)
        _ = try await world.answer(challenge, .recoveryCode, #require(codes?.first).reveal())
    }

    @Test func `new codes of which one signed in stay valid beside the restored ones`() async throws {
        let tokens = try await verified()
        let (_, codes) = try await world.enrolled(tokens)
        let new = try await engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes
        let token = try link
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(new?.first).reveal())
        #expect(try await undo(token) == .additionKept)
        #expect(try await list().recoveryCodesLeft == 19)
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(codes?.first).reveal())
    }

    @Test(arguments: [false, true])
    func `a factor that a thief added and removed again does not come back`(newestFirst: Bool) async throws {
        let tokens = try await verified()
        let (own, _) = try await world.enrolled(tokens)
        world.advanceStep()
        let thief = try await world.addPasskey(to: tokens, on: TestPasskeys()).factor.id
        let added = try link
        try await remove(thief, tokens)
        let removed = try link
        for token in newestFirst ? [removed, added] : [added, removed] { #expect(try await undo(token) == .undone) }
        #expect(try await list().factors.map(\.id) == [own.id])
    }

    @Test func `codes that a thief made and replaced again do not come back`() async throws {
        let tokens = try await verified()
        let (_, own) = try await world.enrolled(tokens)
        let theirs = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes
        let first = try link
        _ = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
        let second = try link
        for token in [first, second] { _ = try await undo(token) }
        let code = try #require(theirs?.first).reveal()
        #expect(await refusal { try await world.answer(world.challenged(), .recoveryCode, code) } == .codeRefused)
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(own?.first).reveal())
    }

    @Test func `codes are restored to an account with a factor only`() async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        _ = try await engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
        let token = try link
        try await remove(app.id, tokens)
        #expect(try await undo(token) == .undone)
        #expect(try await list() == EnrolledFactors())
        #expect(try await world.enrolled(world.signIn().tokens).codes?.count == 10)
    }

    // MARK: Faults

    @Test func `a store that fails changes nothing, and the link still works`() async throws {
        let tokens = try await verified()
        _ = try await world.enrolled(tokens)
        let token = try link
        world.store.fail("undo")
        #expect(await refusal { try await undo(token) }?.code == "unavailable")
        world.store.recover()
        try await world.use(tokens)
        #expect(try await undo(token) == .undone)
    }

    @Test func `an app without second factors has no such link`() async throws {
        _ = try await world.enrolled(verified())
        let token = try link
        var app = world.engine.app
        app.secondFactor.requirement = .off
        let off = AuthEngine(app: app, ports: world.engine.ports)
        #expect(await refusal { try await off.factorChange(undoneBy: token) } == .notFound)
        #expect(await refusal { try await off.undoFactorChange(token).outcome } == .notFound)
    }
}
