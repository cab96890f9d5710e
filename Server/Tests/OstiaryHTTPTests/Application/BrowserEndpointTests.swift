import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryServerTestSupport
import Testing

/// The responses to a browser on its way to an identity provider and back.
@Suite(.timeLimit(.minutes(5)))
struct BrowserEndpointTests: BrowserEndpointSuite {
    // MARK: Redirecting to the provider

    @Test func `gives a browser its cookie when it is sent to the provider`() async throws {
        try await run { server in
            let answer = try await server.ask(Self.login)
            #expect(answer["location"]?.hasPrefix("https://nordwind.example.com/authorize?") == true)
            #expect(
                answer["location"]?.hasSuffix("redirect_uri=http://127.0.0.1:3001/timetracker/auth/callback") == true)
            let cookie = try #require(answer["set-cookie"])
            #expect(
                cookie.wholeMatch(
                    of: /ostiary-browser=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=[0-9]+; HttpOnly; SameSite=Lax/) != nil)
            #expect(answer["cache-control"] == "no-store")
        }
    }

    @Test func `leaves a browser the cookie it has`() async throws {
        try await run { server in
            let (cookie, _) = try await begin(server)
            let answer = try await server.ask("GET", Self.login, ["Cookie": "a=b; \(cookie)"])
            #expect(answer.status == 302)
            #expect(answer["set-cookie"] == nil)
        }
    }

    @Test(arguments: ["ostiary-browser=x", "ostiary-browser=\(String(repeating: "A", count: 44))"])
    func `gives a new cookie for one that is not ours`(cookie: String) async throws {
        try await run { server in
            let answer = try await server.ask("GET", Self.login, ["Cookie": cookie])
            #expect(answer["set-cookie"] != nil)
        }
    }

    @Test func `gives no cookie with a refusal`() async throws {
        try await run { server in
            let answer = try await server.ask("/timetracker/auth/login?redirect_uri=https%3A%2F%2Fevil.example")
            #expect(answer.status == 400)
            #expect(answer["set-cookie"] == nil)
            #expect(answer["location"] == nil)
            #expect(try answer.json["code"] == "redirect_uri_refused")
        }
    }

    @Test(arguments: [
        "auth/login?redirect_uri=\(redirectURI)&redirect_uri=\(redirectURI)",
        "auth/login?redirect_uri=\(redirectURI)&redirect_uri=x", "auth/login?redirect_uri=\(redirectURI)&x=1&x=1",
        "auth/callback?state=a&state=a&code=c", "auth/callback?state=a&code=c&code=d", "auth/start?id=a&id=b",
        "auth/choose?redirect_uri=\(redirectURI)&redirect_uri=\(redirectURI)",
    ])
    func `PT-38: refuses a doubled parameter in the contract's words, or as a page to a browser`(
        target: String
    ) async throws {
        try await run { server in
            for (accept, type) in [("application/json", "application/json"), (Self.page, "text/html")] {
                let answer = try await server.ask("GET", "/timetracker/\(target)", ["Accept": accept])
                #expect(answer.status == 400)
                #expect(answer["content-type"]?.hasPrefix(type) == true)
                #expect(answer["location"] == nil && answer["set-cookie"] == nil)
                if type == "application/json" { #expect(try answer.json["code"] == "malformed_request") }
            }
        }
    }

    @Test(arguments: ["", "?redirect_uri=", "?redirect_uri=\(redirectURI)&redirect_uri=\(redirectURI)"])
    func `sends nobody anywhere without one address to come back to`(query: String) async throws {
        try await run { server in
            let answer = try await server.ask("/timetracker/auth/login\(query)")
            #expect(answer.status == 400)
            #expect(answer["location"] == nil)
        }
    }

    @Test func `tells a person on a page what a program is told as JSON`() async throws {
        try await run { server in
            let path = "/timetracker/auth/login?redirect_uri=https%3A%2F%2Fevil.example"
            let answer = try await server.ask("GET", path, ["Accept": Self.page, "Accept-Language": "de"])
            #expect(answer.status == 400)
            #expect(answer["content-type"] == "text/html; charset=utf-8")
            #expect(answer.body.contains("Dorthin können wir Sie nicht bringen"))
            #expect(!answer.body.contains("evil.example"))
            #expect(answer["content-security-policy"]?.contains("form-action 'none'") == true)
        }
    }

    // MARK: Returning from the provider

    @Test func `sends the browser on to the app with the provider's code`() async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let answer = try await come(back: "code=c1&state=\(state)", cookie, server)
            #expect(answer.status == 302)
            #expect(answer["location"] == "timetracker://oauth/callback?code=c1&state=\(state)")
            #expect(answer["set-cookie"] == nil)
        }
    }

    @Test func `sends the browser on to the app with the provider's refusal`() async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let answer = try await come(back: "error=access_denied&state=\(state)", cookie, server)
            #expect(answer["location"] == "timetracker://oauth/callback?error=access_denied&state=\(state)")
        }
    }

    @Test func `sends another browser nowhere, and lets the first one go on`() async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let (other, _) = try await begin(server)
            for stranger in [nil, other, "ostiary-browser=x", "\(cookie); \(other)"] {
                let answer = try await come(back: "code=c1&state=\(state)", stranger, server)
                #expect(answer.status == 400)
                #expect(answer["location"] == nil)
                #expect(answer["set-cookie"] == nil)
                #expect(try answer.json["code"] == "authorization_refused")
            }
            #expect(try await come(back: "code=c1&state=\(state)", cookie, server).status == 302)
        }
    }

    @Test func `takes an answer once`() async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            #expect(try await come(back: "code=c1&state=\(state)", cookie, server).status == 302)
            #expect(try await come(back: "code=c1&state=\(state)", cookie, server).status == 400)
        }
    }

    @Test(arguments: [
        "", "code=c1", "code=c1&state=S&state=S", "code=c1&code=c2&state=S", "state=S&iss=a&iss=b&code=c1",
    ])
    func `takes no answer that says two things, or not whose it is`(query: String) async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let answer = try await come(back: query.replacing("=S", with: "=\(state)"), cookie, server)
            #expect(answer.status == 400)
            #expect(answer["location"] == nil)
            #expect(try await come(back: "code=c1&state=\(state)", cookie, server).status == 302)
        }
    }

    @Test func `takes no answer of another issuer`() async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let answer = try await come(back: "code=c1&state=\(state)&iss=https%3A%2F%2Fevil.example", cookie, server)
            #expect(answer.status == 400)
            #expect(answer["location"] == nil)
        }
    }

    @Test func `OA-22 takes an answer of one of several providers at that provider's address alone`() async throws {
        try await run(providers: ["google", "nordwind"]) { server in
            let base = "/timetracker/auth/providers"
            for wrong in ["/timetracker/auth/callback", "\(base)/google/callback", nil] {
                let begun = try await server.ask("\(Self.login)&provider=nordwind")
                let own = "\(base)/nordwind/callback"
                #expect(begun["location"]?.hasSuffix("&redirect_uri=http://127.0.0.1:3001\(own)") == true)
                let cookie = String(try #require(begun["set-cookie"]?.split(separator: ";").first))
                let state = try self.state(of: begun)
                let target = "\(wrong ?? own)?code=c1&state=\(state)"
                let answer = try await server.ask("GET", target, ["Cookie": cookie])
                #expect(answer.status == (wrong == nil ? 302 : 400))
                #expect((answer["location"] != nil) == (wrong == nil))
            }
        }
    }

    @Test func `has an address for each of several providers, and for no other`() async throws {
        try await run(providers: ["google", "nordwind"]) { server in
            for (name, status) in [("google", 303), ("nordwind", 303), ("apple", 404), ("GOOGLE", 404)] {
                let answer = try await server.ask(
                    "POST", "/timetracker/auth/providers/\(name)/callback",
                    ["Content-Type": "application/x-www-form-urlencoded"], body: "state=s&code=c")
                #expect(answer.status == status)
                #expect(answer["location"] == (status == 303 ? "?state=s&code=c" : nil))
            }
        }
        try await run { server in
            let answer = try await server.ask("/timetracker/auth/providers/nordwind/callback?state=s&code=c")
            #expect(answer.status == 404)
        }
    }

    @Test func `tells a person that the sign-in is over`() async throws {
        try await run { server in
            let answer = try await come(back: "code=c1&state=unknown", nil, server, accept: Self.page)
            #expect(answer.status == 400)
            #expect(answer.body.contains("<h1>This sign-in is over</h1>"))
        }
    }

    @Test func `asks for a posted answer once more as a query, since the cookie does not come with a foreign form`()
        async throws
    {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let headers = ["Content-Type": "application/x-www-form-urlencoded", "Origin": "https://appleid.apple.com"]
            let answer = try await server.ask(
                "POST", "/timetracker/auth/callback", headers,
                body: "state=\(state)&code=c%2F1+x&user=%7B%22name%22%3A%22Jo%22%7D")
            #expect(answer.status == 303)
            #expect(answer["location"] == "?state=\(state)&code=c%2F1%20x")
            let back = try await come(back: String(try #require(answer["location"]).dropFirst()), cookie, server)
            #expect(back["location"] == "timetracker://oauth/callback?code=c%2F1%20x&state=\(state)")
        }
    }

    /// The person's name in a form, and `true` if it is passed on.
    @Test(arguments: [
        (#"{"name":{"firstName":"Jo","lastName":"Ng"},"email":"jo@example.com"}"#, true),
        (#"{"name":{"firstName":"Jo"}}"#, true), (#"{"name":{"firstName":"Jo","firstName":"Al"}}"#, false),
        (#"{"name":{"firstName":"J\u202eo"}}"#, false), (#"{"name":{"firstName":7}}"#, false), (#"{"name":{}}"#, false),
        ("Jo", false), ("", false),
        (#"{"name":{"firstName":"Jo"}}"# + String(repeating: " ", count: 997), true),
        (#"{"name":{"firstName":"Jo"}}"# + String(repeating: " ", count: 998), false),
    ])
    func `carries the name on that Apple posts once, if it is one`(user: String, isCarried: Bool) async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let encoded = PercentEncoding.encode(user)
            let answer = try await server.ask(
                "POST", "/timetracker/auth/callback", ["Content-Type": "application/x-www-form-urlencoded"],
                body: "state=\(state)&code=c1&user=\(encoded)")
            #expect(answer["location"] == "?state=\(state)&code=c1" + (isCarried ? "&user=\(encoded)" : ""))
            let back = try await come(back: "state=\(state)&code=c1&user=\(encoded)", cookie, server)
            #expect(back["location"] == "timetracker://oauth/callback?code=c1&state=\(state)")
        }
    }

    @Test func `calls a new account what Apple posted`() async throws {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let user = PercentEncoding.encode(#"{"name":{"firstName":"Jo","lastName":"Ng"}}"#)
            let code = PercentEncoding.encode(ScriptedIdentityProvider.code)
            _ = try await come(back: "state=\(state)&code=\(code)&user=\(user)", cookie, server)
            let answer = try await server.ask(
                "POST", "/timetracker/auth/token", ["Content-Type": "application/json"],
                body:
                    #"{"code":"\#(ScriptedIdentityProvider.code)","state":"\#(state)","redirect_uri":"timetracker://oauth/callback"}"#
            )
            #expect(answer.status == 200)
            let token = try #require(answer.body.firstMatch(of: /"access_token":"([^"]+)"/)).1
            let me = try await server.ask(
                "GET", "/timetracker/auth/me", ["Authorization": "Bearer \(token)"])
            #expect(me.body.contains("Jo Ng"), "\(me.status) \(me.body)")
        }
    }

    @Test(arguments: [
        ("application/json", "state=s&code=c"), ("text/plain", "state=s&code=c"),
        ("application/x-www-form-urlencoded", "state=s&code=c&code=d"),
    ])
    func `takes no other body`(type: String, body: String) async throws {
        try await run { server in
            let answer = try await server.ask("POST", "/timetracker/auth/callback", ["Content-Type": type], body: body)
            #expect(answer.status == 400)
            #expect(answer["location"] == nil)
        }
    }

    @Test func `leaves nothing in the log that would let somebody else go on`() async throws {
        var secrets: [String] = []
        try await run(
            afterwards: { world in
                let records = world.log.records
                #expect(records.contains { $0.contains("callback") })
                for secret in secrets { #expect(!records.contains { $0.contains(secret) }) }
            },
            { server in
                let (cookie, state) = try await begin(server)
                _ = try await come(back: "code=code-of-jo&state=\(state)", nil, server)
                _ = try await come(back: "code=code-of-jo&state=\(state)", cookie, server)
                secrets = [state, "code-of-jo", String(cookie.dropFirst("ostiary-browser=".count))]
            })
    }

    // MARK: Social sign-in

    @Test func `binds a social sign-in to the browser that follows its address`() async throws {
        try await run(.viewvault, providers: ["google"]) { server in
            let begun = try await server.post("/viewvault/api/auth/auth0/oauth/google", "")
            guard case .string(let url) = try begun.json["oauth_url"] else { throw NoAddress() }
            #expect(url.hasPrefix("http://127.0.0.1:3001/viewvault/api/auth/start?id="))
            #expect(begun["set-cookie"] == nil)
            let path = String(url.dropFirst("http://127.0.0.1:3001".count))
            let answer = try await server.ask(path)
            #expect(answer.status == 302)
            let cookie = try #require(answer["set-cookie"]?.split(separator: ";").first)
            let state = try state(of: answer)
            let back = try await server.ask(
                "GET", "/viewvault/api/auth/callback?code=c1&state=\(state)", ["Cookie": String(cookie)])
            #expect(back["location"] == "viewvault://oauth/callback?code=c1&state=\(state)")
            // The address is valid once.
            #expect(try await server.ask(path).status == 400)
        }
    }

    // Source: RFC 7636, Appendix B.
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    /// An app whose social sign-in has the endpoints that follow from the rules.
    private static var derived: Contract {
        var contract = Contract.vici
        contract.redirectURIs = ["vici://oauth/callback"]
        return contract
    }

    @Test(
        arguments: [
            (challenge, #","appVerifier":"\#(verifier)""#, 200), (challenge, "", 400),
            (challenge, #","appVerifier":"\#(challenge)""#, 400), (challenge, #","appVerifier":null"#, 400),
            (nil, #","appVerifier":"\#(verifier)""#, 400), (nil, "", 200), (nil, #","appVerifier":null"#, 200),
        ] as [(String?, String, Int)])
    func `OA-15: completes a social sign-in for the device that began it`(
        challenge: String?, verifier: String, status: Int
    ) async throws {
        try await run(Self.derived, providers: ["google"]) { server in
            let begun = try await server.post(
                "/vici/api/auth/social/google", challenge.map { #"{"appChallenge":"\#($0)"}"# } ?? "")
            guard case .string(let url) = try begun.json["oauthUrl"] else { throw NoAddress() }
            let answer = try await server.ask(String(url.dropFirst("http://127.0.0.1:3001".count)))
            let cookie = String(try #require(answer["set-cookie"]?.split(separator: ";").first))
            let (state, code) = (try state(of: answer), ScriptedIdentityProvider.code)
            let back = try await server.ask(
                "GET", "/vici/api/auth/callback?state=\(state)&code=\(PercentEncoding.encode(code))",
                ["Cookie": cookie])
            #expect(back["location"]?.hasPrefix("vici://oauth/callback?code=") == true)
            let body = #"{"authorizationCode":"\#(code)","state":"\#(state)""#
            let ended = try await server.post("/vici/api/auth/social-callback", "\(body)\(verifier)}")
            #expect(ended.status == status)
            guard status != 200 else { return }
            #expect(try ended.json["code"] == "authorization_refused")
            // The refusal has redeemed the record.
            let again = try await server.post(
                "/vici/api/auth/social-callback", #"\#(body),"appVerifier":"\#(Self.verifier)"}"#)
            #expect(again.status == 400)
        }
    }

    @Test(arguments: [
        ("\"\"", "app_challenge_malformed"), (#""plain""#, "app_challenge_malformed"),
        ("1", "app_challenge_mistyped"), (#""\#(String(repeating: "A", count: 129))""#, "app_challenge_too_long"),
    ])
    func `refuses a social sign-in with a challenge that cannot be one`(challenge: String, code: String) async throws {
        try await run(Self.derived, providers: ["google"]) { server in
            let answer = try await server.post("/vici/api/auth/social/google", #"{"appChallenge":\#(challenge)}"#)
            #expect(answer.status == 400)
            #expect(try answer.json["code"] == .string(code))
        }
    }

    struct NoAddress: Error {}

    @Test(arguments: ["", "?id=", "?id=unknown", "?id=x&id=x"])
    func `starts nothing that was not begun`(query: String) async throws {
        try await run { server in
            let answer = try await server.ask("/timetracker/auth/start\(query)")
            #expect(answer.status == 400)
            #expect(answer["location"] == nil)
            #expect(answer["set-cookie"] == nil)
        }
    }

    // MARK: Choosing a provider

    @Test func `lets a person choose between several providers`() async throws {
        try await run(providers: ["google", "nordwind"]) { server in
            let answer = try await server.ask("\(Self.login)&app_challenge=\(String(repeating: "A", count: 43))")
            let location = try #require(answer["location"])
            #expect(location.hasPrefix("http://127.0.0.1:3001/timetracker/auth/choose?"))
            let page = try await server.ask(String(location.dropFirst("http://127.0.0.1:3001".count)))
            #expect(page.status == 200)
            let urls = page.body.matches(of: /<a class="choice [a-z]+" href="([^"]+)">/).map { String($0.1) }
            #expect(urls.count == 2)
            for (url, name) in zip(urls, ["google", "nordwind"]) {
                let path = url.replacing("&amp;", with: "&").dropFirst("http://127.0.0.1:3001".count)
                let sent = try await server.ask(String(path))
                #expect(sent["location"]?.hasPrefix("https://\(name).example.com/authorize?") == true)
                #expect(url.contains("app_challenge=\(String(repeating: "A", count: 43))"))
            }
        }
    }

    @Test func `keeps the parameters of a sign-in over the choice, by the contract's names`() async throws {
        var contract = Contract.timetracker
        contract.names.merge([.redirectUri: "return_to", .appChallenge: "code_challenge", .provider: "idp"]) { $1 }
        let login = "/timetracker/auth/login?return_to=\(Self.redirectURI)&code_challenge=\(Self.challenge)"
        try await run(contract, providers: [ScriptedIdentityProvider.away, "nordwind"]) { server in
            let location = try #require(try await server.ask(login)["location"])
            let page = try await server.ask(String(location.dropFirst("http://127.0.0.1:3001".count)))
            let urls = page.body.matches(of: /<a class="choice [a-z]+" href="([^"]+)">/).map { String($0.1) }
            let url = try #require(urls.last).replacing("&amp;", with: "&")
            #expect(url.hasSuffix("&code_challenge=\(Self.challenge)&idp=nordwind"))
            let sent = try await server.ask(String(url.dropFirst("http://127.0.0.1:3001".count)))
            #expect(sent["location"]?.hasPrefix("https://nordwind.example.com/authorize?") == true)
            // The provider that is unavailable leads back to the choice.
            let away = "\(login)&idp=\(ScriptedIdentityProvider.away)"
            let problem = try await server.ask("GET", away, ["Accept": Self.page])
            #expect(problem.status == 503 && problem.body.contains("app_challenge=\(Self.challenge)"))
        }
    }

    @Test(arguments: ["", "?redirect_uri=https%3A%2F%2Fevil.example", "?redirect_uri=\(redirectURI)&redirect_uri=x"])
    func `offers no choice that leads nowhere of the app's`(query: String) async throws {
        try await run(providers: ["google", "nordwind"]) { server in
            let answer = try await server.ask("/timetracker/auth/choose\(query)")
            #expect(answer.status == 400)
            #expect(try answer.json["code"] != nil)
        }
    }

    @Test func `leads from a provider that is away back to the choice, where there is one`() async throws {
        let challenge = "&app_challenge=\(String(repeating: "A", count: 43))"
        let login = "\(Self.login)\(challenge)&provider=\(ScriptedIdentityProvider.away)"
        try await run(providers: [ScriptedIdentityProvider.away, "nordwind"]) { server in
            let answer = try await server.ask("GET", login, ["Accept": Self.page])
            #expect(answer.status == 503 && answer["set-cookie"] == nil)
            let link = try #require(answer.body.firstMatch(of: /<a href="([^"]+)">Choose another way to sign in/)).1
            let path = link.replacing("&amp;", with: "&").dropFirst("http://127.0.0.1:3001".count)
            let choice = try await server.ask(String(path))
            #expect(choice.status == 200)
            #expect(choice.body.matches(of: /app_challenge=A{43}&amp;provider=/).count == 2)
            let elsewhere = login.replacing(Self.redirectURI, with: "https%3A%2F%2Fevil.example")
            #expect(try await server.ask("GET", elsewhere, ["Accept": Self.page]).body.contains("/choose") == false)
        }
        try await run(providers: [ScriptedIdentityProvider.away]) { server in
            let answer = try await server.ask("GET", login, ["Accept": Self.page])
            #expect(answer.status == 503 && !answer.body.contains("/choose"))
        }
    }
}
