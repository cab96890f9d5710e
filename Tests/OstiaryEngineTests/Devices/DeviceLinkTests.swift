import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Links by which an account recognizes a new device.
@Suite struct DeviceLinkTests {
    private let world: World

    init() throws { world = try World.vici() }

    private func request(_ email: String = ada) async throws {
        _ = try await world.engine.perform(RequestDeviceLink(identifier: .email(EmailAddress(email))))
    }

    private func token() throws -> Secret<String> {
        guard case .deviceLink(let token, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        return token
    }

    private func redeem(_ token: Secret<String>, in world: World? = nil) async throws -> Secret<String> {
        let answer = try await (world ?? self.world).engine.perform(RedeemDeviceLink(token: token))
        return try #require(answer.deviceToken)
    }

    private func signIn(
        password: String = goodPassword, from network: String, on device: Secret<String>? = nil
    ) async -> AuthError? {
        await refusal {
            try await world.engine.serving(Caller(network: network, deviceToken: device)).perform(
                SignIn(identifier: .email(EmailAddress(ada)), password: Secret(password)))
        }
    }

    @Test func `RL-02: an owner on a new device signs in by the link after a hundred guesses`() async throws {
        try await world.registered()
        var judged = 0
        while judged < 100 {
            let refusal = await signIn(password: otherPassword, from: "198.51.100.\(judged)")
            if case .tooManyAttempts(let seconds) = refusal {
                world.clock.advance(by: .seconds(Double(seconds)))
            } else {
                judged += 1
            }
        }
        #expect(await signIn(from: "203.0.113.9") == .deviceLinkRequired)
        try await request()
        let device = try await redeem(token())
        #expect(await signIn(from: "203.0.113.9", on: device) == nil)
        #expect(await signIn(password: otherPassword, from: "198.51.100.1") == .deviceLinkRequired)
    }

    @Test func `a link works once, for an hour, and signs nobody in`() async throws {
        try await world.registered()
        try await request()
        let first = try token()
        let sessions = try await world.events().count { $0.session != nil }
        _ = try await redeem(first)
        #expect(try await world.events().count { $0.session != nil } == sessions)
        await #expect(throws: AuthError.challengeRefused) { try await redeem(first) }
        world.clock.advance(by: .seconds(60))
        try await request()
        let second = try token()
        world.clock.advance(by: .seconds(3600))
        await #expect(throws: AuthError.challengeRefused) { try await redeem(second) }
        await #expect(throws: AuthError.challengeRefused) { try await redeem(Secret("AAAA")) }
    }

    @Test func `of 20 parallel uses of one link one succeeds`() async throws {
        try await world.registered()
        try await request()
        let link = try token()
        let devices = await inParallel(20) { _ in try? await redeem(link) }
        #expect(devices.compactMap(\.self).count == 1)
    }

    @Test func `a link is void after a change of the password, and in another app`() async throws {
        try await world.registered()
        try await request()
        let link = try token()
        let other = try World("other", .vici, sharing: world)
        _ = try await other.registered()
        await #expect(throws: AuthError.challengeRefused) { try await redeem(link, in: other) }
        let id = try #require(try await world.account()?.id)
        try await world.administration.setPassword(Secret(otherPassword), of: id)
        await #expect(throws: AuthError.challengeRefused) { try await redeem(link) }
    }

    @Test func `the answer is the same without an account, and no message goes out`() async throws {
        try await world.registered()
        let before = world.notificationSealer.messages.count
        try await request("nobody@example.com")
        #expect(world.notificationSealer.messages.dropFirst(before).allSatisfy { $0.notice == .nothing })
        let named = try World.viewvault()
        _ = try await named.engine.perform(RequestDeviceLink(identifier: .username(Username("nobody"))))
        #expect(named.notificationSealer.messages.allSatisfy { $0.notice == .nothing })
    }

    @Test func `a second request within a minute is answered alike and sends nothing`() async throws {
        try await world.registered()
        try await request()
        let sent = world.notificationSealer.messages.count
        try await request()
        #expect(world.notificationSealer.messages.count == sent)
    }

    @Test func `a page can look a link up without redeeming it`() async throws {
        try await world.registered()
        try await request()
        let link = try token()
        try await world.engine.lookUpDeviceLink(link)
        _ = try await redeem(link)
        await #expect(throws: AuthError.challengeRefused) { try await world.engine.lookUpDeviceLink(link) }
    }
}
