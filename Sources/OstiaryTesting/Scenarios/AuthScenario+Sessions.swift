import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let sessions: [AuthScenario] = [
        AuthScenario("an access token ends on time") { play in
            let jo = try await play.join(try ScenarioPerson.jo)
            try await play.pass(seconds: play.contract.rules.accessTokenSeconds - 1)
            await play.me(jo.tokens)
            try await play.pass(seconds: 1)
            await play.me(jo.tokens)
            await play.signOut(jo.tokens)
            await play.refresh(jo.tokens)
        },
        AuthScenario("somebody signs out") { play in
            let person = try ScenarioPerson.jo
            let jo = try await play.join(person)
            let elsewhere = try await play.enter(person)
            await play.signOut(jo.tokens)
            await play.me(jo.tokens)
            await play.refresh(jo.tokens)
            await play.signOut(jo.tokens)
            await play.me(elsewhere.tokens)
            await play.signOut(Tokens(accessToken: Secret("x"), expiresIn: nil, refreshToken: Secret("y")))
            await play.me(elsewhere.tokens)
        },
        AuthScenario("somebody signs out with an earlier refresh token alone", needs: [.refresh]) { play in
            let jo = try await play.join(try ScenarioPerson.jo)
            let next = try await play.mustRefresh(jo.tokens)
            await play.ask(
                "sign out",
                SignOut(
                    accessToken: nil, refreshToken: jo.tokens.refreshToken, alsoEnding: jo.tokens.accessToken))
            await play.me(next)
            await play.refresh(next)
        },
        AuthScenario("a sign-out takes another session along, of the same person only") { play in
            let (jo, kim) = (try ScenarioPerson.jo, try ScenarioPerson.kim)
            let here = try await play.join(jo)
            let there = try await play.enter(jo)
            let stranger = try await play.join(kim)
            for other in [stranger, there] {
                let again = try await play.enter(jo)
                await play.ask(
                    "sign out",
                    SignOut(
                        accessToken: again.tokens.accessToken, refreshToken: again.tokens.refreshToken,
                        alsoEnding: other.tokens.accessToken))
            }
            for session in [here, there, stranger] { await play.me(session.tokens) }
        },
        AuthScenario("sessions are listed and ended") { play in
            let (jo, kim) = (try ScenarioPerson.jo, try ScenarioPerson.kim)
            let first = try await play.join(jo)
            try await play.pass(seconds: 10)
            let second = try await play.enter(jo)
            try await play.pass(seconds: 10)
            let third = try await play.enter(jo)
            let stranger = try await play.join(kim)
            try await play.pass(seconds: 10)
            await play.refresh(first.tokens)
            let list = try await play.must("list", ListSessions(accessToken: second.tokens.accessToken))
            let theirs = try await play.must("list", ListSessions(accessToken: stranger.tokens.accessToken))
            let own = list.first { $0.isCurrent }?.id
            for id in [theirs.first?.id, try SessionID("nobodys"), list.first { !$0.isCurrent }?.id, own] {
                guard let id else { continue }
                await play.ask("end", EndSession(accessToken: second.tokens.accessToken, sessionID: id))
            }
            for session in [first, second, third, stranger] { await play.me(session.tokens) }
            await play.ask("list", ListSessions(accessToken: third.tokens.accessToken))
        },
        AuthScenario("an administrator ends sessions") { play in
            let person = try ScenarioPerson.jo
            let jo = try await play.join(person)
            try await play.world.endSessions(of: person.handle(in: play.contract))
            await play.me(jo.tokens)
            await play.refresh(jo.tokens)
            await play.me(try await play.enter(person).tokens)
        },
    ]
}
