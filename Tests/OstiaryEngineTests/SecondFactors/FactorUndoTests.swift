import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The notices of changes of factors, and the link that undoes a change: see decision 57.
@Suite struct FactorUndoTests {
    let world: World

    init() throws { world = try .passkeys() }

    /// An account whose address is verified, and its session.
    func verified() async throws -> Tokens {
        try await world.registered()
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        return try await world.signIn().tokens
    }

    /// The engine for a caller with an address.
    var engine: AuthEngine { world.engine.serving(Caller(address: "203.0.113.7")) }

    var notice: FactorChangeNotice {
        get throws {
            guard let notice = world.notificationSealer.messages.last?.notice.factorNotice else {
                throw World.NothingCame()
            }
            return notice
        }
    }

    /// The token of the link in the last message.
    var link: Secret<String> { get throws { try #require(try notice.undoToken) } }

    func undo(_ token: Secret<String>) async throws -> FactorUndoOutcome {
        try await engine.undoFactorChange(token).outcome
    }

    func list() async throws -> EnrolledFactors { try await world.administration.factors(of: ada) }

    func remove(_ id: FactorID, _ tokens: Tokens) async throws {
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
