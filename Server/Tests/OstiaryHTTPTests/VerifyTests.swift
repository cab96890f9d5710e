import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

/// The responses to a reverse proxy about a request's bearer token.
@Suite(.timeLimit(.minutes(5)))
struct VerifyTests {
    private func run(
        _ contract: Contract = .clarity,
        _ body: (_ client: AppClient, _ jo: SignedIn, _ verify: (String) async throws -> HTTPAnswer) async throws ->
            Void
    ) async throws {
        let world = try await World([contract])
        let client = try AppClient(contract, in: world)
        let jo = try await client.register()
        try await LiveServer.run(world) { server in
            try await body(client, jo) { query in
                try await server.ask(
                    "GET", "/\(contract.name)/verify\(query)",
                    ["Authorization": "Bearer \(jo.tokens.accessToken.reveal())"])
            }
        }
    }

    private func expect(_ status: Int, _ answer: HTTPAnswer, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(answer.status == status, sourceLocation: sourceLocation)
    }

    @Test(arguments: Contract.all) func `says whose token it is`(contract: Contract) async throws {
        try await run(contract) { client, jo, verify in
            try await client.change(AccountChange(addedRoles: ["editor", "admin"]))
            let answer = try await verify("")
            #expect(answer.status == 200)
            #expect(answer["x-auth-user"] == jo.user?.id.text)
            #expect(answer["x-auth-roles"] == "admin,editor")
            let token = jo.tokens.accessToken
            let current = try await client.auth.perform(ListSessions(accessToken: token)).first { $0.isCurrent }
            #expect(answer["x-auth-session"] == current?.id.text)
            #expect(answer.body == "")
            #expect(answer["cache-control"] == "no-store")
        }
    }

    @Test(arguments: Contract.all) func `PT-05: has no header for roles where there are none, and no empty header`(
        contract: Contract
    ) async throws {
        try await run(contract) { _, jo, verify in
            let answer = try await verify("")
            #expect(answer.status == 200)
            #expect(answer["x-auth-user"] == jo.user?.id.text)
            #expect(answer["x-auth-roles"] == nil)
            #expect(answer["x-auth-session"]?.isEmpty == false)
        }
    }

    @Test func `lets a person through who has the role asked for`() async throws {
        try await run { client, _, verify in
            try await client.change(AccountChange(addedRoles: ["admin", "team:blue"]))
            try await expect(200, verify("?role=admin"))
            try await expect(200, verify("?role=team%3Ablue"))
        }
    }

    @Test(arguments: ["?role=admin", "?role=Editor", "?role=editor%20", "?role=team%3Ared"])
    func `holds a person back who lacks a role`(query: String) async throws {
        try await run { client, _, verify in
            try await client.change(AccountChange(addedRoles: ["editor"]))
            let answer = try await verify(query)
            #expect(answer.status == 403)
            #expect(try answer.json["code"] == "forbidden")
            #expect(answer["x-auth-user"] == nil)
        }
    }

    @Test(arguments: [
        "?role", "?role=", "?roles=", "?Role=", "?Role=editor", "?roles=editor", "?x=1", "?x=1&role=editor",
        "?role=editor&x=1", "?role=editor&role=editor", "?role=editor&role=admin", "?role=editor&", "?&role=editor",
        "?role=%", "?role=%FF", "?r%6Fle=", "?=editor", "?role=editor&role", "?role%C3%A9=editor",
    ])
    func `PT-13: refuses a query that is not one role, instead of ignoring it`(query: String) async throws {
        try await run { client, _, verify in
            try await client.change(AccountChange(addedRoles: ["editor"]))
            let answer = try await verify(query)
            #expect(answer.status == 400)
            #expect(try answer.json["code"] == "malformed_request")
            #expect(answer["x-auth-user"] == nil)
        }
    }

    @Test func `PT-14: takes no role for another that is only canonically equivalent`() async throws {
        try await run { client, _, verify in
            // U+212A KELVIN SIGN is equivalent to the letter.
            try await client.change(AccountChange(addedRoles: ["K"]))
            try await expect(200, verify("?role=K"))
            try await expect(403, verify("?role=%E2%84%AA"))
        }
    }

    @Test func `holds a person back from the moment a role is taken away`() async throws {
        try await run { client, _, verify in
            try await client.change(AccountChange(addedRoles: ["admin"]))
            try await expect(200, verify("?role=admin"))
            try await client.change(AccountChange(removedRoles: ["admin"]))
            try await expect(403, verify("?role=admin"))
        }
    }

    @Test(arguments: Contract.all) func `refuses a token from the moment its session ends`(
        contract: Contract
    ) async throws {
        try await run(contract) { client, jo, verify in
            try await expect(200, verify(""))
            try await client.signOut(jo)
            let answer = try await verify("")
            #expect(answer.status == 401)
            #expect(try answer.json["code"] == "session_revoked")
        }
    }

    @Test func `refuses a token from the moment its account is disabled`() async throws {
        try await run { client, _, verify in
            try await expect(200, verify(""))
            try await client.change(AccountChange(isActive: false))
            try await expect(401, verify(""))
        }
    }

    @Test func `refuses an expired token`() async throws {
        try await run { client, _, verify in
            client.world.clock.advance(by: .seconds(3600))
            try await expect(401, verify(""))
        }
    }

    @Test func `refuses another app's token`() async throws {
        let world = try await World([.clarity, .barqnet])
        let token = try await AppClient(.barqnet, in: world).register().tokens.accessToken.reveal()
        try await LiveServer.run(world) { server in
            let headers = ["Authorization": "Bearer \(token)"]
            try await expect(200, server.ask("GET", "/barqnet/verify", headers))
            try await expect(401, server.ask("GET", "/clarity/verify", headers))
        }
    }

    @Test func `lets nobody through while the store is away`() async throws {
        try await run { client, _, verify in
            try await client.world.store.close()
            let answer = try await verify("")
            #expect(answer.status == 503)
            #expect(answer["x-auth-user"] == nil)
        }
    }
}
