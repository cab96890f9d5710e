import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct RateLimitingTests {
    private let world: World

    init() throws { world = try World.vici() }

    private func signIn(
        _ email: String = ada, password: String = goodPassword, from network: String? = nil
    ) async -> AuthError? {
        await refusal {
            try await world.engine.serving(Caller(address: network, network: network)).perform(
                SignIn(identifier: .email(EmailAddress(email)), password: Secret(password)))
        }
    }

    @Test(arguments: [ada, "stranger@example.com"])
    func `makes whoever guesses wait, known or not, even with the right password`(email: String) async throws {
        try await world.registered()
        for _ in 0..<10 { #expect(await signIn(email, password: otherPassword) == .wrongCredentials) }
        #expect(await signIn(email, password: otherPassword) == .tooManyAttempts(retryAfterSeconds: 6))
        #expect(await signIn(email, password: goodPassword) == .tooManyAttempts(retryAfterSeconds: 6))
    }

    @Test func `checks no password of whoever has to wait`() async throws {
        for _ in 0..<10 { _ = await signIn() }
        let before = world.hasher.checks
        _ = await signIn()
        #expect(world.hasher.checks == before)
    }

    @Test func `lets the owner in after the wait that it told`() async throws {
        try await world.registered()
        for _ in 0..<11 { _ = await signIn(password: otherPassword) }
        world.clock.advance(by: .seconds(6))
        #expect(await signIn() == nil)
    }

    @Test func `forgives the wrong passwords before the right one`() async throws {
        try await world.registered()
        for _ in 0..<3 {
            for _ in 0..<9 { #expect(await signIn(password: otherPassword) == .wrongCredentials) }
            #expect(await signIn() == nil)
        }
    }

    @Test func `counts the failures of a network over all accounts, so that an account of one's own buys no guesses`()
        async throws
    {
        try await world.registered()
        try await world.registered("thief@example.com")
        for round in 0..<10 {
            #expect(await signIn("victim\(round)@example.com", from: "192.0.2.1") == .wrongCredentials)
            if round < 9 { #expect(await signIn("thief@example.com", from: "192.0.2.1") == nil) }
        }
        #expect(await signIn("thief@example.com", from: "192.0.2.1") == .tooManyAttempts(retryAfterSeconds: 6))
        #expect(await signIn("thief@example.com", from: "192.0.2.2") == nil)
    }

    @Test func `locks nobody out of a known network whom a stranger guesses at from another one`() async throws {
        try await world.registered()
        #expect(await signIn(from: "192.0.2.2") == nil)
        for _ in 0..<11 { _ = await signIn(password: otherPassword, from: "192.0.2.1") }
        #expect(await signIn(from: "192.0.2.1")?.code == "too_many_attempts")
        #expect(await signIn(from: "192.0.2.2") == nil)
    }

    @Test func `makes guesses at one identifier wait, however many networks they come from`() async throws {
        try await world.registered()
        var guesses = 0
        for host in 0..<30 {
            for _ in 0..<10 {
                let refusal = await signIn(password: otherPassword, from: "192.0.2.\(host)")
                if refusal == .wrongCredentials { guesses += 1 }
            }
        }
        #expect(guesses == 5)
        #expect(await signIn(from: "198.51.100.1")?.code == "too_many_attempts")
    }

    @Test func `counts spellings of one identifier together`() async throws {
        let spellings = [ada, "ADA@example.com", " ada@EXAMPLE.com"]
        for round in 0..<10 { #expect(await signIn(spellings[round % 3]) == .wrongCredentials) }
        #expect(await signIn("aDa@example.com")?.code == "too_many_attempts")
    }

    @Test func `counts each app for itself`() async throws {
        for _ in 0..<11 { _ = await signIn() }
        let other = try World("clarity", .clarity, sharing: world)
        await #expect(throws: AuthError.wrongCredentials) { try await other.signIn() }
    }

    @Test func `keeps the counts in the store, where another node finds them`() async throws {
        for _ in 0..<10 { _ = await signIn() }
        let node = try World("vici", .vici, sharing: world)
        #expect((await refusal { try await node.signIn() })?.code == "too_many_attempts")
    }

    @Test func `stores nobody's address or identifier with the counts`() async throws {
        let world = try World.barqnet()
        let engine = world.engine.serving(Caller(address: "192.0.2.1", network: "192.0.2.1"))
        _ = try await engine.perform(RequestCode(phoneNumber: PhoneNumber("+15551234567")))
        _ = try await engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
        // Two limits of three buckets, two cooldowns, two recipients, one prefix, one network, one server.
        #expect(world.store.countedKeys.count == 13)
        for key in world.store.countedKeys {
            for name in ["5551234567", ada, "192.0.2.1"] { #expect(!key.contains(name)) }
        }
    }

    @Test func `counts reads in memory, without a call of the store`() async throws {
        let tokens = try await world.registered().tokens
        let before = world.store.calls.count
        let engine = world.engine.serving(Caller(network: "192.0.2.1"))
        for _ in 0..<600 { _ = try await engine.perform(CurrentUser(accessToken: tokens.accessToken)) }
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 1)) {
            try await engine.perform(CurrentUser(accessToken: tokens.accessToken))
        }
        #expect(!world.store.calls.dropFirst(before).contains("count"))
    }

    @Test func `limits the refreshes of one session, and not those of another`() async throws {
        let world = try World.vici { $0.limits.perIdentifier[.refresh] = RateLimit(attempts: 3, perSeconds: 60) }
        var tokens = try await world.registered().tokens
        let other = try await world.signIn().tokens
        for _ in 0..<3 { tokens = try await world.refresh(tokens) }
        #expect((await refusal { try await world.refresh(tokens) })?.code == "too_many_attempts")
        _ = try await world.refresh(other)
    }

    @Test func `limits resets for one address from all networks together to ten times those of one`() async throws {
        let world = try World.vici {
            $0.limits.perAddress = [:]
            $0.limits.perIdentifier[.reset] = RateLimit(attempts: 1, perSeconds: 3600)
        }
        func request(from network: Int) async -> String? {
            let engine = world.engine.serving(Caller(network: "192.0.2.\(network)"))
            return await refusal { try await engine.perform(RequestPasswordReset(email: EmailAddress(ada))) }?.code
        }
        for network in 1...10 { #expect(await request(from: network) == nil) }
        #expect(await request(from: 10) == "too_many_attempts")
        #expect(await request(from: 11) == "too_many_attempts")
    }

    @Test func `the right password counts as a guess until the second factor is shown`() async throws {
        let world = try World.vici()
        _ = try await world.enrolled(world.registered().tokens)
        let engine = world.engine.serving(Caller(network: "192.0.2.1"))
        func attempt() async -> AuthError? {
            await refusal {
                try await engine.perform(
                    SignIn(identifier: .email(EmailAddress(ada)), password: Secret(goodPassword)))
            }
        }
        var outcomes: [AuthError?] = []
        for _ in 0..<20 { outcomes.append(await attempt()) }
        #expect(outcomes.first??.code == "challenge_required" && outcomes.last??.code == "too_many_attempts")
    }

    @Test func `limits resets asked for one address, whoever it is`() async throws {
        for _ in 0..<5 {
            _ = try await world.engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
        }
        #expect(
            (await refusal {
                try await world.engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
            })?.code == "too_many_attempts")
    }

    @Test func `limits guesses at one number's codes over all its codes`() async throws {
        let world = try World.barqnet {
            $0.limits.perIdentifier[.codeRequest] = RateLimit(attempts: 99, perSeconds: 1)
            $0.messages = .generous
        }
        let number = try PhoneNumber("+15551234567")
        var guesses = 0
        for _ in 0..<20 {
            let session = try await world.codeSent(to: number).session
            for guess in ["1111", "1112", "1113", "1114"] {
                let refusal = await refusal {
                    try await world.engine.perform(
                        VerifyCode(phoneNumber: number, code: OneTimeCode(guess), codeSession: session))
                }
                if refusal == .codeRefused { guesses += 1 }
            }
            world.clock.advance(by: .seconds(60))
        }
        // Ten, and the refill of a bucket of ten an hour in twenty minutes.
        #expect((10...13).contains(guesses))
    }
}
