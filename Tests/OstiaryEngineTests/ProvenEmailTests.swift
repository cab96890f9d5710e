import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// The verification of an email: it counts as verified once a person has proved, here or at the provider, to receive
/// its mail.
@Suite struct ProvenEmailTests {
    @Test func `takes nobody's word for an email at registration`() async throws {
        let world = try World.vici()
        try await world.registered()
        #expect(try await world.account()?.isEmailVerified == false)
    }

    @Test func `is proven by whoever confirms a registration`() async throws {
        let world = try World.vici { $0.registersSafely = true }
        _ = await refusal { try await world.registered() }
        guard case .registrationConfirmation(let token, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        _ = try await world.engine.perform(
            ConfirmRegistration(token: token, password: Secret(goodPassword)))
        #expect(try await world.account()?.isEmailVerified == true)
    }

    @Test func `is proven by whoever resets the password from a mail`() async throws {
        let world = try World.vici()
        try await world.registered()
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        #expect(try await world.account()?.isEmailVerified == true)
    }

    @Test(arguments: [true, false])
    func `is as proven as the provider says`(isVerified: Bool) async throws {
        let scene = try BrowserWorld()
        let user = try await scene.signIn(as: .ada { $0.isEmailVerified = isVerified }).user
        let id = try #require(user?.id)
        let account = try await scene.world.store.account(id, in: scene.world.engine.app.name)
        #expect(account?.isEmailVerified == isVerified)
    }
}
