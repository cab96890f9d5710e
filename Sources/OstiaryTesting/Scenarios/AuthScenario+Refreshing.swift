import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let refreshing: [AuthScenario] = [
        AuthScenario("a refresh token becomes the next", needs: [.refresh]) { play in
            let jo = try await play.join(try ScenarioPerson.jo)
            let next = try await play.mustRefresh(jo.tokens)
            await play.me(next)
            await play.me(jo.tokens)
            let third = try await play.mustRefresh(next)
            await play.me(third)
        },
        AuthScenario("an earlier refresh token is answered until 30 s after its successor was used", needs: [.refresh])
        {
            play in
            let jo = try await play.join(try ScenarioPerson.jo)
            let next = try await play.mustRefresh(jo.tokens)
            try await play.pass(seconds: 7200)
            let again = try await play.mustRefresh(jo.tokens)
            await play.me(again)
            try await play.pass(seconds: 29)
            await play.refresh(jo.tokens)
            try await play.pass(seconds: 1)
            await play.refresh(jo.tokens)
            await play.me(again)
            await play.refresh(next)
            await play.refresh(jo.tokens)
        },
        AuthScenario("a refresh token is in use when it is presented", needs: [.refresh]) { play in
            let jo = try await play.join(try ScenarioPerson.jo)
            let next = try await play.mustRefresh(jo.tokens)
            let third = try await play.mustRefresh(next)
            try await play.pass(seconds: 29)
            await play.refresh(jo.tokens)
            await play.refresh(next)
            try await play.pass(seconds: 1)
            await play.refresh(next)
            await play.refresh(jo.tokens)
            await play.refresh(third)
        },
        AuthScenario("an old access token says nothing of the new refresh token", needs: [.refresh]) { play in
            let jo = try await play.join(try ScenarioPerson.jo)
            _ = try await play.mustRefresh(jo.tokens)
            await play.me(jo.tokens)
            try await play.pass(seconds: 600)
            await play.refresh(jo.tokens)
        },
        AuthScenario("what was used long ago is not forgotten in a thief's favour", needs: [.refresh]) { play in
            let jo = try await play.join(try ScenarioPerson.jo)
            let next = try await play.mustRefresh(jo.tokens)
            let third = try await play.mustRefresh(next)
            try await play.pass(seconds: 31)
            let fourth = try await play.mustRefresh(third)
            await play.refresh(jo.tokens)
            await play.refresh(fourth)
        },
        AuthScenario("no earlier refresh token is answered by the strict profile", needs: [.refresh], rules: strict) {
            play in
            let jo = try await play.join(try ScenarioPerson.jo)
            let next = try await play.mustRefresh(jo.tokens)
            await play.refresh(jo.tokens)
            await play.refresh(next)
            await play.me(next)
        },
        AuthScenario("a refresh token is not used for too long", needs: [.refresh]) { play in
            let refresh = play.contract.rules.refresh ?? RefreshRules()
            let idle = refresh.shortSeconds ?? refresh.seconds
            let jo = try await play.join(try ScenarioPerson.jo)
            try await play.pass(seconds: idle - 1)
            let next = try await play.mustRefresh(jo.tokens)
            try await play.pass(seconds: idle)
            await play.refresh(next)
            await play.me(next)
            await play.refresh(jo.tokens)
        },
        AuthScenario(
            "a session that is to be remembered lives longer", needs: [.refresh, .register],
            where: { $0.rules.refresh?.shortSeconds != nil }
        ) { play in
            let refresh = play.contract.rules.refresh ?? RefreshRules()
            let person = try ScenarioPerson.jo
            _ = try await play.join(person)
            let short = try await play.enter(person)
            let long = try await play.enter(person, rememberMe: true)
            try await play.pass(seconds: refresh.shortSeconds ?? 0)
            await play.refresh(short.tokens)
            let next = try await play.mustRefresh(long.tokens)
            try await play.pass(seconds: refresh.seconds - 1)
            await play.refresh(next)
        },
        AuthScenario("a session ends after a year, however often it is refreshed", needs: [.refresh]) { play in
            let refresh = play.contract.rules.refresh ?? RefreshRules()
            let step = (refresh.shortSeconds ?? refresh.seconds) - 1
            var tokens = try await play.join(try ScenarioPerson.jo).tokens
            var left = 31_536_000
            while left > 600 {
                let wait = min(step, left - 600)
                try await play.pass(seconds: wait)
                tokens = try await play.mustRefresh(tokens)
                left -= wait
            }
            try await play.pass(seconds: 599)
            await play.me(tokens)
            try await play.pass(seconds: 1)
            await play.me(tokens)
            await play.refresh(tokens)
        },
        AuthScenario("strange refresh tokens", needs: [.refresh]) { play in
            let jo = try await play.join(try ScenarioPerson.jo)
            let own = jo.tokens.refreshToken?.reveal() ?? ""
            let access = jo.tokens.accessToken.reveal()
            for token in [
                "", "nobody's", access, own + "A", String(own.dropLast(2)), String(repeating: "x", count: 300),
            ] {
                await play.ask("refresh", Refresh(refreshToken: Secret(token)))
            }
            await play.refresh(jo.tokens)
        },
    ]

    private static var strict: TestServerRules {
        var rules = TestServerRules()
        rules.isStrict = true
        return rules
    }
}
