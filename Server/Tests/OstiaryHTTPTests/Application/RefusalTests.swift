import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryServerTestSupport
import OstiaryStore
import Testing

/// Requests that never become an operation, each refused in the contract's own format.
@Suite(.timeLimit(.minutes(5)))
struct RefusalTests {
    /// Expects one of the contract's error bodies, with that code.
    private func expectRefusal(_ answer: HTTPAnswer, _ status: Int, _ code: String, _ contract: Contract) throws {
        #expect(answer.status == status)
        #expect(answer["content-type"]?.hasPrefix("application/json") == true)
        let json = try answer.json
        #expect(json["code"] == .string(code))
        guard case .string(let text) = json[contract.failureKey] else {
            Issue.record("no \(contract.failureKey)")
            return
        }
        #expect(!text.isEmpty)
        if let envelope = contract.envelope { #expect(json[envelope.successKey] == false) }
    }

    private func run(
        _ contract: Contract, _ body: (_ server: LiveServer, _ app: String, _ signOut: Endpoint) async throws -> Void
    ) async throws {
        let endpoint = try #require(contract.endpoint(for: .signOut))
        try await LiveServer.run(World([contract])) { server in
            try await body(server, "/\(contract.name)\(contract.prefix)", endpoint)
        }
    }

    @Test(arguments: Contract.all) func `refuses an unknown path`(contract: Contract) async throws {
        try await run(contract) { server, app, _ in
            for path in ["\(app)/nothing", "\(app)", "/\(contract.name)", "/\(contract.name)/"] {
                try expectRefusal(await server.ask(path), 404, "not_found", contract)
            }
        }
    }

    @Test(arguments: Contract.all, ["OPTIONS", "TRACE", "PROPFIND"])
    func `refuses an unknown method, naming those that the path takes`(
        contract: Contract, method: String
    ) async throws {
        try await run(contract) { server, app, endpoint in
            let answer = try await server.ask(method, app + endpoint.path)
            try expectRefusal(answer, 405, "method_not_allowed", contract)
            #expect(answer["allow"]?.contains(endpoint.method.rawValue) == true)
        }
    }

    @Test(arguments: Contract.all) func `refuses HEAD without a body`(contract: Contract) async throws {
        try await run(contract) { server, app, endpoint in
            let answer = try await server.ask("HEAD", app + endpoint.path)
            #expect(answer.status == 405)
            #expect(answer.body == "")
        }
    }

    @Test(arguments: ["post", "Post", "BREW"]) func `takes no method that HTTP does not know`(method: String)
        async throws
    {
        try await LiveServer.run(World([.vici])) { server in
            let answer = try await server.post("/vici/api/auth/login", "{}", method: method)
            #expect(answer.status == 400)
        }
    }

    @Test(arguments: ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"])
    func `lets no header change the method`(header: String) async throws {
        try await LiveServer.run(World([.vici])) { server in
            let answer = try await server.ask("GET", "/vici/api/auth/login", [header: "POST"])
            #expect(answer.status == 405)
        }
    }

    @Test(arguments: Contract.withPasswords) func `refuses a body that is too large`(contract: Contract) async throws {
        let endpoint = try #require(contract.endpoint(for: .signIn))
        try await run(contract) { server, app, _ in
            let body = "{\"x\":\"\(String(repeating: "x", count: 65_536))\"}"
            let answer = try await server.post(app + endpoint.path, body, method: endpoint.method.rawValue)
            try expectRefusal(answer, 413, "body_too_large", contract)
        }
    }

    @Test func `reads a body of exactly the limit`() async throws {
        try await LiveServer.run(World([.vici])) { server in
            let frame = #"{"email":"jo@example.com","x":""}"#
            let body = frame.dropLast(2) + String(repeating: "x", count: 65_536 - frame.utf8.count) + "\"}"
            #expect(body.utf8.count == 65_536)
            let answer = try await server.post("/vici/api/auth/login", String(body))
            #expect(try answer.json["code"] == "password_missing")
        }
    }

    @Test(
        arguments: Contract.withPasswords,
        ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"])
    func `refuses a body of another type`(contract: Contract, type: String) async throws {
        let endpoint = try #require(contract.endpoint(for: .signIn))
        try await run(contract) { server, app, _ in
            let answer = try await server.ask(
                endpoint.method.rawValue, app + endpoint.path, ["Content-Type": type], body: "{}")
            try expectRefusal(answer, 415, "unsupported_media_type", contract)
        }
    }

    @Test(arguments: ["gzip", "br", "deflate, gzip"])
    func `refuses a body in a coding`(coding: String) async throws {
        try await LiveServer.run(World([.vici])) { server in
            let answer = try await server.ask(
                "POST", "/vici/api/auth/login", ["Content-Type": "application/json", "Content-Encoding": coding],
                body: "{}")
            try expectRefusal(answer, 415, "unsupported_media_type", .vici)
        }
    }

    @Test(arguments: Contract.withPasswords)
    func `answers 503 with an incident while the store is away, and tells the cause to the log alone`(
        contract: Contract
    ) async throws {
        let world = try await World([contract])
        let client = try AppClient(contract, in: world)
        let request = try client.auth.codec.write(SignIn(identifier: client.identifier, password: AppClient.password))
        try await world.store.close()
        try await LiveServer.run(world) { server in
            let answer = try await server.post(
                "/\(contract.name)\(request.path)", String(decoding: request.body, as: UTF8.self),
                method: request.method)
            try expectRefusal(answer, 503, "unavailable", contract)
            #expect(answer["retry-after"] == "5")
            guard case .string(let incident) = try answer.json["incident"] else {
                Issue.record("no incident")
                return
            }
            let records = world.log.records.filter { $0.contains("incident=\(incident)") }
            #expect(records.contains { $0.contains("closed") })
            for word in ["closed", "sqlite", "SELECT", "StoreError", "/"] {
                #expect(!answer.body.lowercased().contains(word.lowercased()))
            }
        }
    }
}
