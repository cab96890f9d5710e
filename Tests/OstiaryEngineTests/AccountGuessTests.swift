import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// The failure backoff of guesses at one account's password, and the callers that it affects.
@Suite struct AccountGuessTests {
    private let world: World
    private static let home = "192.0.2.1"

    init() throws { world = try World.vici() }

    private func engine(from network: String, on device: Secret<String>? = nil) -> AuthEngine {
        world.engine.serving(Caller(address: network, network: network, deviceToken: device))
    }

    private func signIn(
        _ email: String = ada, password: String = otherPassword, from network: String, on device: Secret<String>? = nil
    ) async -> AuthError? {
        await refusal {
            try await engine(from: network, on: device).perform(
                SignIn(identifier: .email(EmailAddress(email)), password: Secret(password)))
        }
    }

    /// Registers an owner from the network ``home``.
    @discardableResult
    private func register(_ email: String = ada) async throws -> SignedIn {
        try await engine(from: Self.home).perform(Register(email: EmailAddress(email), password: Secret(goodPassword)))
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
    func `PT-03: makes guesses wait longer with each failure, known or not, wherever they come from`(
        email: String
    ) async throws {
        try await register()
        for host in 0..<5 { #expect(await signIn(email, from: "198.51.100.\(host)") == .wrongCredentials) }
        var waits: [Int] = []
        for host in 0..<12 {
            guard case .tooManyAttempts(let seconds) = await signIn(email, from: "203.0.113.\(host)") else { break }
            waits.append(seconds)
            world.clock.advance(by: .seconds(Double(seconds)))
            #expect(await signIn(email, from: "203.0.113.\(host)") == .wrongCredentials)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    }

    @Test func `PT-03: judges 17 guesses in the first hour and 96 in a day`() async throws {
        try await register()
        #expect(await attack(seconds: 3600) == 17)
        #expect(await attack(seconds: 23 * 3600, every: 15) <= 96 - 17)
    }

    @Test func `PT-03: judges at most 96 guesses a day, though the owner signs in from new networks`() async throws {
        try await register()
        var judged = 0
        for hour in 0..<24 {
            for host in 0..<12 where await signIn(from: "198.51.\(hour).\(host)") == .wrongCredentials { judged += 1 }
            world.clock.advance(by: .seconds(1800))
            _ = await signIn(password: goodPassword, from: "203.0.113.\(hour)")
            world.clock.advance(by: .seconds(1800))
        }
        #expect((60...96).contains(judged))
    }

    @Test(arguments: [ada, "stranger@example.com"])
    func `PT-03: judges no guess after a hundred failures, known or not, until a device link is opened`(
        email: String
    ) async throws {
        try await register()
        var judged = 0
        while judged < 200 {
            let refusal = await signIn(email, from: "198.51.\(judged / 250).\(judged % 250)")
            if case .tooManyAttempts(let seconds) = refusal {
                world.clock.advance(by: .seconds(Double(seconds)))
                continue
            }
            guard refusal == .wrongCredentials else { break }
            judged += 1
        }
        #expect(judged == 100)
        let hashes = world.hasher.checks
        for _ in 0..<3 {
            world.clock.advance(by: .seconds(86_400))
            #expect(await signIn(email, password: goodPassword, from: "203.0.113.9") == .deviceLinkRequired)
        }
        #expect(world.hasher.checks == hashes)
    }

    @Test func `PT-03: of a day of guesses from 10,000 networks the owner feels nothing`() async throws {
        var device = try await register().deviceToken
        var judged = 0
        for host in 0..<10_000 {
            let network = "198.\(51 + host / 62_500).\(host / 250 % 250).\(host % 250)"
            if await signIn(from: network) == .wrongCredentials { judged += 1 }
            world.clock.advance(by: .seconds(8.64))
            guard host % 1000 == 999 else { continue }
            // From a recognized device on a new network, and without it from the network of an earlier sign-in.
            let signedIn = try await engine(from: "203.0.113.\(host / 1000)", on: device).perform(
                SignIn(identifier: .email(EmailAddress(ada)), password: Secret(goodPassword)))
            device = signedIn.deviceToken
            #expect(await signIn(password: goodPassword, from: Self.home) == nil)
        }
        #expect((80...96).contains(judged))
        #expect(await signIn(password: goodPassword, from: "192.0.2.200")?.code == "too_many_attempts")
    }

    @Test func `PT-03: knows a network for thirty days after the last sign-in from it`() async throws {
        try await register()
        world.clock.advance(by: .seconds(29 * 86_400))
        _ = await attack(seconds: 600)
        #expect(await signIn(password: goodPassword, from: Self.home) == nil)
        world.clock.advance(by: .seconds(31 * 86_400))
        _ = await attack(seconds: 600)
        #expect(await signIn(password: goodPassword, from: Self.home)?.code == "too_many_attempts")
    }

    @Test func `PT-03: a known network counts as unrecognized after ten failures of its own, until its next success`()
        async throws
    {
        try await register()
        for _ in 0..<10 { #expect(await signIn(from: Self.home) == .wrongCredentials) }
        #expect(await signIn(password: goodPassword, from: "203.0.113.9") == nil)
        world.clock.advance(by: .seconds(60))
        for _ in 0..<5 { #expect(await signIn(from: Self.home) == .wrongCredentials) }
        #expect(await signIn(from: "203.0.113.10") == .tooManyAttempts(retryAfterSeconds: 1))
        world.clock.advance(by: .seconds(60))
        #expect(await signIn(password: goodPassword, from: Self.home) == nil)
        for _ in 0..<5 { #expect(await signIn(from: "203.0.113.10") == .wrongCredentials) }
        #expect(await signIn(password: goodPassword, from: Self.home) == nil)
    }

    @Test func `PT-03: a recognized device counts as unrecognized after ten failures, until its next success`()
        async throws
    {
        let device = try #require(try await register().deviceToken)
        for _ in 0..<10 { #expect(await signIn(from: "203.0.113.1", on: device) == .wrongCredentials) }
        let subject = try await world.engine.guessSubject(of: .email(EmailAddress(ada)))
        #expect(try await !engine(from: "203.0.113.1", on: device).recognition(of: subject).isDeviceRecognized)
        world.clock.advance(by: .seconds(60))
        for _ in 0..<5 { #expect(await signIn(from: "203.0.113.1", on: device) == .wrongCredentials) }
        #expect(await signIn(from: "203.0.113.2", on: device) == .tooManyAttempts(retryAfterSeconds: 1))
        world.clock.advance(by: .seconds(60))
        let signedIn = try await engine(from: "203.0.113.2", on: device).perform(
            SignIn(identifier: .email(EmailAddress(ada)), password: Secret(goodPassword)))
        for host in 3..<8 { #expect(await signIn(from: "203.0.113.\(host)") == .wrongCredentials) }
        #expect(await signIn(password: goodPassword, from: "203.0.113.9", on: signedIn.deviceToken) == nil)
    }

    @Test func `PT-03: of 50 guesses at once on a recognized device ten are judged, and five as of others`()
        async throws
    {
        let device = try await register().deviceToken
        let refusals = await inParallel(50) { index in await signIn(from: "198.51.100.\(index)", on: device) }
        #expect((10...15).contains(refusals.count { $0 == .wrongCredentials }))
    }

    @Test func `PT-03: a success resets the failures of its own class alone`() async throws {
        let device = try await register().deviceToken
        for host in 0..<5 { #expect(await signIn(from: "198.51.100.\(host)") == .wrongCredentials) }
        let signedIn = try await engine(from: "203.0.113.1", on: device).perform(
            SignIn(identifier: .email(EmailAddress(ada)), password: Secret(goodPassword)))
        #expect(await signIn(password: goodPassword, from: Self.home) == nil)
        #expect(await signIn(from: "198.51.100.9") == .tooManyAttempts(retryAfterSeconds: 1))
        world.clock.advance(by: .seconds(1))
        #expect(await signIn(password: goodPassword, from: "198.51.100.9") == nil)
        for host in 0..<4 { #expect(await signIn(from: "198.51.101.\(host)") == .wrongCredentials) }
        #expect(await signIn(password: goodPassword, from: "203.0.113.1", on: signedIn.deviceToken) == nil)
    }

    @Test func `PT-03: forgets the failures of unrecognized callers a month after the last guess`() async throws {
        try await register()
        for host in 0..<4 { #expect(await signIn(from: "198.51.100.\(host)") == .wrongCredentials) }
        world.clock.advance(by: .seconds(29 * 86_400))
        #expect(await signIn(from: "198.51.100.9") == .wrongCredentials)
        #expect(await signIn(from: "198.51.100.9") == .tooManyAttempts(retryAfterSeconds: 1))
        world.clock.advance(by: .seconds(30 * 86_400))
        for host in 0..<5 { #expect(await signIn(from: "198.51.100.\(host)") == .wrongCredentials) }
    }

    @Test func `PT-03: lets no wait of a network known for one account pass for another account`() async throws {
        try await register()
        try await register("thief@example.com")
        for _ in 0..<5 { _ = await signIn("victim@example.com", from: Self.home) }
        #expect(await signIn("victim@example.com", from: Self.home)?.code == "too_many_attempts")
    }

    @Test func `PT-03: forgets the networks of whoever knew the password before it was reset`() async throws {
        try await register()
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
        for round in 0..<5 { #expect(await guess(round % 2 == 0 ? "ada" : ada) == .wrongCredentials) }
        #expect(await guess("ADA")?.code == "too_many_attempts")
        #expect(await guess(ada)?.code == "too_many_attempts")
    }

    @Test func `RL-07 PT-03: makes guesses behind a stolen session wait, and no sign-in with them`() async throws {
        let tokens = try await register().tokens
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
        try await register()
        for _ in 0..<30 {
            world.hasher.whileHashing { throw AuthError.busy(retryAfterSeconds: 1) }
            #expect(await signIn(from: "198.51.100.1") == .busy(retryAfterSeconds: 1))
        }
        #expect(await signIn(password: goodPassword, from: "198.51.100.1") == nil)
    }

    @Test func `PT-03: judges no more of fifty guesses at once than of fifty in turn`() async throws {
        try await register()
        let refusals = await inParallel(50) { index in await signIn(from: "198.51.100.\(index)") }
        #expect(refusals.count { $0 == .wrongCredentials } == 5)
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
