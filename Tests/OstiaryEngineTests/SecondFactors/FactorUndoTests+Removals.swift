import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Links that undo removals of factors.
extension FactorUndoTests {
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
}
