import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct PasswordResetByCodeTests {
    private let world: World
    private let number: PhoneNumber

    init() throws {
        world = try World.barqnet()
        number = try PhoneNumber("+15551234567")
    }

    private func reset(_ code: OneTimeCode, of number: PhoneNumber) async throws {
        _ = try await world.engine.perform(
            ResetPassword(proof: .code(code, number), password: Secret(otherPassword)))
    }

    private func register() async throws -> Tokens {
        let code = try await world.codeSent(to: number).code
        let answer = try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        world.clock.advance(by: .seconds(60))
        return answer.tokens
    }

    @Test func `sets a password for the owner of the number, once`() async throws {
        let tokens = try await register()
        let code = try await world.codeSent(to: number).code
        try await reset(code, of: number)
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
        await #expect(throws: AuthError.codeRefused) { try await reset(code, of: number) }
        _ = try await world.engine.perform(
            SignIn(identifier: .phoneNumber(number), password: Secret(otherPassword)))
    }

    @Test func `refuses the code of another number`() async throws {
        let tokens = try await register()
        let other = try PhoneNumber("+15557654321")
        let code = try await world.codeSent(to: other).code
        await #expect(throws: AuthError.codeRefused) { try await reset(code, of: number) }
        try await world.use(tokens)
    }

    @Test func `sets no password by the code of a number that the account loses while it is hashed`() async throws {
        _ = try await register()
        let account = try await world.administration.account(number.e164)
        let code = try await world.codeSent(to: number).code
        world.store.interrupt("setPassword") { [world] in
            var update = AccountUpdate()
            update.phoneNumber = .replaced("+15557654321")
            _ = try await world.administration.update(account.id, update)
        }
        await #expect(throws: AuthError.codeRefused) { try await reset(code, of: number) }
        let changed = try await world.administration.account(account.id)
        #expect(changed.passwordHash == account.passwordHash && changed.isPhoneNumberVerified == false)
    }

    @Test(arguments: [true, false])
    func `refuses a code of before the account was disabled, or had another number meanwhile`(
        isDisabled: Bool
    ) async throws {
        _ = try await register()
        let account = try await world.administration.account(number.e164)
        let code = try await world.codeSent(to: number).code
        if isDisabled {
            for isActive in [false, true] { _ = try await world.administration.setActive(isActive, account.id) }
        } else {
            for number in ["+15557654321", number.e164] {
                var update = AccountUpdate()
                update.phoneNumber = .replaced(number)
                _ = try await world.administration.update(account.id, update)
            }
        }
        await #expect(throws: AuthError.codeRefused) { try await reset(code, of: number) }
        #expect(try await world.administration.account(account.id).passwordHash == account.passwordHash)
        world.clock.advance(by: .seconds(60))
        try await reset(world.codeSent(to: number).code, of: number)
    }

    @Test func `refuses the code of a number that nobody has`() async throws {
        let code = try await world.codeSent(to: number).code
        await #expect(throws: AuthError.codeRefused) { try await reset(code, of: number) }
    }
}
