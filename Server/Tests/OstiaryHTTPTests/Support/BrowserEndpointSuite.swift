import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import Testing

/// A suite about the browser endpoints of one app: a server with scripted providers, and a browser that begins and
/// completes sign-ins.
protocol BrowserEndpointSuite {}

extension BrowserEndpointSuite {
    static var redirectURI: String { "timetracker%3A%2F%2Foauth%2Fcallback" }
    static var login: String { "/timetracker/auth/login?redirect_uri=\(redirectURI)" }
    static var page: String { "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }

    func run(
        _ contract: Contract = .timetracker, providers: [String] = ["nordwind"], follows: Bool = false,
        afterwards: (World) throws -> Void = { _ in }, _ body: (LiveServer) async throws -> Void
    ) async throws {
        let world = try await World([contract], providers: providers.map { ScriptedIdentityProvider($0) })
        try await LiveServer.run(
            world,
            adjust: { application in
                for index in application.mounts.indices {
                    application.mounts[index].baseURL = "http://127.0.0.1:3001/\(contract.name)"
                    application.mounts[index].followsLoopbackHost = follows
                }
            }, body)
        try afterwards(world)
    }

    /// Begins a sign-in in a browser; returns its cookie, and the state that it was redirected with.
    func begin(_ server: LiveServer) async throws -> (cookie: String, state: String) {
        let answer = try await server.ask(Self.login)
        #expect(answer.status == 302)
        let cookie = try #require(answer["set-cookie"]?.split(separator: ";").first)
        return (String(cookie), try state(of: answer))
    }

    func state(of answer: HTTPAnswer) throws -> String {
        let location = try #require(answer["location"])
        return String(try #require(location.firstMatch(of: /[?&]state=([^&]+)/)).1)
    }

    func come(
        back query: String, _ cookie: String?, _ server: LiveServer, accept: String = "*/*"
    ) async throws -> HTTPAnswer {
        var headers = ["Accept": accept]
        headers["Cookie"] = cookie
        return try await server.ask("GET", "/timetracker/auth/callback?\(query)", headers)
    }
}
