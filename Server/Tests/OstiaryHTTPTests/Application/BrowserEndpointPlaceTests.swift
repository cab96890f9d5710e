import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import Testing

/// The locations of the browser endpoints, and the host names under which they are reached.
@Suite(.timeLimit(.minutes(5)))
struct BrowserEndpointPlaceTests: BrowserEndpointSuite {
    @Test(arguments: ["callback", "start", "choose"])
    func `does not exist for an app without identity providers`(name: String) async throws {
        try await run(providers: []) { server in
            let answer = try await server.ask("/timetracker/auth/\(name)?state=x&code=y&id=z")
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: [
        ("HEAD", "callback"), ("PUT", "callback"), ("HEAD", "start"), ("POST", "start"), ("POST", "choose"),
    ])
    func `answers a browser's own methods alone, so that a preview spends nothing`(method: String, name: String)
        async throws
    {
        try await run { server in
            let (cookie, state) = try await begin(server)
            let answer = try await server.ask(
                method, "/timetracker/auth/\(name)?code=c1&state=\(state)", ["Cookie": cookie])
            #expect(answer.status == 405)
            #expect(answer["allow"] == (name == "callback" ? "GET, POST" : "GET"))
            #expect(try await come(back: "code=c1&state=\(state)", cookie, server).status == 302)
        }
    }

    @Test func `leaves a path to the contract that has an operation there`() async throws {
        var contract = Contract.viewvault
        contract.endpoints[.completeSocialSignIn]?.path = "/callback"
        try await run(contract, providers: ["google"]) { server in
            let answer = try await server.post("/viewvault/api/auth/callback", "{}")
            #expect(answer.status == 400)
            #expect(try answer.json["code"] == "authorization_code_missing")
        }
    }

    @Test func `leaves other methods at the path of the login to the contract`() async throws {
        var contract = Contract.timetracker
        contract.endpoints[.completeBrowserSignIn]?.path = "/login"
        try await run(contract) { server in
            let (cookie, state) = try await begin(server)
            let code = ScriptedIdentityProvider.code
            _ = try await come(back: "state=\(state)&code=\(PercentEncoding.encode(code))", cookie, server)
            let answer = try await server.ask(
                "POST", "/timetracker/auth/login", ["Content-Type": "application/json"],
                body: #"{"code":"\#(code)","state":"\#(state)","redirect_uri":"timetracker://oauth/callback"}"#)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        ("localhost:3001", true, "http://localhost:3001"), ("LOCALHOST:3001", true, "http://localhost:3001"),
        ("[::1]:3001", true, "http://[::1]:3001"), ("127.0.0.1:3001", true, "http://127.0.0.1:3001"),
        ("localhost:3002", true, "http://127.0.0.1:3001"), ("localhost", true, "http://127.0.0.1:3001"),
        ("evil.example:3001", true, "http://127.0.0.1:3001"),
        ("127.0.0.1.evil.example:3001", true, "http://127.0.0.1:3001"),
        ("localhost:3001", false, "http://127.0.0.1:3001"),
    ])
    func `comes back to the name that the browser called this machine by, in development`(
        host: String, follows: Bool, origin: String
    ) async throws {
        try await run(follows: follows) { server in
            let answer = try await server.ask(Self.login, host: host)
            #expect(answer["location"]?.hasSuffix("redirect_uri=\(origin)/timetracker/auth/callback") == true)
        }
    }

    @Test func `follows no other name of a server that is not on this machine`() async throws {
        let world = try await World([.timetracker], providers: [ScriptedIdentityProvider("nordwind")])
        try await LiveServer.run(
            world,
            adjust: {
                $0.mounts[0].baseURL = "http://auth.example.com:3001/timetracker"
                $0.mounts[0].followsLoopbackHost = true
            },
            { server in
                let answer = try await server.ask(Self.login, host: "localhost:3001")
                #expect(
                    answer["location"]?.hasSuffix("redirect_uri=http://auth.example.com:3001/timetracker/auth/callback")
                        == true)
            })
    }
}
