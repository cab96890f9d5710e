import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// Guesses at one-time codes by callers who hold the code session, requested the code, or neither.
@Suite struct CodeGuessTests {
    private let world: World
    private let number: PhoneNumber
    private static let home = "192.0.2.1"
    private static let away = "198.51.100.1"

    init() throws {
        world = try World.barqnet { $0.messages = .generous }
        number = try PhoneNumber("+15551234567")
    }

    private func engine(from network: String) -> AuthEngine {
        world.engine.serving(Caller(address: network, network: network))
    }

    private struct Sent {
        var code: OneTimeCode
        var wrong: OneTimeCode
        var session: String
    }

    private func send(from network: String = home) async throws -> Sent {
        let session = try await engine(from: network).perform(RequestCode(phoneNumber: number)).codeSession
        guard case .oneTimeCode(let code, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        let wrong = try OneTimeCode(code.reveal() == "000000" ? "000001" : "000000")
        return Sent(code: code, wrong: wrong, session: session)
    }

    private func verify(_ code: OneTimeCode, _ session: String, from network: String) async -> AuthError? {
        await refusal {
            try await engine(from: network).perform(
                VerifyCode(phoneNumber: number, code: code, codeSession: session))
        }
    }

    private func register(_ code: OneTimeCode, from network: String) async -> AuthError? {
        await refusal {
            try await engine(from: network).perform(
                Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        }
    }

    private func reset(_ code: OneTimeCode, from network: String) async -> AuthError? {
        await refusal {
            try await engine(from: network).perform(
                ResetPassword(proof: .code(code, number), password: Secret(otherPassword)))
        }
    }

    /// Guesses wrongly through every operation that accepts a code, as a caller without a code session.
    private func guess(_ wrong: OneTimeCode, times: Int = 10, from network: String) async {
        for _ in 0..<times {
            _ = await verify(wrong, "made up", from: network)
            _ = await register(wrong, from: network)
            _ = await reset(wrong, from: network)
        }
    }

    @Test func `PT-06: lets the owner register and reset whom another network guesses at`() async throws {
        let first = try await send()
        await guess(first.wrong, from: Self.away)
        #expect(await register(first.code, from: Self.home) == nil)
        world.clock.advance(by: .seconds(60))
        let second = try await send()
        await guess(second.wrong, from: "198.51.100.2")
        #expect(await reset(second.code, from: Self.home) == nil)
    }

    @Test func `PT-06: lets an owner register who shares a network with the guesses and showed the session`()
        async throws
    {
        let sent = try await send()
        for _ in 0..<8 { _ = await register(sent.wrong, from: Self.home) }
        #expect(await register(sent.code, from: Self.home) == .codeRefused)
        #expect(await verify(sent.code, sent.session, from: Self.home) == nil)
        #expect(await register(sent.code, from: Self.home) == nil)
    }

    @Test func `PT-06: lets the owner show a code from another network than asked for it`() async throws {
        let sent = try await send(from: Self.away)
        await guess(sent.wrong, from: "203.0.113.9")
        #expect(await verify(sent.code, sent.session, from: Self.home) == nil)
        #expect(await register(sent.code, from: Self.home) == nil)
    }

    @Test func `PT-06: counts guesses without a live code against their network alone`() async throws {
        let wrong = try OneTimeCode("000000")
        for host in 0..<5 { await guess(wrong, from: "198.51.100.\(host)") }
        let sent = try await send()
        #expect(await verify(sent.code, sent.session, from: Self.home) == nil)
        #expect(await register(sent.code, from: Self.home) == nil)
    }

    @Test func `OT-01 PT-06: kills a code for everyone after five wrong guesses with its session`() async throws {
        let sent = try await send()
        for _ in 0..<5 { #expect(await verify(sent.wrong, sent.session, from: Self.home) == .codeRefused) }
        #expect(await verify(sent.code, sent.session, from: Self.home) == .codeRefused)
        #expect(await register(sent.code, from: Self.home) == .codeRefused)
    }

    @Test(arguments: [home, away])
    func `OT-01 PT-06: refuses the right code without its session after five wrong ones without it`(network: String)
        async throws
    {
        let sent = try await send()
        for _ in 0..<5 { #expect(await register(sent.wrong, from: network) == .codeRefused) }
        #expect(await register(sent.code, from: network) == .codeRefused)
    }

    @Test func `OT-02 PT-06: judges ten guesses an hour from one network over all codes of a number`() async throws {
        let world = try World.barqnet {
            $0.messages = .generous
            $0.limits.perIdentifier[.codeRequest] = RateLimit(attempts: 1_000_000, perSeconds: 1)
            $0.limits.perAddress[.codeRequest] = RateLimit(attempts: 1_000_000, perSeconds: 1)
        }
        let engine = world.engine.serving(Caller(network: Self.away))
        var judged = 0
        for _ in 0..<50 {
            let session = try await engine.perform(RequestCode(phoneNumber: number)).codeSession
            for guess in ["1111", "1112", "1113", "1114"] {
                let refusal = await refusal {
                    try await engine.perform(
                        VerifyCode(phoneNumber: number, code: OneTimeCode(guess), codeSession: session))
                }
                if refusal == .codeRefused { judged += 1 }
            }
            world.clock.advance(by: .seconds(61))
        }
        // Ten, and the refill of a bucket of ten an hour in fifty minutes.
        #expect((10...19).contains(judged))
    }

    @Test func `PT-06: counts guesses at one code from all networks but the asking one together`() async throws {
        let sent = try await send()
        for host in 0..<5 { #expect(await register(sent.wrong, from: "198.51.100.\(host)") == .codeRefused) }
        #expect(await register(sent.code, from: "198.51.100.9") == .codeRefused)
        #expect(await register(sent.code, from: Self.home) == nil)
    }

    @Test func `PT-06: lets a person behind a busy network check a code, for only wrong ones count`() async throws {
        let world = try World.barqnet { $0.limits.perAddress[.codeCheck] = RateLimit(attempts: 2, perSeconds: 3600) }
        let engine = world.engine.serving(Caller(network: Self.home))
        for index in 0..<5 {
            let number = try PhoneNumber("+1555123456\(index)")
            let session = try await engine.perform(RequestCode(phoneNumber: number)).codeSession
            guard case .oneTimeCode(let code, _)? = world.notificationSealer.messages.last?.notice else {
                throw World.NothingCame()
            }
            _ = try await engine.perform(VerifyCode(phoneNumber: number, code: code, codeSession: session))
        }
    }

    @Test func `PT-06: keeps no owner from registering an address that another network tries`() async throws {
        let world = try World.vici()
        for _ in 0..<30 {
            _ = await refusal {
                try await world.engine.serving(Caller(network: Self.away)).perform(
                    Register(email: EmailAddress(ada), password: Secret("short")))
            }
        }
        _ = try await world.engine.serving(Caller(network: Self.home)).perform(
            Register(email: EmailAddress(ada), password: Secret(goodPassword)))
    }
}
