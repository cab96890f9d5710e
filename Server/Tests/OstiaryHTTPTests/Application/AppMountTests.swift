import OstiaryContracts
import OstiaryHTTP
import Testing

/// The routing of requests to apps, recognized by the text with which each app refuses an unknown path.
@Suite(.timeLimit(.minutes(5)))
struct AppMountTests {
    private static let vici = "error"
    private static let clarity = "detail"

    /// Expects a refusal with a key of vici's or of clarity's contract.
    private func expect(
        _ key: String, at path: String, host: String = "localhost", of server: LiveServer,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await server.ask(path, host: host)
        #expect(answer.status == 404, sourceLocation: sourceLocation)
        #expect(try answer.json[key] != nil, sourceLocation: sourceLocation)
    }

    private func run(
        _ bases: (vici: String, clarity: String), hosts: (vici: [String], clarity: [String]) = ([], []),
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        let world = try await World([.vici, .clarity])
        try await LiveServer.run(
            world,
            adjust: { application in
                let (vici, clarity) = (world.apps[0], world.apps[1])
                let mounts = [
                    ServerApplication.AppMount(
                        name: vici.name, base: bases.vici, hosts: hosts.vici, baseURL: vici.issuer, app: vici.server),
                    ServerApplication.AppMount(
                        name: clarity.name, base: bases.clarity, hosts: hosts.clarity, baseURL: clarity.issuer,
                        app: clarity.server),
                ]
                application = ServerApplication(
                    mounts: mounts, metrics: application.metrics, store: application.store, inbox: nil,
                    showsMetrics: true, isSecure: false)
            }, body)
    }

    @Test func `lists the apps of Apple's platforms that share the passkeys of a host`() async throws {
        let world = try await World([.vici, .clarity])
        let (vici, clarity) = (world.apps[0], world.apps[1])
        let path = "/.well-known/apple-app-site-association"
        try await LiveServer.run(
            world,
            adjust: { application in
                application.mounts = [
                    ServerApplication.AppMount(
                        name: vici.name, base: "", hosts: ["a.example.com"], baseURL: vici.issuer, app: vici.server,
                        association: AppleAppAssociation(
                            credentialApps: ["A1B2C3D4E5.com.example.two", "A1B2C3D4E5.com.example.one"])),
                    ServerApplication.AppMount(
                        name: clarity.name, base: "/clarity", hosts: ["a.example.com", "c.example.com"],
                        baseURL: clarity.issuer, app: clarity.server,
                        association: AppleAppAssociation(
                            credentialApps: ["A1B2C3D4E5.com.example.one"],
                            links: [.init(apps: ["A1B2C3D4E5.com.example.one"], paths: ["/clarity/open/*"])])),
                ]
            }
        ) { server in
            let answer = try await server.ask(path, host: "a.example.com")
            #expect(answer.status == 200 && answer["content-type"] == "application/json")
            let links: JSON = [
                "details": [
                    ["appIDs": ["A1B2C3D4E5.com.example.one"], "components": [["/": "/clarity/open/*"]]]
                ]
            ]
            #expect(
                try answer.json == [
                    "applinks": links,
                    "webcredentials": ["apps": ["A1B2C3D4E5.com.example.one", "A1B2C3D4E5.com.example.two"]],
                ])
            #expect(
                try await server.ask(path, host: "c.example.com:443").json == [
                    "applinks": links, "webcredentials": ["apps": ["A1B2C3D4E5.com.example.one"]],
                ])
            #expect(try await server.ask(path, host: "b.example.com").status == 404)
            #expect(try await server.ask("POST", path, host: "a.example.com").status == 405)
        }
    }

    @Test func `gives a path to the app with its prefix`() async throws {
        try await run(("/vici", "/clarity")) { server in
            try await expect(Self.vici, at: "/vici/x", of: server)
            try await expect(Self.clarity, at: "/clarity/x", of: server)
        }
    }

    @Test func `gives a path to the app with the longest prefix`() async throws {
        try await run(("/auth", "/auth/deep")) { server in
            try await expect(Self.clarity, at: "/auth/deep/x", of: server)
            try await expect(Self.vici, at: "/auth/deeper/x", of: server)
        }
    }

    @Test func `gives what no prefix matches to an app at the root`() async throws {
        try await run(("", "/clarity")) { server in
            try await expect(Self.clarity, at: "/clarity/x", of: server)
            try await expect(Self.vici, at: "/x", of: server)
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
            try await expect(Self.vici, at: "/x", host: "vici.example.com", of: server)
            try await expect(Self.clarity, at: "/x", host: "Clarity.Example.COM:8443", of: server)
            try await expect(Self.clarity, at: "/x", host: "c.example.com", of: server)
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
            try await expect(Self.clarity, at: "/auth/x", host: "clarity.example.com", of: server)
            try await expect(Self.vici, at: "/auth/x", of: server)
        }
    }
}
