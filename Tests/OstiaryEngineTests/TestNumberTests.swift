import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct TestNumberTests {
    private let number: PhoneNumber
    private let world: World

    init() throws {
        let number = try PhoneNumber("+15555550100")
        let code = try OneTimeCode("123456")
        self.number = number
        world = try World.barqnet { app in
            app.codes.testNumbers[number] = .init(code: code, until: Date(timeIntervalSince1970: 1_800_003_600))
        }
    }

    @Test func `have their code, and nothing is sent`() async throws {
        let session = try await world.engine.perform(RequestCode(phoneNumber: number)).codeSession
        #expect(world.notificationSealer.messages.isEmpty)
        _ = try await world.engine.perform(
            VerifyCode(phoneNumber: number, code: OneTimeCode("123456"), codeSession: session))
    }

    @Test func `wait for nothing`() async throws {
        for _ in 0..<3 { _ = try await world.engine.perform(RequestCode(phoneNumber: number)) }
    }

    @Test func `die after five wrong tries too`() async throws {
        let session = try await world.engine.perform(RequestCode(phoneNumber: number)).codeSession
        for code in ["000000", "000001", "000002", "000003", "000004", "123456"] {
            await #expect(throws: AuthError.codeRefused) {
                try await world.engine.perform(
                    VerifyCode(phoneNumber: number, code: OneTimeCode(code), codeSession: session))
            }
        }
    }

    @Test func `are numbers like any other after their end`() async throws {
        world.clock.setWall(to: Date(timeIntervalSince1970: 1_800_003_600))
        let (code, _) = try await world.codeSent(to: number)
        #expect(code.reveal() != "123456")
        #expect((await refusal { try await world.codeSent(to: number) })?.code == "too_many_attempts")
    }
}
