import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let codes: [AuthScenario] = [
        AuthScenario("a code is asked for too soon", needs: [.requestCode]) { play in
            let number = try ScenarioPerson.jo.phoneNumber
            await play.ask("code", RequestCode(phoneNumber: number))
            await play.ask("code", RequestCode(phoneNumber: number))
            await play.ask("code", RequestCode(phoneNumber: try ScenarioPerson.kim.phoneNumber))
            try await play.pass(seconds: 59)
            await play.ask("code", RequestCode(phoneNumber: number))
            try await play.pass(seconds: 1)
            await play.ask("code", RequestCode(phoneNumber: number))
        },
        AuthScenario("a code is tried too often", needs: [.verifyCode]) { play in
            let number = try ScenarioPerson.jo.phoneNumber
            let session = try await play.must("code", RequestCode(phoneNumber: number)).codeSession
            let code = try await play.world.code(for: number)
            await play.verify(code, number, "another")
            await play.verify(code, number, session)
            for _ in 1...4 { await play.verify(try code.other(), number, session) }
            await play.verify(code, number, session)
            await play.verify(try code.other(), number, session)
            await play.verify(code, number, session)
        },
        AuthScenario("a code is over", needs: [.verifyCode]) { play in
            let number = try ScenarioPerson.jo.phoneNumber
            let first = try await play.must("code", RequestCode(phoneNumber: number)).codeSession
            let old = try await play.world.code(for: number)
            try await play.pass(seconds: 60)
            let second = try await play.must("code", RequestCode(phoneNumber: number)).codeSession
            await play.verify(old, number, first)
            let code = try await play.world.code(for: number)
            try await play.pass(seconds: 299)
            await play.verify(code, number, second)
            try await play.pass(seconds: 1)
            await play.verify(code, number, second)
            await play.ask("register", try play.registration(of: try ScenarioPerson.jo, code: code))
        },
        AuthScenario("a code is spent by a registration, not by a check", needs: [.verifyCode, .register]) { play in
            let jo = try ScenarioPerson.jo
            let session = try await play.must("code", RequestCode(phoneNumber: jo.phoneNumber)).codeSession
            let code = try await play.world.code(for: jo.phoneNumber)
            await play.verify(code, jo.phoneNumber, session)
            await play.ask("register", try play.registration(of: jo, password: Secret("short"), code: code))
            await play.ask("register", try play.registration(of: jo, code: code.other()))
            await play.ask("register", try play.registration(of: jo, code: code))
            await play.ask("register", try play.registration(of: jo, code: code))
            await play.verify(code, jo.phoneNumber, session)
        },
    ]
}

extension ScenarioPlay {
    fileprivate mutating func verify(_ code: OneTimeCode, _ number: PhoneNumber, _ session: String) async {
        await ask("verify", VerifyCode(phoneNumber: number, code: code, codeSession: session))
    }
}

extension OneTimeCode {
    /// One that it is not.
    fileprivate func other() throws(FieldProblem) -> OneTimeCode {
        let digits = reveal()
        return try OneTimeCode((digits.first == "0" ? "1" : "0") + digits.dropFirst())
    }
}
