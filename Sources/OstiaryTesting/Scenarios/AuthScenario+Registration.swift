import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let registration: [AuthScenario] = [
        AuthScenario("somebody joins, is known, and comes again") { play in
            let jo = try ScenarioPerson.jo
            let first = try await play.join(jo)
            await play.me(first.tokens)
            let second = try await play.enter(jo)
            await play.me(second.tokens)
            await play.me(first.tokens)
            let kim = try await play.join(try ScenarioPerson.kim)
            await play.me(kim.tokens)
        },
        AuthScenario("an identifier is taken", needs: [.register]) { play in
            let jo = try ScenarioPerson.jo
            _ = try await play.join(jo)
            var code: OneTimeCode?
            if play.contract.rules.registersWithCode {
                try await play.pass(seconds: 60)
                await play.ask("code", RequestCode(phoneNumber: jo.phoneNumber))
                code = try await play.world.code(for: jo.phoneNumber)
            }
            await play.ask("register", try play.registration(of: jo, password: Secret("another horse 9 x"), code: code))
            // Nothing changed hands.
            await play.ask("sign in", play.signIn(jo, password: Secret("another horse 9 x")))
            await play.ask("sign in", play.signIn(jo))
        },
        AuthScenario("passwords that are not acceptable", needs: [.register]) { play in
            let jo = try ScenarioPerson.jo
            let code = try OneTimeCode("000000")
            let passwords = [
                "", "1234567", "\u{1F600}\u{1F600}\u{1F600}", String(repeating: "a1", count: 37), "password1",
                "87654321", "abcdefgh", "jo@example.com", "JO@example.com1", "+15555550100", "jo.canary",
                "nul\u{0}nul12",
                play.contract.name + "2026",
            ]
            for password in passwords {
                await play.ask("register", try play.registration(of: jo, password: Secret(password), code: code))
            }
        },
        AuthScenario("registration that the owner of the address confirms", needs: [.confirmRegistration], rules: safe)
        {
            play in
            let jo = try ScenarioPerson.jo
            await play.ask("register", try play.registration(of: jo))
            await play.ask("sign in", play.signIn(jo))
            let token = try await play.world.registrationToken(for: jo.email)
            await play.ask("confirm", ConfirmRegistration(token: token, password: ScenarioPerson.newPassword))
            await play.ask("confirm", ConfirmRegistration(token: Secret("x"), password: ScenarioPerson.password))
            let confirmed = try await play.must(
                "confirm", ConfirmRegistration(token: token, password: ScenarioPerson.password))
            await play.me(confirmed.tokens)
            await play.ask("confirm", ConfirmRegistration(token: token, password: ScenarioPerson.password))
            await play.ask("register", try play.registration(of: jo))
            let kim = try ScenarioPerson.kim
            await play.ask("register", try play.registration(of: kim))
            let late = try await play.world.registrationToken(for: kim.email)
            try await play.pass(seconds: 86_400)
            await play.ask("confirm", ConfirmRegistration(token: late, password: ScenarioPerson.password))
        },
    ]

    private static var safe: TestServerRules {
        var rules = TestServerRules()
        rules.registersSafely = true
        return rules
    }
}
