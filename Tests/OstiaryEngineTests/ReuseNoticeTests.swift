import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The notice to the owner after the reuse of a superseded refresh token.
@Suite struct ReuseNoticeTests {
    private func stolen(in world: World, _ first: Tokens) async throws {
        let second = try await world.refresh(first)
        try await world.use(second)
        world.clock.advance(by: .seconds(30))
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
    }

    @Test func `PT-12: tells the owner once that a session was ended for reuse`() async throws {
        let world = try World.vici()
        let first = try await world.registered().tokens
        try await stolen(in: world, first)
        for _ in 0..<3 {
            await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
        }
        #expect(world.store.queued.count == 1)
        #expect(
            world.notificationSealer.messages
                == [
                    CollectingNotificationSealer.Message(
                        notice: .refreshTokenReused, recipient: .email(try EmailAddress(ada)))
                ])
        #expect(try await world.events().contains { $0.outcome == "refresh_token_reused" && $0.account != nil })
    }

    @Test func `PT-12: tells an owner without an address by SMS`() async throws {
        let world = try World.barqnet()
        let number = try PhoneNumber("+15551234567")
        let code = try await world.codeSent(to: number).code
        let first = try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code)
        ).tokens
        try await stolen(in: world, first)
        let last = try #require(world.notificationSealer.messages.last)
        #expect(
            last == CollectingNotificationSealer.Message(notice: .refreshTokenReused, recipient: .phoneNumber(number)))
    }

    @Test func `PT-12: ends the session although the owner cannot be told`() async throws {
        let world = try World.vici()
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        try await world.use(second)
        world.clock.advance(by: .seconds(30))
        world.notificationSealer.setFull(true)
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(second) }
    }
}
