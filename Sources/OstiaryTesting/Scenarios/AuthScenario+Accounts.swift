import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let accounts: [AuthScenario] = [
        AuthScenario("a profile is changed", needs: [.updateProfile]) { play in
            let person = try ScenarioPerson.jo
            let jo = try await play.join(person)
            let name = try PersonName("Josephine")
            await play.ask("update", UpdateProfile(accessToken: jo.tokens.accessToken, fullName: name))
            await play.ask("update", UpdateProfile(accessToken: jo.tokens.accessToken))
            await play.me(jo.tokens)
            await play.ask("update", UpdateProfile(accessToken: Secret("nobody's"), fullName: name))
        },
        AuthScenario("an account is disabled and enabled") { play in
            let person = try ScenarioPerson.jo
            let handle = person.handle(in: play.contract)
            let jo = try await play.join(person)
            let next = await play.refresh(jo.tokens) ?? jo.tokens
            try await play.world.setActive(false, handle)
            await play.me(next)
            await play.refresh(next)
            await play.refresh(jo.tokens)
            await play.signOut(next)
            if play.contract.endpoint(for: .signIn) != nil {
                await play.ask("sign in", play.signIn(person))
            } else if let callback = try await play.browse(.signIn(person.provided)) {
                await play.ask("complete", play.completion(of: callback))
            }
            try await play.world.setActive(true, handle)
            await play.me(next)
            await play.refresh(next)
            await play.me(try await play.enter(person).tokens)
        },
        AuthScenario("somebody becomes an administrator") { play in
            let person = try ScenarioPerson.jo
            let jo = try await play.join(person)
            try await play.world.setRoles(["admin", "editor"], of: person.handle(in: play.contract))
            await play.me(jo.tokens)
            try await play.world.setRoles([], of: person.handle(in: play.contract))
            await play.me(jo.tokens)
        },
        AuthScenario("an account is deleted", needs: [.deleteAccount]) { play in
            let person = try ScenarioPerson.jo
            let jo = try await play.join(person)
            let elsewhere = try await play.enter(person)
            for password in [nil, Secret("wrong horse 7 battery"), ScenarioPerson.password] {
                await play.ask("delete", DeleteAccount(accessToken: jo.tokens.accessToken, password: password))
            }
            await play.me(jo.tokens)
            await play.refresh(elsewhere.tokens)
            await play.signOut(jo.tokens)
            if play.contract.endpoint(for: .signIn) != nil { await play.ask("sign in", play.signIn(person)) }
            if play.contract.rules.registersWithCode { try await play.pass(seconds: 60) }
            await play.me(try await play.join(person).tokens)
        },
        AuthScenario("a challenge that nobody asked for", needs: [.answerChallenge]) { play in
            await play.ask(
                "answer", AnswerChallenge(challengeToken: Secret("nobody's"), answers: ["NEW_PASSWORD": Secret("x")]))
        },
    ]
}
