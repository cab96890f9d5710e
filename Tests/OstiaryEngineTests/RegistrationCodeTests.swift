import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct RegistrationCodeTests {
    private let number: PhoneNumber
    private let world: World

    init() throws {
        number = try PhoneNumber("+15551234567")
        world = try World.barqnet()
    }

    private func register(_ code: OneTimeCode?, as other: PhoneNumber? = nil) async throws -> SignedIn {
        try await world.engine.perform(
            Register(phoneNumber: other ?? number, password: Secret(goodPassword), code: code))
    }

    @Test func `asks for a code`() async throws {
        await #expect(throws: AuthError.invalid(.code, .missing)) { try await register(nil) }
    }

    @Test func `refuses a code where none was sent`() async throws {
        await #expect(throws: AuthError.codeRefused) { try await register(OneTimeCode("000000")) }
    }

    @Test func `refuses the code of another number`() async throws {
        let code = try await world.codeSent(to: number).code
        let other = try PhoneNumber("+15557654321")
        _ = try await world.codeSent(to: other)
        await #expect(throws: AuthError.codeRefused) { try await register(code, as: other) }
    }

    @Test func `takes the code that was verified before`() async throws {
        let (code, session) = try await world.codeSent(to: number)
        _ = try await world.engine.perform(VerifyCode(phoneNumber: number, code: code, codeSession: session))
        _ = try await register(code)
    }

    @Test func `spends the code`() async throws {
        let code = try await world.codeSent(to: number).code
        let id = try #require(try await register(code).user?.id)
        _ = try await world.store.delete(id, in: world.engine.app.name, credentialVersion: nil)
        await #expect(throws: AuthError.codeRefused) { try await register(code) }
    }

    @Test func `does not spend the code on a password that is not acceptable`() async throws {
        let code = try await world.codeSent(to: number).code
        _ = await refusal {
            try await world.engine.perform(Register(phoneNumber: number, password: Secret("short"), code: code))
        }
        _ = try await register(code)
    }

    @Test func `tells only the owner of a number that it is taken`() async throws {
        _ = try await register(world.codeSent(to: number).code)
        world.clock.advance(by: .seconds(60))
        let code = try await world.codeSent(to: number).code
        let wrong = try OneTimeCode(code.reveal() == "000000" ? "000001" : "000000")
        await #expect(throws: AuthError.codeRefused) { try await register(wrong) }
        await #expect(throws: AuthError.identifierTaken) { try await register(code) }
    }

    @Test func `counts guesses taken along in registrations as guesses at codes`() async throws {
        let world = try World.barqnet { $0.limits.perIdentifier[.codeRequest] = RateLimit(attempts: 99, perSeconds: 1) }
        var guesses = 0
        var last: AuthError?
        for _ in 0..<4 {
            let code = try await world.codeSent(to: number).code
            let wrong = try OneTimeCode(code.reveal() == "000000" ? "000001" : "000000")
            for _ in 0..<5 {
                last = await refusal {
                    try await world.engine.perform(
                        Register(phoneNumber: number, password: Secret(goodPassword), code: wrong))
                }
                if last == .codeRefused { guesses += 1 }
            }
            world.clock.advance(by: .seconds(61))
        }
        #expect(guesses == 10)
        #expect(last?.code == "too_many_attempts")
    }
}
