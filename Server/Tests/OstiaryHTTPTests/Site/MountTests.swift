import OstiaryContracts
import OstiaryHTTP
import Testing

/// Which app a request is for. Told by the words in which each app refuses an unknown path.
@Suite(.timeLimit(.minutes(1)))
struct MountTests {
    private static let vici = "error"
    private static let clarity = "detail"

    /// The key of the refusal, which differs between vici and clarity.
    private func refusalKey(_ answer: HTTPAnswer) throws -> String? {
        #expect(answer.status == 404)
        let json = try answer.json
        return [Self.vici, Self.clarity].first { json[$0] != nil }
    }

    private func run(
        _ bases: (vici: String, clarity: String), hosts: (vici: [String], clarity: [String]) = ([], []),
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        let world = try await World([.vici, .clarity])
        try await LiveServer.run(
            world,
            adjust: { site in
                let (vici, clarity) = (world.apps[0], world.apps[1])
                let mounts = [
                    Site.Mount(
                        name: vici.name, base: bases.vici, hosts: hosts.vici, baseURL: vici.issuer, app: vici.server),
                    Site.Mount(
                        name: clarity.name, base: bases.clarity, hosts: hosts.clarity, baseURL: clarity.issuer,
                        app: clarity.server),
                ]
                site = Site(
                    mounts: mounts, proxies: site.proxies, metrics: site.metrics, store: site.store, inbox: nil,
                    showsMetrics: true, isSecure: false, maximumBodyBytes: site.maximumBodyBytes)
            }, body)
    }

    @Test func `gives a path to the app with its prefix`() async throws {
        try await run(("/vici", "/clarity")) { server in
            #expect(try refusalKey(await server.ask("/vici/x")) == Self.vici)
            #expect(try refusalKey(await server.ask("/clarity/x")) == Self.clarity)
        }
    }

    @Test func `gives a path to the app with the longest prefix`() async throws {
        try await run(("/auth", "/auth/deep")) { server in
            #expect(try refusalKey(await server.ask("/auth/deep/x")) == Self.clarity)
            #expect(try refusalKey(await server.ask("/auth/deeper/x")) == Self.vici)
        }
    }

    @Test func `gives what no prefix matches to an app at the root`() async throws {
        try await run(("", "/clarity")) { server in
            #expect(try refusalKey(await server.ask("/clarity/x")) == Self.clarity)
            #expect(try refusalKey(await server.ask("/x")) == Self.vici)
        }
    }

    @Test(arguments: [
        "/vicious", "/VICI/api/auth/me", "/%76ici/api/auth/me", "//vici/api/auth/me", "/./vici/api/auth/me",
        "/x/../vici/api/auth/me", "/vici;a/api/auth/me", "/",
    ])
    func `takes no other path for a prefix`(path: String) async throws {
        try await run(("/vici", "/clarity")) { server in
            let answer = try await server.ask(path)
            #expect(answer.status == 404)
            #expect(answer.body == #"{"error":"not_found","code":"not_found"}"#)
            #expect(answer["x-request-id"] != nil)
        }
    }

    @Test func `gives a host's requests to its app, whatever the port and the letters' case`() async throws {
        try await run(("", ""), hosts: (["vici.example.com"], ["clarity.example.com", "c.example.com"])) { server in
            #expect(try refusalKey(await server.ask("/x", host: "vici.example.com")) == Self.vici)
            #expect(try refusalKey(await server.ask("/x", host: "Clarity.Example.COM:8443")) == Self.clarity)
            #expect(try refusalKey(await server.ask("/x", host: "c.example.com")) == Self.clarity)
        }
    }

    @Test func `gives no app a request for a host that is nobody's`() async throws {
        try await run(("", ""), hosts: (["vici.example.com"], ["clarity.example.com"])) { server in
            let answer = try await server.ask("/api/auth/me", host: "vici.example.com.evil.example")
            #expect(answer.body == #"{"error":"not_found","code":"not_found"}"#)
        }
    }

    @Test func `prefers an app with the host to one for any host`() async throws {
        try await run(("/auth", ""), hosts: ([], ["clarity.example.com"])) { server in
            #expect(try refusalKey(await server.ask("/auth/x", host: "clarity.example.com")) == Self.clarity)
            #expect(try refusalKey(await server.ask("/auth/x")) == Self.vici)
        }
    }
}
