import OstiaryClient
import OstiaryContracts
import OstiaryCore

extension AuthScenario {
    static let browser: [AuthScenario] = [
        AuthScenario("a sign-in in the browser that cannot begin", needs: [.beginBrowserSignIn]) { play in
            for uri in ["evil://callback", play.redirectURI + "/", play.redirectURI.uppercased()] {
                await play.ask("begin", BeginBrowserSignIn(redirectURI: uri))
                _ = try await play.browse(.signIn(.jo), redirectURI: uri)
            }
            for challenge in ["", "short", String(repeating: "*", count: 43)] {
                _ = try await play.browse(.signIn(.jo), challenge: challenge)
            }
        },
        AuthScenario("a sign-in in the browser is finished once", needs: [.completeBrowserSignIn]) { play in
            let person = try ScenarioPerson.jo
            guard let callback = try await play.browse(.signIn(person.provided)) else { return }
            let jo = try await play.must("complete", play.completion(of: callback))
            await play.me(jo.tokens)
            await play.ask("complete", play.completion(of: callback, code: Secret("another code")))
            await play.me(jo.tokens)
            await play.ask("complete", play.completion(of: callback))
            await play.me(jo.tokens)
        },
        AuthScenario("what the browser brought back is wrong", needs: [.completeBrowserSignIn]) { play in
            let person = try ScenarioPerson.jo
            for wrong in ["code", "redirect", "state"] {
                guard let callback = try await play.browse(.signIn(person.provided)) else { return }
                switch wrong {
                case "code": await play.ask("complete", play.completion(of: callback, code: Secret("guessed")))
                case "redirect":
                    await play.ask("complete", play.completion(of: callback, redirectURI: "evil://callback"))
                default:
                    await play.ask(
                        "complete",
                        CompleteBrowserSignIn(
                            authorizationCode: callback.code, state: Secret("guessed"), redirectURI: play.redirectURI))
                }
                // A failed exchange burns the state, if it was the right one.
                await play.ask("complete", play.completion(of: callback))
            }
        },
        AuthScenario("a sign-in in the browser is refused, or takes too long", needs: [.completeBrowserSignIn]) {
            play in
            _ = try await play.browse(.refuse("access_denied"))
            guard let late = try await play.browse(.signIn(try ScenarioPerson.jo.provided)) else { return }
            try await play.pass(seconds: 600)
            await play.ask("complete", play.completion(of: late))
            guard let callback = try await play.browse(.signIn(try ScenarioPerson.jo.provided)) else { return }
            try await play.pass(seconds: 599)
            await play.ask("complete", play.completion(of: callback))
        },
        AuthScenario("a sign-in in the browser is bound to its device", needs: [.completeBrowserSignIn]) { play in
            // Source: RFC 7636, appendix B.
            let verifier = Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
            let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
            let person = try ScenarioPerson.jo.provided
            for (challenge, shown) in [
                (challenge, verifier), (challenge, Secret("x" + verifier.reveal().dropFirst())), (challenge, nil),
                (nil, verifier), (challenge, Secret("short")),
            ] {
                guard let callback = try await play.browse(.signIn(person), challenge: challenge) else { return }
                await play.ask("complete", play.completion(of: callback, verifier: shown))
            }
        },
        AuthScenario("labels follow the provider", needs: [.completeBrowserSignIn]) { play in
            var person = try ScenarioPerson.jo.provided
            let names: [(String?, String?)] = [(nil, nil), ("jojo", "Jo"), (nil, nil)]
            for (username, name) in names {
                person.preferredUsername = username
                person.fullName = try name.map { try PersonName($0) }
                guard let callback = try await play.browse(.signIn(person)) else { return }
                await play.ask("complete", play.completion(of: callback))
            }
        },
        AuthScenario(
            "a social sign-in", needs: [.beginSocialSignIn, .socialConfiguration],
            where: { !$0.socialProviders.isEmpty }
        ) { play in
            await play.ask("settings", GetSocialConfiguration())
            await play.ask("begin", BeginSocialSignIn(provider: "facebook"))
            let person = try ScenarioPerson.jo
            for service in play.contract.socialProviders {
                let url = try await play.must("begin", BeginSocialSignIn(provider: service)).url
                guard let callback = try await play.browse(url, .signIn(person.provided)) else { return }
                await play.ask("complete", CompleteSocialSignIn(authorizationCode: callback.code))
                let call = CompleteSocialSignIn(authorizationCode: callback.code, state: callback.state)
                let jo = try await play.must("complete", call)
                await play.me(jo.tokens)
                await play.ask("complete", call)
                await play.me(jo.tokens)
            }
        },
        AuthScenario(
            "a social sign-in never takes a local account over", needs: [.beginSocialSignIn, .register],
            where: { !$0.socialProviders.isEmpty }
        ) { play in
            let person = try ScenarioPerson.jo
            let local = try await play.join(person)
            let url = try await play.must(
                "begin", BeginSocialSignIn(provider: play.contract.socialProviders.first ?? "")
            ).url
            guard let callback = try await play.browse(url, .signIn(person.provided)) else { return }
            let call = CompleteSocialSignIn(authorizationCode: callback.code, state: callback.state)
            let social = try await play.must("complete", call)
            await play.me(social.tokens)
            await play.me(local.tokens)
            await play.ask("sign in", play.signIn(person))
            await play.ask("delete", DeleteAccount(accessToken: social.tokens.accessToken))
            await play.me(social.tokens)
            await play.me(local.tokens)
        },
        AuthScenario(
            "a social sign-in that the provider refuses", needs: [.beginSocialSignIn],
            where: { !$0.socialProviders.isEmpty }
        ) { play in
            let service = play.contract.socialProviders.first ?? ""
            let url = try await play.must("begin", BeginSocialSignIn(provider: service)).url
            _ = try await play.browse(url, .refuse("access_denied"))
            let other = try await play.must("begin", BeginSocialSignIn(provider: service)).url
            guard let callback = try await play.browse(other, .signIn(.jo)) else { return }
            for code in [Secret("guessed"), callback.code] {
                await play.ask("complete", CompleteSocialSignIn(authorizationCode: code, state: callback.state))
            }
        },
        AuthScenario(
            "no provider is configured", needs: [.beginSocialSignIn], where: { $0.socialProviders.isEmpty }
        ) { play in
            await play.ask("begin", BeginSocialSignIn(provider: "google"))
            await play.ask("complete", CompleteSocialSignIn(authorizationCode: Secret("c"), state: Secret("s")))
            await play.ask(
                "token",
                SignInWithIdentityToken(
                    provider: "google", identityToken: Secret("t"), nonce: Secret("0123456789abcdef")))
        },
    ]
}
