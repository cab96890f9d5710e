import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct SafeRegistrationTests {
    private let world: World

    init() throws { world = try World.vici { $0.registersSafely = true } }

    private func tokenSent(password: String = goodPassword) async throws -> Secret<String> {
        _ = await refusal { try await world.registered(password: password) }
        guard case .registrationConfirmation(let token, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        return token
    }

    @Test func `answers strangers and owners alike, at the same cost`() async throws {
        _ = try await world.engine.perform(
            ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword)))
        world.clock.advance(by: .seconds(60))
        var costs: [[String]] = []
        for address in ["stranger@example.com", ada] {
            let before = (
                calls: world.store.calls.count, hashes: world.hasher.hashes,
                sent: world.notificationSealer.messages.count
            )
            await #expect(throws: AuthError.confirmationRequired) { try await world.registered(address) }
            #expect(world.hasher.hashes == before.hashes + 1)
            #expect(world.notificationSealer.messages.count == before.sent + 1)
            costs.append(Array(world.store.calls.dropFirst(before.calls)))
        }
        #expect(costs[0] == costs[1])
    }

    @Test func `writes to the owner of an address that is taken, without a token`() async throws {
        _ = try await world.engine.perform(
            ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword)))
        world.clock.advance(by: .seconds(60))
        _ = await refusal { try await world.registered(password: otherPassword) }
        #expect(
            world.notificationSealer.messages.last
                == CollectingNotificationSealer.Message(
                    notice: .registrationAttempted, recipient: .email(try EmailAddress(ada))))
    }

    @Test func `writes to one address once a minute, however many register with it`() async throws {
        for _ in 0..<5 {
            await #expect(throws: AuthError.confirmationRequired) { try await world.registered() }
            world.clock.advance(by: .seconds(12))
        }
        #expect(world.notificationSealer.messages.count == 1)
        await #expect(throws: AuthError.confirmationRequired) { try await world.registered() }
        #expect(world.notificationSealer.messages.count == 2)
    }

    @Test func `makes the account when the owner of the address confirms`() async throws {
        let token = try await tokenSent()
        #expect(try await world.account() == nil)
        let answer = try await world.engine.perform(
            ConfirmRegistration(token: token, password: Secret(goodPassword)))
        #expect(try await world.use(answer.tokens).email?.text == ada)
    }

    @Test func `does not finish a registration for whoever does not know its password`() async throws {
        let token = try await tokenSent()
        await #expect(throws: AuthError.wrongCredentials) {
            try await world.engine.perform(
                ConfirmRegistration(token: token, password: Secret(otherPassword)))
        }
        #expect(try await world.account() == nil)
    }

    @Test func `makes one account of one token`() async throws {
        let call = ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword))
        _ = try await world.engine.perform(call)
        await #expect(throws: AuthError.identifierTaken) { try await world.engine.perform(call) }
    }

    @Test func `refuses a token after a day`() async throws {
        let call = ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword))
        world.clock.advance(by: .seconds(86_400))
        await #expect(throws: AuthError.registrationTokenRefused) {
            try await world.engine.perform(call)
        }
    }

    @Test func `refuses another app's token`() async throws {
        let call = ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword))
        let other = try World.clarity { $0.registersSafely = true }
        await #expect(throws: AuthError.registrationTokenRefused) {
            try await other.engine.perform(call)
        }
    }

    @Test(arguments: ["", "x", "AAAA", "not base64!", String(repeating: "A", count: 4000)])
    func `refuses a token that is none`(text: String) async throws {
        await #expect(throws: AuthError.registrationTokenRefused) {
            try await world.engine.perform(
                ConfirmRegistration(token: Secret(text), password: Secret(goodPassword)))
        }
    }
}
