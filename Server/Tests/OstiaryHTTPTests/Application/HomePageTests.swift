import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

/// The page at `/` of a server in development mode.
@Suite(.timeLimit(.minutes(5)))
struct HomePageTests {
    private func run(
        _ contracts: [Contract] = Contract.presets, isDevelopment: Bool = true,
        adjust: (inout ServerApplication) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        try await LiveServer.run(
            World(contracts),
            adjust: {
                $0.inbox = isDevelopment ? PreparedInbox([]) : nil
                adjust(&$0)
            }, body)
    }

    @Test func `lists every app with its base URL and its endpoints`() async throws {
        try await run { server in
            let answer = try await server.ask("/")
            #expect(answer.status == 200)
            #expect(answer["content-type"] == "text/html; charset=utf-8")
            for contract in Contract.presets {
                #expect(answer.body.contains("<h3>\(contract.name)</h3>"))
                #expect(answer.body.contains("<code>https://auth.example.com/\(contract.name)</code>"))
                for (_, endpoint) in contract.operations {
                    let path = "/\(contract.name)\(contract.prefix)\(endpoint.path)"
                    #expect(answer.body.contains("<code>\(endpoint.method.rawValue) \(path)</code>"))
                }
            }
        }
    }

    @Test func `links to the inbox, to health and to each description`() async throws {
        try await run { server in
            let body = try await server.ask("/").body
            for path in ["/dev/inbox", "/healthz", "/readyz", "/metrics"] {
                #expect(body.contains("<a href=\"\(path)\">"))
                #expect(try await server.ask(path).status == 200)
            }
            for contract in Contract.presets {
                #expect(body.contains("<a href=\"https://auth.example.com/\(contract.name)/openapi.json\">"))
            }
        }
    }

    @Test(arguments: Contract.presets) func `suggests three things to try, whatever the contract`(contract: Contract)
        async throws
    {
        try await run([contract]) { server in
            let body = try await server.ask("/").body
            let list = try #require(body.firstMatch(of: #/<ol class="attempts">(?s)(.*?)<\/ol>/#)).1
            #expect(list.matches(of: #/<li>/#).count == 3)
        }
    }

    @Test func `shows a registration that the server accepts`() async throws {
        try await run([.vici]) { server in
            let body = try await server.ask("/").body
            let command = try #require(body.firstMatch(of: #/<pre class="command">(?s)(.*?)<\/pre>/#)).1
            #expect(command.contains("curl &#39;https://auth.example.com/vici/api/auth/register&#39;"))
            let json = try #require(command.firstMatch(of: #/-d &#39;(.*?)&#39;/#)).1
            let answer = try await server.post(
                "/vici/api/auth/register", String(json).replacing("&quot;", with: "\""))
            #expect(answer.status == 201)
        }
    }

    @Test func `allows its page no script and no form`() async throws {
        try await run { server in
            let answer = try await server.ask("/")
            let policy = try #require(answer["content-security-policy"])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("form-action 'none'"))
            #expect(!policy.contains("script-src"))
            #expect(!answer.body.contains("<script"))
        }
    }

    @Test(arguments: PageRenderingTests.hostile) func `shows a value as text`(text: String) async throws {
        func elements(_ text: String) async throws -> Int {
            var application = ServerApplication(try await World([.vici]))
            application.inbox = PreparedInbox([])
            application.mounts[0].baseURL = text
            let response = HomePage(application: application, authority: nil).response()
            let html = String(decoding: response.body, as: UTF8.self)
            return html.matches(of: #/<[\/!]?[a-zA-Z]/#.matchingSemantics(.unicodeScalar)).count
        }
        #expect(try await elements(text) == elements("https://auth.example.com"))
    }

    @Test func `quotes a command for the shell`() {
        #expect(HomePage.quoted("it's {\"a\": 1}") == #"'it'\''s {"a": 1}'"#)
    }

    @Test func `does not exist outside development`() async throws {
        try await run(isDevelopment: false) { server in
            let answer = try await server.ask("/")
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: [("X-Forwarded-For", "127.0.0.1"), ("Via", "1.1 proxy")])
    func `does not exist for a request through a proxy`(name: String, value: String) async throws {
        try await run { server in
            let answer = try await server.ask("GET", "/", [name: value])
            #expect(answer.status == 404)
        }
    }

    @Test func `does not exist under a host name that is not this machine's`() async throws {
        try await run { server in
            let answer = try await server.ask("/", host: "evil.example")
            #expect(answer.status == 404)
        }
    }

    @Test func `leaves every other path and method as it was`() async throws {
        try await run { server in
            #expect(try await server.ask("/x").status == 404)
            let answer = try await server.ask("POST", "/")
            #expect(answer.status == 405)
            #expect(answer["allow"] == "GET, HEAD")
        }
    }

    @Test func `gives way to an app at the root that has an endpoint there`() async throws {
        var contract = Contract.vici
        contract.prefix = ""
        contract.endpoints[.currentUser] = .get("/")
        for (contract, isShown) in [(contract, false), (Contract.vici, true)] {
            try await run([contract], adjust: { $0.mounts[0].base = "" }) { server in
                let answer = try await server.ask("/")
                #expect((answer.status == 200) == isShown)
            }
        }
    }
}
