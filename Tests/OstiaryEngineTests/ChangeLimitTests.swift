import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryEngine

/// The limit of changes of which an account's owner is informed: see decision 89.
@Suite struct ChangeLimitTests {
    private let number: PhoneNumber

    init() throws { number = try PhoneNumber("+15551234567") }

    /// An app of two changes a day, for people with phone numbers.
    private func world() throws -> World {
        try .barqnet { app in
            app.limits = .generous
            app.messages.perRecipientDay = 1
        }
    }

    private func registered(_ world: World) async throws -> Tokens {
        let code = try await world.codeSent(to: number).code
        return try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code)
        ).tokens
    }

    private func replaceCodes(_ tokens: Tokens, in world: World) async -> AuthError? {
        await refusal { try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)) }
    }

    private func notices(in world: World) -> Int {
        world.notificationSealer.messages.count { $0.notice.factorNotice != nil }
    }

    @Test func `PT-44: the holder of a number causes twice the messages of a day, and no more changes`() async throws {
        let world = try world()
        let tokens = try await registered(world)
        _ = try await world.enrolled(tokens)
        #expect(await replaceCodes(tokens, in: world) == nil)
        let queued = world.store.queued.count
        #expect(await replaceCodes(tokens, in: world)?.code == "too_many_attempts")
        #expect(world.store.queued.count == queued)
        #expect(notices(in: world) == 2)
        world.clock.advance(by: .seconds(43_200))
        let app = world.engine.app.name
        let account = try #require(try await world.store.account(identifiedBy: .phoneNumber(number), in: app))
        #expect(await refusal { try await world.engine.countChange(of: account) } == nil)
        #expect(await refusal { try await world.engine.countChange(of: account) }?.code == "too_many_attempts")
    }

    @Test func `each kind of change counts`() async throws {
        let world = try World.vici { app in
            app.limits = .generous
            app.messages.perRecipientDay = 2
        }
        let tokens = try await world.registered().tokens
        let app = try await world.enrolled(tokens).app
        #expect(await replaceCodes(tokens, in: world) == nil)
        _ = try await world.engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: app.id))
        func change(from old: String, to new: String) async -> AuthError? {
            await refusal {
                try await world.engine.perform(
                    ChangePassword(
                        accessToken: tokens.accessToken, currentPassword: Secret(old), newPassword: Secret(new)))
            }
        }
        // A refused change sends no notice.
        #expect(await change(from: goodPassword, to: "short") != nil)
        #expect(await change(from: goodPassword, to: otherPassword) == nil)
        #expect(await change(from: otherPassword, to: goodPassword)?.code == "too_many_attempts")
        let pending = try await world.engine.perform(BeginTOTP(accessToken: tokens.accessToken))
        let code = World.Authenticator(id: pending.factorID, secret: try world.secret(in: pending)).code(world)
        let addition = await refusal {
            try await world.engine.perform(
                ConfirmTOTP(accessToken: tokens.accessToken, factorID: pending.factorID, code: OneTimeCode(code)))
        }
        #expect(addition?.code == "too_many_attempts")
    }

    @Test func `an owner whom a thief left no changes has the link of a notice and the reset`() async throws {
        let world = try World.passkeys { $0.messages.perRecipientDay = 2 }
        try await world.registered()
        let reset = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(reset), password: Secret(goodPassword)))
        let tokens = try await world.signIn().tokens
        _ = try await world.enrolled(tokens)
        for _ in 1...3 { #expect(await replaceCodes(tokens, in: world) == nil) }
        #expect(await replaceCodes(tokens, in: world)?.code == "too_many_attempts")
        let notice = try #require(world.notificationSealer.messages.last?.notice.factorNotice)
        _ = try await world.engine.undoFactorChange(#require(notice.undoToken))
        #expect(await replaceCodes(tokens, in: world) == .sessionRevoked)
        world.clock.advance(by: .seconds(60))
        let second = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(second), password: Secret(otherPassword)))
    }

    @Test func `an account that is deleted and registered again sends no more`() async throws {
        let world = try World.vici { app in
            app.limits = .generous
            app.messages.perRecipientDay = 1
        }
        for _ in 1...2 {
            let tokens = try await world.registered().tokens
            _ = await refusal { try await world.enrolled(tokens) }
            _ = await replaceCodes(tokens, in: world)
            _ = try await world.engine.perform(
                DeleteAccount(accessToken: tokens.accessToken, password: Secret(goodPassword)))
        }
        #expect(notices(in: world) == 2)
    }

    @Test func `sessions that end for reuse tell no more than that`() async throws {
        let world = try World.vici { app in
            app.limits = .generous
            app.messages.perRecipientDay = 1
        }
        try await world.registered()
        for _ in 1...3 {
            let first = try await world.signIn().tokens
            try await world.use(world.refresh(first))
            world.clock.advance(by: .seconds(30))
            #expect(await refusal { try await world.refresh(first) } == .refreshTokenReused)
        }
        #expect(world.notificationSealer.messages.count { $0.notice == .refreshTokenReused } == 2)
    }
}
