import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// Devices that accounts recognize.
@Suite struct RecognizedDeviceTests {
    private let world: World

    init() throws { world = try World.vici() }

    private func engine(on device: Secret<String>?, from address: String = "192.0.2.1") -> AuthEngine {
        world.engine.serving(
            Caller(address: address, network: address, userAgent: "App/1", deviceToken: device))
    }

    private func signIn(
        _ email: String = ada, password: String = goodPassword, on device: Secret<String>? = nil
    ) async throws -> SignedIn {
        try await engine(on: device).perform(
            SignIn(
                identifier: .email(EmailAddress(email)), password: Secret(password),
                device: DeviceInfo(platform: "iOS")))
    }

    private func devices(_ tokens: Tokens, on device: Secret<String>? = nil) async throws -> [DeviceSummary] {
        try await engine(on: device).perform(ListDevices(accessToken: tokens.accessToken)).devices
    }

    private func isRecognized(_ device: Secret<String>?, _ email: String = ada) async throws -> Bool {
        let engine = engine(on: device, from: "198.51.100.1")
        return try await engine.recognition(of: engine.guessSubject(of: .email(EmailAddress(email)))).isDeviceRecognized
    }

    // MARK: Recognition

    @Test func `every sign-in answers a new secret, and the device is recognized by the newest`() async throws {
        let first = try #require(try await world.registered().deviceToken)
        #expect(first.reveal().utf8.count == 43)
        #expect(try await isRecognized(first))
        let second = try #require(try await signIn(on: first).deviceToken)
        #expect(second != first)
        #expect(try await isRecognized(second))
        #expect(try await !isRecognized(first))
    }

    @Test func `a secret of the client's own, another account's and another app's are not adopted`() async throws {
        let mine = try #require(try await world.registered().deviceToken)
        let invented = Secret(String(repeating: "A", count: 43))
        let answered = try #require(try await signIn(on: invented).deviceToken)
        #expect(answered != invented)
        #expect(try await !isRecognized(invented))
        let grace = "grace@example.com"
        try await world.registered(grace)
        #expect(try await !isRecognized(mine, grace))
        #expect(try await !isRecognized(mine, "nobody@example.com"))
        let theirs = try await signIn(grace, on: mine).deviceToken
        #expect(theirs != mine)
        #expect(try await isRecognized(mine))
        let other = try World("other", .vici, sharing: world)
        _ = try await other.registered()
        let subject = try await other.engine.guessSubject(of: .email(EmailAddress(ada)))
        #expect(try await !other.engine.serving(Caller(deviceToken: mine)).recognition(of: subject).isDeviceRecognized)
    }

    @Test func `a refused sign-in answers no secret and changes nothing`() async throws {
        let device = try #require(try await world.registered().deviceToken)
        #expect(await refusal { try await signIn(password: otherPassword, on: device) } == .wrongCredentials)
        #expect(try await isRecognized(device))
    }

    @Test func `of 20 parallel uses of one secret each is answered, and one device keeps its entry`() async throws {
        let registered = try await world.registered()
        let answers = await inParallel(20) { _ in try? await signIn(on: registered.deviceToken).deviceToken }
        #expect(Set(answers.compactMap(\.self)).count == 20)
        let list = try await devices(registered.tokens)
        #expect(list.count == 20)
        let id = try #require(try await world.account()?.id)
        let stored = try await world.store.devices(of: id, in: world.engine.app.name, at: world.clock.now)
        #expect(stored.count { $0.presentations == 1 } == 1)
    }

    @Test func `an account keeps 20 devices, and forgets those first that never came back`() async throws {
        let registered = try await world.registered()
        var kept: [Secret<String>] = []
        for _ in 0..<19 {
            world.clock.advance(by: .seconds(1))
            let device = try await signIn().deviceToken
            world.clock.advance(by: .seconds(1))
            kept.append(try #require(try await signIn(on: device).deviceToken))
        }
        #expect(try await isRecognized(registered.deviceToken))
        // The guesses of a thief of the password evict each other, and the device of the registration.
        for _ in 0..<30 {
            world.clock.advance(by: .seconds(1))
            _ = try await signIn()
        }
        #expect(try await !isRecognized(registered.deviceToken))
        for device in kept { #expect(try await isRecognized(device)) }
        #expect(try await devices(registered.tokens).count == 20)
    }

    @Test(arguments: [true, false])
    func `a session of an account that is authenticated already recognizes the caller's device if it is the person's`(
        recognizes: Bool
    ) async throws {
        let registered = try await world.registered()
        let account = try #require(try await world.account())
        var answers: [SignedIn] = []
        for _ in 0..<20 {
            world.clock.advance(by: .seconds(1))
            answers.append(
                try await engine(on: nil, from: "198.51.100.7").openClientSession(
                    of: account, context: world.engine.context(of: .password), isChallengeAnswered: true,
                    recognizesDevice: recognizes, session: world.engine.newSessionID()))
        }
        #expect(answers.allSatisfy { ($0.deviceToken != nil) == recognizes })
        // Twenty further devices take the place of one that never came back.
        #expect(try await isRecognized(registered.deviceToken) != recognizes)
        #expect(try await devices(registered.tokens).count == (recognizes ? 20 : 1))
    }

    @Test func `a device is forgotten 180 days after its last sign-in`() async throws {
        let first = try #require(try await world.registered().deviceToken)
        world.clock.advance(by: .seconds(179 * 86_400))
        let second = try #require(try await signIn(on: first).deviceToken)
        world.clock.advance(by: .seconds(179 * 86_400))
        #expect(try await isRecognized(second))
        world.clock.advance(by: .seconds(86_400))
        #expect(try await !isRecognized(second))
        let now = world.clock.now
        #expect(try await world.store.sweep(at: now, endedBefore: now, auditBefore: .distantPast) > 0)
        let id = try #require(try await world.account()?.id)
        #expect(try await world.store.devices(of: id, in: world.engine.app.name, at: .distantPast).isEmpty)
    }

    @Test func `a reset forgets every device and recognizes the one of the reset`() async throws {
        let before = try await world.registered().deviceToken
        let reset = ResetPassword(proof: .token(try await world.resetToken()), password: Secret(otherPassword))
        let device = try #require(try await engine(on: before).perform(reset).deviceToken)
        #expect(try await !isRecognized(before))
        #expect(try await isRecognized(device))
        let signedIn = try await signIn(password: otherPassword, on: device)
        #expect(try await devices(signedIn.tokens).count == 1)
    }

    @Test func `the owner's change of the password keeps the devices, an operator's forgets them`() async throws {
        let registered = try await world.registered()
        let change = ChangePassword(
            accessToken: registered.tokens.accessToken, currentPassword: Secret(goodPassword),
            newPassword: Secret(otherPassword))
        _ = try await engine(on: nil).perform(change)
        #expect(try await isRecognized(registered.deviceToken))
        let id = try #require(try await world.account()?.id)
        try await world.administration.setPassword(Secret(goodPassword), of: id)
        #expect(try await !isRecognized(registered.deviceToken))
    }

    @Test func `an outage of the table does not fail the sign-in`() async throws {
        try await world.registered()
        world.store.fail("addDevice")
        #expect(try await signIn().deviceToken == nil)
    }

    @Test func `a sign-in with the password before a reset leaves no device`() async throws {
        try await world.registered()
        let account = try #require(try await world.account())
        let reset = ResetPassword(proof: .token(try await world.resetToken()), password: Secret(otherPassword))
        _ = try await world.engine.perform(reset)
        let device = RecognizedDevice(
            id: try DeviceID("late"), app: account.app, accountID: account.id, hash: [1], createdAt: world.clock.now)
        #expect(try await !world.store.add(device, credentialVersion: account.credentialVersion))
    }

    // MARK: The owner's list

    @Test func `lists the devices, and marks the one that asks`() async throws {
        let registered = try await world.registered()
        world.clock.advance(by: .seconds(60))
        let signedIn = try await signIn()
        let list = try await devices(signedIn.tokens, on: signedIn.deviceToken)
        #expect(list.map(\.isCurrent) == [true, false])
        #expect(list.first?.device == DeviceInfo(platform: "iOS"))
        #expect(list.first?.address == "192.0.2.1" && list.first?.userAgent == "App/1")
        #expect(list.allSatisfy { $0.rememberedUntil == nil })
        #expect(try await devices(registered.tokens).map(\.isCurrent) == [false, false])
    }

    @Test func `forgets a device of the account, and no other's`() async throws {
        let registered = try await world.registered()
        let grace = try await world.registered("grace@example.com")
        let id = try #require(try await devices(registered.tokens).first?.id)
        await #expect(throws: AuthError.notFound) {
            try await world.engine.perform(ForgetDevice(accessToken: grace.tokens.accessToken, deviceID: id))
        }
        #expect(try await isRecognized(registered.deviceToken))
        _ = try await world.engine.perform(ForgetDevice(accessToken: registered.tokens.accessToken, deviceID: id))
        #expect(try await !isRecognized(registered.deviceToken))
        #expect(try await devices(registered.tokens).isEmpty)
        try await world.use(registered.tokens)
    }

    // MARK: Networks

    @Test func `a network is known for 30 days after a sign-in`() async throws {
        _ = try await engine(on: nil).perform(
            Register(email: EmailAddress(ada), password: Secret(goodPassword)))
        let subject = try await world.engine.guessSubject(of: .email(EmailAddress(ada)))
        world.clock.advance(by: .seconds(30 * 86_400 - 1))
        #expect(try await engine(on: nil).recognition(of: subject).isNetworkKnown)
        world.clock.advance(by: .seconds(1))
        #expect(try await !engine(on: nil).recognition(of: subject).isRecognized)
    }
}
