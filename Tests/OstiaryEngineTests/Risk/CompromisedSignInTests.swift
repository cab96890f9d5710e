import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The comparison of passwords at sign-in with the list of compromised ones: see decision 81.
@Suite struct CompromisedSignInTests {
    private let list = ListedPasswords([goodPassword])
    private let world: World
    private static let here = ListedLocations.berlin

    /// Ada's password became known after she chose it.
    init() async throws {
        let before = try World.risky()
        try await before.settled()
        world = try World(
            "clarity", .clarity, seed: 2, sharing: before, compromisedPasswords: list,
            networkLocator: ListedLocations()
        ) { $0.limits = .generous }
    }

    private func signIn(_ password: String = goodPassword) async throws {
        try await world.signIn(at: Self.here, password: password)
        await world.engine.passwordChecks.finish()
    }

    private var notices: Int { world.notificationSealer.messages.count { $0.notice == .passwordCompromised } }

    @Test func `the sign-in succeeds, is audited, and the owner is told once`() async throws {
        try await signIn()
        let event = try #require(try await world.lastEvent("checkPassword"))
        #expect(event.outcome == "password_compromised" && event.account != nil)
        #expect(notices == 1)
        for _ in 1...3 {
            world.clock.advance(by: .seconds(100 * 86_400))
            try await signIn()
        }
        #expect(notices == 1)
    }

    @Test func `it is a signal from the next sign-in on`() async throws {
        try await signIn()
        #expect(try await world.lastEvent("signIn")?.details["risk_signals"] == nil)
        try await signIn()
        #expect(try await world.lastEvent("signIn")?.details["risk_signals"] == "compromised_password")
    }

    @Test func `another password is not compromised, and is compared once a week`() async throws {
        try await signIn()
        let token = try await world.resetToken()
        _ = try await world.engine(at: Self.here).perform(
            ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        world.clock.advance(by: .seconds(2 * 86_400))
        let asked = list.questions
        try await signIn(otherPassword)
        try await signIn(otherPassword)
        #expect(list.questions == asked + 1)
        #expect(try await world.lastEvent("signIn")?.details["risk_signals"] == nil)
        world.clock.advance(by: .seconds(7 * 86_400))
        try await signIn(otherPassword)
        #expect(list.questions == asked + 2)
        #expect(notices == 1)
    }

    @Test func `a wrong password is not compared`() async throws {
        _ = await refusal { try await signIn("wrong password") }
        #expect(list.questions == 0)
    }
}
