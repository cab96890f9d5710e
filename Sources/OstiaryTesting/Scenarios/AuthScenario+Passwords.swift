import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let passwords: [AuthScenario] = [
        AuthScenario("strangers and wrong passwords are refused alike", needs: [.register, .signIn]) { play in
            let (jo, kim) = (try ScenarioPerson.jo, try ScenarioPerson.kim)
            _ = try await play.join(jo)
            for password in [
                "", "Correct horse 7 battery", " correct horse 7 battery", String(repeating: "x", count: 80),
            ] {
                await play.ask("sign in", play.signIn(jo, password: Secret(password)))
            }
            await play.ask("sign in as a stranger", play.signIn(kim))
            await play.ask("sign in", play.signIn(jo))
        },
        AuthScenario("a password is changed", needs: [.changePassword, .register]) { play in
            let jo = try ScenarioPerson.jo
            let here = try await play.join(jo)
            let there = try await play.enter(jo)
            func change(_ old: Secret<String>, _ new: Secret<String>) -> ChangePassword {
                ChangePassword(accessToken: here.tokens.accessToken, currentPassword: old, newPassword: new)
            }
            await play.ask("change", change(ScenarioPerson.newPassword, ScenarioPerson.newPassword))
            await play.ask("change", change(ScenarioPerson.password, Secret("short")))
            await play.ask("change", change(ScenarioPerson.password, ScenarioPerson.newPassword))
            await play.me(here.tokens)
            await play.me(there.tokens)
            await play.refresh(there.tokens)
            await play.refresh(here.tokens)
            await play.ask("sign in", play.signIn(jo))
            await play.ask("sign in", play.signIn(jo, password: ScenarioPerson.newPassword))
        },
        AuthScenario("a password is reset by mail", needs: [.requestPasswordReset, .register]) { play in
            let (jo, kim) = (try ScenarioPerson.jo, try ScenarioPerson.kim)
            let here = try await play.join(jo)
            await play.ask("forgot", RequestPasswordReset(email: kim.email))
            await play.ask("forgot", RequestPasswordReset(email: jo.email))
            let token = try await play.world.resetToken(for: jo.email)
            await play.ask("forgot again", RequestPasswordReset(email: jo.email))
            func reset(_ token: Secret<String>, _ password: Secret<String>) -> ResetPassword {
                ResetPassword(proof: .token(token), password: password)
            }
            await play.ask("reset", reset(Secret("nobody's"), ScenarioPerson.newPassword))
            await play.ask("reset", reset(token, Secret("short")))
            await play.me(here.tokens)
            await play.ask("reset", reset(token, ScenarioPerson.newPassword))
            await play.me(here.tokens)
            await play.refresh(here.tokens)
            await play.ask("reset", reset(token, ScenarioPerson.password))
            await play.ask("sign in", play.signIn(jo))
            await play.ask("sign in", play.signIn(jo, password: ScenarioPerson.newPassword))
        },
        AuthScenario("a reset is too late, or overtaken by another", needs: [.requestPasswordReset, .register]) {
            play in
            let jo = try ScenarioPerson.jo
            _ = try await play.join(jo)
            await play.ask("forgot", RequestPasswordReset(email: jo.email))
            let first = try await play.world.resetToken(for: jo.email)
            try await play.pass(seconds: 60)
            await play.ask("forgot", RequestPasswordReset(email: jo.email))
            let second = try await play.world.resetToken(for: jo.email)
            await play.ask("reset", ResetPassword(proof: .token(first), password: ScenarioPerson.newPassword))
            try await play.pass(seconds: 3599)
            await play.ask("reset", ResetPassword(proof: .token(second), password: Secret("short")))
            try await play.pass(seconds: 1)
            await play.ask("reset", ResetPassword(proof: .token(second), password: ScenarioPerson.newPassword))
            await play.ask("sign in", play.signIn(jo))
        },
        AuthScenario("a password is reset by a code", needs: [.requestCode, .resetPassword]) { play in
            let (jo, kim) = (try ScenarioPerson.jo, try ScenarioPerson.kim)
            let here = try await play.join(jo)
            try await play.pass(seconds: 60)
            await play.ask("code", RequestCode(phoneNumber: jo.phoneNumber))
            let code = try await play.world.code(for: jo.phoneNumber)
            func reset(_ number: PhoneNumber, _ code: OneTimeCode, _ password: Secret<String>) -> ResetPassword {
                ResetPassword(proof: .code(code, number), password: password)
            }
            await play.ask("reset", reset(jo.phoneNumber, code, Secret("short")))
            await play.ask("reset", reset(jo.phoneNumber, code, ScenarioPerson.newPassword))
            await play.ask("reset", reset(jo.phoneNumber, code, ScenarioPerson.password))
            await play.me(here.tokens)
            await play.ask("sign in", play.signIn(jo, password: ScenarioPerson.newPassword))
            await play.ask("code", RequestCode(phoneNumber: kim.phoneNumber))
            let stranger = try await play.world.code(for: kim.phoneNumber)
            await play.ask("reset", reset(kim.phoneNumber, stranger, ScenarioPerson.newPassword))
        },
    ]
}
