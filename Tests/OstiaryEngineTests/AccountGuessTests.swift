import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The failure backoff of guesses at one account's password, and the callers that it affects.
@Suite struct AccountGuessTests {
    private let world: World
    private static let home = "192.0.2.1"

    init() throws { world = try World.vici() }

    private func engine(from network: String) -> AuthEngine {
        world.engine.serving(Caller(address: network, network: network))
    }

    private func signIn(
        _ email: String = ada, password: String = otherPassword, from network: String
    ) async -> AuthError? {
        await refusal {
            try await engine(from: network).perform(
                SignIn(identifier: .email(EmailAddress(email)), password: Secret(password)))
        }
    }

    /// Registers an owner from the network ``home``.
    private func register(_ email: String = ada) async throws -> Tokens {
        try await engine(from: Self.home).perform(
            Register(email: EmailAddress(email), password: Secret(goodPassword))
        ).tokens
    }

    /// Guesses from one network after another, as soon as a guess is judged again, until so many seconds have passed.
    ///
    /// - Returns: The number of guesses that were judged.
    private func attack(seconds: Double, every step: Double = 1) async -> Int {
        var judged = 0
        var host = 0
        let end = world.clock.now.addingTimeInterval(seconds)
        while world.clock.now < end {
            let refusal = await signIn(from: "198.51.\(host / 250).\(host % 250)")
            host += 1
            if refusal == .wrongCredentials { judged += 1 } else { world.clock.advance(by: .seconds(step)) }
        }
        return judged
    }

    @Test(arguments: [ada, "stranger@example.com"])
    func `PT-03: makes guesses from one network wait longer with each failure, known or not`(email: String) async throws
    {
        _ = try await register()
        for _ in 0..<10 { #expect(await signIn(email, from: "198.51.100.1") == .wrongCredentials) }
        var waits: [Int] = []
        for _ in 0..<10 {
            guard case .tooManyAttempts(let seconds) = await signIn(email, from: "198.51.100.1") else { break }
            waits.append(seconds)
            world.clock.advance(by: .seconds(Double(seconds)))
            #expect(await signIn(email, from: "198.51.100.1") == .wrongCredentials)
        }
        #expect(waits == [6, 12, 24, 48, 96, 192, 384, 768, 900, 900])
    }

    @Test func `PT-03: makes guesses wait however many networks they come from`() async throws {
        _ = try await register()
        let first = await attack(seconds: 3600)
        #expect((20...32).contains(first))
        #expect(await attack(seconds: 3600) <= 5)
    }

    @Test func `PT-03: judges a hundred guesses an hour, though the owner signs in from new networks`() async throws {
        _ = try await register()
        var judged = 0
        for minute in 0..<60 {
            for host in 0..<12 where await signIn(from: "198.51.\(minute).\(host)") == .wrongCredentials { judged += 1 }
            _ = await signIn(password: goodPassword, from: "203.0.113.\(minute)")
            world.clock.advance(by: .seconds(60))
        }
        #expect(judged <= 100)
    }

    @Test func `PT-03: makes no network wait that signed in to the account before`() async throws {
        _ = try await register()
        _ = await attack(seconds: 7200)
        #expect(await signIn(password: goodPassword, from: "203.0.113.9")?.code == "too_many_attempts")
        #expect(await signIn(password: goodPassword, from: Self.home) == nil)
    }

    @Test func `PT-03: knows a network for thirty days after the last sign-in from it`() async throws {
        _ = try await register()
        world.clock.advance(by: .seconds(29 * 86_400))
        _ = await attack(seconds: 600)
        #expect(await signIn(password: goodPassword, from: Self.home) == nil)
        world.clock.advance(by: .seconds(31 * 86_400))
        _ = await attack(seconds: 600)
        #expect(await signIn(password: goodPassword, from: Self.home)?.code == "too_many_attempts")
    }

    @Test func `PT-03: makes a known network wait for its own failures alone`() async throws {
        _ = try await register()
        for _ in 0..<10 { #expect(await signIn(from: Self.home) == .wrongCredentials) }
        #expect(await signIn(password: goodPassword, from: Self.home) == .tooManyAttempts(retryAfterSeconds: 6))
        #expect(await signIn(password: goodPassword, from: "203.0.113.9") == nil)
    }

    @Test func `PT-03: lets no wait of a network known for one account pass for another account`() async throws {
        _ = try await register()
        _ = try await register("thief@example.com")
        for _ in 0..<10 { _ = await signIn("victim@example.com", from: Self.home) }
        #expect(await signIn("victim@example.com", from: Self.home)?.code == "too_many_attempts")
    }

    @Test func `PT-03: forgets the networks of whoever knew the password before it was reset`() async throws {
        _ = try await register()
        #expect(await signIn(password: goodPassword, from: "198.51.100.1") == nil)
        let token = try await world.resetToken()
        _ = try await engine(from: "203.0.113.9").perform(
            ResetPassword(proof: .token(token), password: Secret("yet another battery")))
        _ = await attack(seconds: 600)
        #expect(await signIn(from: "198.51.100.1")?.code == "too_many_attempts")
        #expect(await signIn(password: "yet another battery", from: "203.0.113.9") == nil)
    }

    @Test func `RL-03 PT-03: counts the identifiers of one account together`() async throws {
        let world = try World.viewvault()
        let name = try Username("ada")
        _ = try await world.engine.perform(
            Register(email: EmailAddress(ada), username: name, password: Secret(goodPassword)))
        func guess(_ text: String) async -> AuthError? {
            await refusal {
                try await world.engine.serving(Caller(network: "198.51.100.1")).perform(
                    SignIn(identifier: .username(Username(text)), password: Secret(otherPassword)))
            }
        }
        for round in 0..<10 { #expect(await guess(round % 2 == 0 ? "ada" : ada) == .wrongCredentials) }
        #expect(await guess("ADA")?.code == "too_many_attempts")
        #expect(await guess(ada)?.code == "too_many_attempts")
    }

    @Test func `RL-07 PT-03: makes guesses behind a stolen session wait, and no sign-in with them`() async throws {
        let tokens = try await register()
        func guess() async -> AuthError? {
            await refusal {
                try await engine(from: "198.51.100.1").perform(
                    ChangePassword(
                        accessToken: tokens.accessToken, currentPassword: Secret(otherPassword),
                        newPassword: Secret("yet another battery")))
            }
        }
        for _ in 0..<10 { #expect(await guess() == .wrongCredentials) }
        #expect(await guess()?.code == "too_many_attempts")
        let deletion = await refusal {
            try await engine(from: "198.51.100.2").perform(
                DeleteAccount(accessToken: tokens.accessToken, password: Secret(otherPassword)))
        }
        #expect(deletion?.code == "too_many_attempts")
        #expect(await signIn(password: goodPassword, from: Self.home) == nil)
        #expect(await signIn(password: goodPassword, from: "203.0.113.9") == nil)
    }

    @Test func `PT-03: counts no guess that was too many at once for the server to judge`() async throws {
        _ = try await register()
        for _ in 0..<30 {
            world.hasher.whileHashing { throw AuthError.busy(retryAfterSeconds: 1) }
            #expect(await signIn(from: "198.51.100.1") == .busy(retryAfterSeconds: 1))
        }
        #expect(await signIn(password: goodPassword, from: "198.51.100.1") == nil)
    }

    @Test func `PT-03: judges no more of fifty guesses at once than of fifty in turn`() async throws {
        _ = try await register()
        let refusals = await inParallel(50) { index in await signIn(from: "198.51.100.\(index)") }
        #expect(refusals.count { $0 == .wrongCredentials } == 20)
    }

    @Test func `PT-20: lets any number of people sign in from one network`() async throws {
        for number in 0..<30 {
            try await world.registered("p\(number)@example.com")
            #expect(await signIn("p\(number)@example.com", password: goodPassword, from: "192.0.2.77") == nil)
        }
    }

    @Test func `PT-20: gives back one attempt for one success, and none for guesses at others`() async throws {
        try await world.registered("thief@example.com")
        var judged = 0
        for round in 0..<30 {
            if await signIn("victim\(round)@example.com", from: "192.0.2.77") == .wrongCredentials { judged += 1 }
            _ = await signIn("thief@example.com", password: goodPassword, from: "192.0.2.77")
        }
        #expect(judged == 10)
    }
}
