import Foundation
import OstiaryCore
import OstiaryTesting
@testable import OstiaryEngine
import Testing

@Suite struct CodeTests {
    private let world: World
    private let number: PhoneNumber

    init() throws {
        world = try World.barqnet()
        number = try PhoneNumber("+15551234567")
    }

    private func verify(_ code: OneTimeCode, _ session: String, of other: PhoneNumber? = nil) async throws
        -> CodeVerified
    {
        try await world.engine.perform(
            VerifyCode(phoneNumber: other ?? number, code: code, codeSession: session))
    }

    private func wrong(_ code: OneTimeCode) throws -> OneTimeCode {
        try OneTimeCode(code.reveal() == "000000" ? "000001" : "000000")
    }

    @Test func `sends six digits that are good for five minutes`() async throws {
        let code = try await world.codeSent(to: number).code
        #expect(code.reveal().utf8.count == 6)
        #expect(
            world.notificationSealer.messages
                == [.init(notice: .oneTimeCode(code, lifetimeSeconds: 300), recipient: .phoneNumber(number))])
    }

    @Test func `takes a right code as often as it is shown`() async throws {
        let (code, session) = try await world.codeSent(to: number)
        let first = try await verify(code, session)
        for _ in 0..<6 { #expect(try await verify(code, session) == first) }
    }

    @Test func `is proven by another token each time one is sent`() async throws {
        let numbers = try ["+15551234567", "+15557654321"].map { try PhoneNumber($0) }
        var proofs: Set<Secret<String>> = []
        for number in numbers {
            let (code, session) = try await world.codeSent(to: number)
            proofs.insert(try await verify(code, session, of: number).verificationToken)
        }
        #expect(proofs.count == 2)
    }

    @Test func `is dead after five wrong tries, even for the right code`() async throws {
        let (code, session) = try await world.codeSent(to: number)
        let wrong = try wrong(code)
        for _ in 0..<5 { await #expect(throws: AuthError.codeRefused) { try await verify(wrong, session) } }
        await #expect(throws: AuthError.codeRefused) { try await verify(code, session) }
    }

    @Test func `gives a right guess its try back`() async throws {
        let (code, session) = try await world.codeSent(to: number)
        for _ in 0..<4 { _ = await refusal { try await verify(wrong(code), session) } }
        _ = try await verify(code, session)
        _ = try await verify(code, session)
        await #expect(throws: AuthError.codeRefused) { try await verify(wrong(code), session) }
        await #expect(throws: AuthError.codeRefused) { try await verify(code, session) }
    }

    @Test(arguments: [(-1.0, nil), (0, AuthError.codeRefused), (1, .codeRefused)] as [(Double, AuthError?)])
    func `lives for five minutes`(offset: Double, expected: AuthError?) async throws {
        let (code, session) = try await world.codeSent(to: number)
        world.clock.advance(by: .seconds(300 + offset))
        #expect(await refusal { try await verify(code, session) } == expected)
    }

    @Test func `dies when another is asked for`() async throws {
        let (old, oldSession) = try await world.codeSent(to: number)
        world.clock.advance(by: .seconds(60))
        let (new, newSession) = try await world.codeSent(to: number)
        await #expect(throws: AuthError.codeRefused) { try await verify(old, oldSession) }
        await #expect(throws: AuthError.codeRefused) { try await verify(new, oldSession) }
        _ = try await verify(new, newSession)
    }

    @Test func `is refused with another number`() async throws {
        let (code, session) = try await world.codeSent(to: number)
        let other = try PhoneNumber("+15557654321")
        let (_, otherSession) = try await world.codeSent(to: other)
        await #expect(throws: AuthError.codeRefused) { try await verify(code, otherSession, of: other) }
        await #expect(throws: AuthError.codeRefused) { try await verify(code, session, of: other) }
        _ = try await verify(code, session)
    }

    @Test func `is refused in another app`() async throws {
        let (code, session) = try await world.codeSent(to: number)
        let other = try World("other", .barqnet, sharing: world)
        await #expect(throws: AuthError.codeRefused) {
            try await other.engine.perform(VerifyCode(phoneNumber: number, code: code, codeSession: session))
        }
    }

    @Test func `makes whoever asks again wait for a minute, and says how long`() async throws {
        _ = try await world.codeSent(to: number)
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 60)) { try await world.codeSent(to: number) }
        world.clock.advance(by: .seconds(45.5))
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 15)) { try await world.codeSent(to: number) }
        world.clock.advance(by: .seconds(14.5))
        _ = try await world.codeSent(to: number)
    }

    @Test func `makes another number wait for nobody`() async throws {
        _ = try await world.codeSent(to: number)
        _ = try await world.codeSent(to: PhoneNumber("+15557654321"))
    }

    @Test func `costs the same whether or not the number has an account`() async throws {
        let stranger = try PhoneNumber("+15557654321")
        let code = try await world.codeSent(to: number).code
        _ = try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        world.clock.advance(by: .seconds(60))
        var costs: [[String]] = []
        for number in [number, stranger] {
            let before = world.store.calls.count
            _ = try await world.codeSent(to: number)
            costs.append(Array(world.store.calls.dropFirst(before)))
        }
        #expect(costs[0] == costs[1])
    }

    @Test func `are uniform over 20,000 draws`() {
        let randomness = SeededRandomness(seed: 20_000)
        let system = SystemDependencies(now: { .distantPast }, randomBytes: { randomness.bytes($0) })
        var counts = [Int](repeating: 0, count: 10)
        var firsts = counts
        for _ in 0..<20_000 {
            let digits = system.randomDigits(6).utf8.map { Int($0) - 48 }
            #expect(digits.count == 6)
            for digit in digits { counts[digit] += 1 }
            firsts[digits[0]] += 1
        }
        // Chi-squared with 9 degrees of freedom: 27.88 is exceeded once in a thousand.
        #expect(chiSquared(counts) < 27.88)
        #expect(chiSquared(firsts) < 27.88)
    }

    private func chiSquared(_ counts: [Int]) -> Double {
        let expected = Double(counts.reduce(0, +)) / Double(counts.count)
        return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    }
}
