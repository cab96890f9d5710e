import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// Devices that are not asked for a second factor for a time.
@Suite struct RememberedDeviceTests {
    private let world: World

    init() throws { world = try .remembering() }

    @Test func `a remembered device is not asked, and its session has aal1`() async throws {
        let (_, device) = try await world.remembered()
        let signedIn = try await world.signIn(on: device)
        let authentication = try await world.session(of: signedIn.tokens)?.authentication
        #expect(authentication?.level == .aal1 && authentication?.references == ["pwd"])
        #expect(authentication?.events.map(\.method) == [.password, .rememberedDevice])
        try await world.use(signedIn.tokens)
        let stepUp = await refusal {
            try await world.engine.perform(StepUp(accessToken: signedIn.tokens.accessToken, level: .aal2))
        }
        #expect(stepUp?.code == "step_up_required")
    }

    @Test func `each use replaces the secret, and a used one is asked`() async throws {
        let (_, first) = try await world.remembered()
        let second = try #require(try await world.signIn(on: first).deviceToken)
        #expect(second != first && second.reveal().utf8.count == 43)
        #expect(await world.isAsked(on: first))
        let third = try #require(try await world.signIn(on: second).deviceToken)
        #expect(await !world.isAsked(on: third))
    }

    @Test func `the days count from the factor, not from the last use`() async throws {
        let (_, first) = try await world.remembered()
        world.clock.advance(by: .seconds(29 * 86_400))
        let second = try #require(try await world.signIn(on: first).deviceToken)
        world.clock.advance(by: .seconds(86_400))
        #expect(await world.isAsked(on: second))
    }

    @Test func `a sign-in on a remembered device is one entry in the list`() async throws {
        let (_, device) = try await world.remembered()
        let before = try await world.devices()
        _ = try await world.signIn(on: device)
        let after = try await world.devices()
        #expect(after.count == before.count)
        #expect(after.first?.presentations == 1 && after.first?.remembered == before.first?.remembered)
    }

    @Test func `RC-09: of 50 parallel uses of one secret, one is not asked`() async throws {
        let (_, device) = try await world.remembered()
        let outcomes = await inParallel(50) { _ in await world.isAsked(on: device) }
        #expect(outcomes.count { !$0 } == 1)
    }

    @Test(arguments: ["addSession", "replaceDevice"])
    func `a sign-in that fails leaves a remembered device its secret, and no session`(call: String) async throws {
        let (_, device) = try await world.remembered()
        let before = try await world.administration.sessions(of: ada)
        world.store.fail(call)
        #expect(await refusal { try await world.signIn(on: device) }?.code == "unavailable")
        world.store.recover()
        #expect(try await world.administration.sessions(of: ada) == before)
        #expect(await !world.isAsked(on: device))
    }

    @Test func `a sign-in without the answer of a hook leaves a remembered device its secret`() async throws {
        let (_, device) = try await world.remembered()
        let failing = try World(
            "vici", .vici, seed: 3, sharing: world,
            hooks: Hooks(tokenClaims: Hook(onFailure: .deny) { _ in throw Down() })
        ) {
            $0.limits = .generous
            $0.secondFactor.requirement = .optional
            $0.secondFactor.rememberDeviceDays = 30
        }
        #expect(await refusal { try await failing.signIn(on: device) }?.code == "unavailable")
        #expect(await !world.isAsked(on: device))
    }

    @Test func `a secret that another sign-in uses first opens no session`() async throws {
        let (_, device) = try await world.remembered()
        let before = try await world.administration.sessions(of: ada).count
        world.store.interrupt("addSession") { [world] in _ = try await world.signIn(on: device) }
        #expect(await world.isAsked(on: device))
        #expect(try await world.administration.sessions(of: ada).count == before + 1)
    }

    @Test func `a change of the password or of the factors forgets the device`() async throws {
        let (app, first) = try await world.remembered()
        _ = try await world.engine.perform(
            ResetPassword(proof: .token(world.resetToken()), password: Secret(goodPassword)))
        #expect(await world.isAsked(on: first))

        let (tokens, second) = try await world.remembered(with: app)
        try await world.addPasskey(to: tokens, on: TestPasskeys())
        #expect(await world.isAsked(on: second))
    }

    @Test func `a device is not remembered again after a factor was added and removed`() async throws {
        let (app, device) = try await world.remembered()
        let (tokens, _) = try await world.remembered(with: app)
        let passkey = try await world.addPasskey(to: tokens, on: TestPasskeys())
        _ = try await world.engine.perform(
            RemoveFactor(accessToken: tokens.accessToken, factorID: passkey.factor.id))
        #expect(await world.isAsked(on: device))
    }

    @Test func `the owner sees until when a device is remembered, and forgets it`() async throws {
        let (app, _) = try await world.remembered()
        let (tokens, device) = try await world.remembered(with: app)
        let list = try await world.engine.perform(ListDevices(accessToken: tokens.accessToken)).devices
        let until = world.clock.now.addingTimeInterval(30 * 86_400)
        let remembered = try #require(
            list.first { $0.rememberedUntil.map { abs($0.timeIntervalSince(until)) < 1 } ?? false })
        _ = try await world.engine.perform(ForgetDevice(accessToken: tokens.accessToken, deviceID: remembered.id))
        #expect(await world.isAsked(on: device))
    }

    @Test func `another person on the device, and another app, are asked`() async throws {
        let (_, device) = try await world.remembered()
        let grace = "grace@example.com"
        _ = try await world.enrolled(world.registered(grace).tokens)
        #expect(await world.isAsked(grace, on: device))
        #expect(await !world.isAsked(on: device))
        #expect(await world.isAsked(on: Secret("AAAA")))
    }

    @Test func `nothing is remembered unasked, without permission, or for less than a factor`() async throws {
        let (app, codes) = try await world.enrolled(world.registered().tokens)
        world.advanceStep()
        let unasked = try await world.answer(world.challenged(), .totp, app.code(world)).deviceToken
        #expect(await world.isAsked(on: unasked))
        let code = try #require(codes?.first)
        let recovered = try await world.answer(world.challenged(), .recoveryCode, code.reveal(), remembering: true)
        #expect(await world.isAsked(on: recovered.deviceToken))

        let forgetful = try World.remembering(sharing: world) { $0.secondFactor.rememberDeviceDays = 0 }
        forgetful.advanceStep()
        let answered = try await forgetful.answer(
            forgetful.challenged(), .totp, app.code(forgetful), remembering: true)
        #expect(await forgetful.isAsked(on: answered.deviceToken))
    }

    @Test func `a challenge says for how long the device can be remembered, where it can be`() async throws {
        _ = try await world.enrolled(world.registered().tokens)
        #expect(try await world.challenged().rememberDeviceDays == 30)
        let forgetful = try World.remembering(sharing: world) { $0.secondFactor.rememberDeviceDays = 0 }
        #expect(try await forgetful.challenged().rememberDeviceDays == nil)
        _ = try await world.administration.changeRoles(ada, adding: ["admin"], removing: [])
        let role = try World.remembering(sharing: world) { $0.secondFactor.requiredRoles = ["admin"] }
        #expect(try await role.challenged().rememberDeviceDays == nil)
    }

    @Test func `the policy required accepts a remembered device, a role that requires a factor does not`() async throws
    {
        let (_, device) = try await world.remembered()
        let required = try World.remembering(sharing: world) { $0.secondFactor.requirement = .required }
        let signedIn = try await required.signIn(on: device)
        try await required.use(signedIn.tokens)
        _ = try await world.administration.changeRoles(ada, adding: ["admin"], removing: [])
        let role = try World.remembering(sharing: world) { $0.secondFactor.requiredRoles = ["admin"] }
        #expect(await role.isAsked(on: signedIn.deviceToken))
        #expect(await refusal { try await role.use(signedIn.tokens) }?.code == "step_up_required")
    }
}

/// The failure of a hook.
private struct Down: Error {}

extension World {
    /// An app that remembers devices for 30 days.
    fileprivate static func remembering(
        sharing other: World? = nil, _ change: (inout AppSettings) -> Void = { _ in }
    ) throws -> World {
        try .requiring(sharing: other) {
            $0.secondFactor.requirement = .optional
            $0.secondFactor.rememberDeviceDays = 30
            change(&$0)
        }
    }

    /// Registers Ada, adds an authenticator app, and remembers a device.
    fileprivate func remembered() async throws -> (app: Authenticator, device: Secret<String>) {
        let (app, _) = try await enrolled(registered().tokens)
        return (app, try await remembered(with: app).device)
    }

    /// Signs Ada in with an authenticator app, and remembers the device.
    fileprivate func remembered(with app: Authenticator) async throws -> (tokens: Tokens, device: Secret<String>) {
        advanceStep()
        let signedIn = try await answer(challenged(), .totp, app.code(self), remembering: true)
        guard let device = signedIn.deviceToken else { throw NothingCame() }
        return (signedIn.tokens, device)
    }

    /// Signs in on a device that presents a secret.
    fileprivate func signIn(_ email: String = ada, on device: Secret<String>?) async throws -> SignedIn {
        try await engine.serving(Caller(deviceToken: device)).perform(
            SignIn(identifier: .email(EmailAddress(email)), password: Secret(goodPassword)))
    }

    fileprivate func devices() async throws -> [RecognizedDevice] {
        guard let id = try await account()?.id else { throw NothingCame() }
        return try await store.devices(of: id, in: engine.app.name, at: clock.now)
    }

    /// Returns `true` if a sign-in on the device is asked for a second factor.
    fileprivate func isAsked(_ email: String = ada, on device: Secret<String>?) async -> Bool {
        guard case .challengeRequired = await refusal(of: { try await signIn(email, on: device) }) else { return false }
        return true
    }
}
