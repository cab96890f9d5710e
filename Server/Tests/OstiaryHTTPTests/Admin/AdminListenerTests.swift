import OstiaryAdminAPI
import OstiaryContracts
import OstiaryHTTP
import Testing

/// The admin API on its listener and, in development, beside the apps.
@Suite(.timeLimit(.minutes(5))) struct AdminListenerTests {
    private func run(
        isAdminListener: Bool, publicURL: String? = nil, _ body: (LiveServer, String) async throws -> Void
    ) async throws {
        let admin = try await AdminWorld()
        let key = try await admin.key()
        try await LiveServer.run(
            admin.world,
            adjust: { application in
                application.admin = AdminServer(api: admin.api, hosts: AdminHosts(publicURL: publicURL))
                application.isAdminListener = isAdminListener
                if isAdminListener { application.mounts = [] }
            }
        ) { server in
            try await body(server, "Bearer \(key)")
        }
    }

    @Test(arguments: ["localhost", "LOCALHOST:80", "127.0.0.1", "10.0.0.21:3002", "[::1]:3002", "admin.example.com"])
    func `accepts addresses, names of this machine and the configured host`(host: String) async throws {
        try await run(isAdminListener: true, publicURL: "https://admin.example.com") { server, key in
            let answer = try await server.ask("GET", "/admin/v1/apps", ["Authorization": key], host: host)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "admin.example.com.", "1"])
    func `refuses any other name, which a page can point here`(host: String) async throws {
        try await run(isAdminListener: true, publicURL: "https://admin.example.com") { server, key in
            for path in ["/admin/v1/apps", "/admin", "/admin/people"] {
                let answer = try await server.ask("GET", path, ["Authorization": key], host: host)
                #expect(answer.status == 421 && answer["content-type"] == AdminMediaType.problem)
                #expect(try answer.json["code"] == "misdirected_request")
            }
        }
    }

    @Test func `serves metrics and health to any host, and no app`() async throws {
        try await run(isAdminListener: true) { server, key in
            for path in ["/metrics", "/healthz", "/readyz"] {
                let answer = try await server.ask("GET", path, host: "ostiary.internal")
                #expect(answer.status == 200)
            }
            for path in ["/clarity/verify", "/vici/api/auth/me", "/idp", "/admin", "/admin/", "/administrator"] {
                let answer = try await server.ask("GET", path, ["Authorization": key])
                #expect(answer.status == 404)
            }
        }
    }

    @Test(arguments: ["/admin/v1", "/admin/v1/", "/admin/v1/apps"])
    func `answers below the path of the API, and no path that only begins with it`(path: String) async throws {
        try await run(isAdminListener: true) { server, key in
            let asked = try await server.ask("GET", path)
            #expect(asked.status == 401)
            for other in ["/admin/v10", "/admin/v1.json", "/admin/v", "/ADMIN/v1/apps"] {
                let answer = try await server.ask("GET", other)
                #expect(answer.status == 404)
            }
        }
    }

    @Test func `is served beside the apps to this machine alone`() async throws {
        try await run(isAdminListener: false) { server, key in
            #expect(try await server.ask("GET", "/admin/v1/apps", ["Authorization": key]).status == 200)
            for header in ["Via", "Forwarded", "X-Forwarded-For", "X-Real-IP"] {
                let answer = try await server.ask("GET", "/admin/v1/apps", ["Authorization": key, header: "for=x"])
                #expect(answer.status == 404, "\(header)")
            }
            let named = try await server.ask("GET", "/admin/v1/apps", ["Authorization": key], host: "evil.example")
            #expect(named.status == 404)
        }
    }

    @Test func `has the limits of the main listener`() async throws {
        try await run(isAdminListener: true) { server, key in
            let headers = ["Authorization": key, "Content-Type": "application/json"]
            let large = try await server.ask(
                "POST", "/admin/v1/apps/clarity/accounts", headers, body: String(repeating: " ", count: 65_537))
            #expect(large.status == 413)
            #expect(try large.json["code"] == "body_too_large")
            let coded = try await server.ask(
                "POST", "/admin/v1/apps/clarity/accounts", headers.merging(["Content-Encoding": "gzip"]) { $1 },
                body: "{}")
            #expect(coded.status == 415)
            let broken = try await server.ask("GET", "/admin/v1/apps", ["Content-Length": "x"])
            #expect(broken.status == 400)
            for refusal in [large, coded, broken] { #expect(refusal["content-type"] == AdminMediaType.problem) }
            #expect(try broken.json["status"] == 400 && broken.json["code"] == "malformed")
        }
    }

    @Test func `answers HEAD without a body`() async throws {
        try await run(isAdminListener: true) { server, key in
            let answer = try await server.ask("HEAD", "/admin/v1/apps", ["Authorization": key])
            #expect(answer.status == 200 && answer.body.isEmpty && answer["content-type"] == "application/json")
        }
    }

    @Test func `counts requests by operation`() async throws {
        try await run(isAdminListener: true) { server, key in
            _ = try await server.ask("GET", "/admin/v1/apps", ["Authorization": key])
            _ = try await server.ask("GET", "/admin/v1/\"nowhere", ["Authorization": key])
            let text = server.metrics.text
            #expect(text.contains(#"{app="admin",operation="listApps",status="200"} 1"#))
            #expect(text.contains(#"{app="admin",operation="unknown_path",status="404"} 1"#))
        }
    }
}
