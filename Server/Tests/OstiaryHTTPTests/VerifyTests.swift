import Foundation
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
        _ contract: Contract = .clarity, adjusting change: (inout AppSettings) -> Void = { _ in },
        _ body: (_ client: AppClient, _ jo: SignedIn, _ verify: (String) async throws -> HTTPAnswer) async throws ->
            Void
    ) async throws {
        let world = try await World([contract], adjust: change)
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
            try await client.change(AccountChange(addedRoles: try RoleAssignment.read(["editor", "admin"])))
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
            try await client.change(AccountChange(addedRoles: try RoleAssignment.read(["admin", "team:blue"])))
            try await expect(200, verify("?role=admin"))
            try await expect(200, verify("?role=team%3Ablue"))
        }
    }

    @Test(arguments: ["?role=admin", "?role=Editor", "?role=editor%20", "?role=team%3Ared"])
    func `holds a person back who lacks a role`(query: String) async throws {
        try await run { client, _, verify in
            try await client.change(AccountChange(addedRoles: try RoleAssignment.read(["editor"])))
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
            try await client.change(AccountChange(addedRoles: try RoleAssignment.read(["editor"])))
            let answer = try await verify(query)
            #expect(answer.status == 400)
            #expect(try answer.json["code"] == "malformed_request")
            #expect(answer["x-auth-user"] == nil)
        }
    }

    @Test(arguments: [
        ("?permission=videos:write", 200), ("?permission=videos%3Awrite", 200), ("?permission=videos:read", 200),
        ("?permission=videos:write&permission=videos:read", 200), ("?permission=videos:write&scope=project:42", 200),
        ("?permission=images:read&scope=project:42", 200), ("?role=editor&permission=videos:write&acr=aal1", 200),
        ("?permission=images:read", 403), ("?permission=images:read&scope=project:4", 403),
        ("?permission=videos:write&permission=images:read", 403), ("?role=admin&permission=videos:write", 403),
        ("?permission=", 400), ("?permission=videos", 400), ("?permission=videos:*", 400), ("?scope=project:42", 400),
        ("?permission=videos:write&scope=", 400), ("?permission=videos:write&scope=a&scope=a", 400),
        ("?permission=videos:write&scope=a%20b", 400), ("?permissions=videos:write", 400),
    ])
    func `requires permissions, in one scope or in every scope`(query: String, status: Int) async throws {
        try await run(adjusting: Self.roles) { client, _, verify in
            try await client.change(
                AccountChange(addedRoles: RoleAssignment.read(["editor", "viewer@project:42"])))
            let answer = try await verify(query)
            expect(status, answer)
            #expect(answer["x-auth-permissions"] == (status == 200 ? "videos:*" : nil))
            if status == 403, !query.contains("admin") { #expect(try answer.json["code"] == "missing_permission") }
        }
    }

    @Test func `grants by roles that are made through the administration, from the next request on`() async throws {
        try await run(adjusting: Self.roles) { client, _, verify in
            let administration = Administration(engine: client.app.engine, actor: .commandLine(user: "alice"))
            try await client.change(AccountChange(addedRoles: RoleAssignment.read(["moderator", "editor"])))
            try await expect(403, verify("?permission=comments:delete"))
            _ = try await administration.createRole("moderator", permissions: ["comments:*"])
            let granted = try await verify("?permission=comments:delete")
            expect(200, granted)
            #expect(granted["x-auth-permissions"] == "comments:*,videos:*")
            _ = try await administration.updateRole("moderator", permissions: ["comments:read"])
            try await expect(403, verify("?permission=comments:delete"))
            try await administration.deleteRole("moderator")
            try await expect(403, verify("?permission=comments:read"))
            try await expect(200, verify("?permission=videos:write"))
        }
    }

    @Test(arguments: Contract.all)
    func `IM-04: names the administrator who acts for an account, and no authentication`(contract: Contract)
        async throws
    {
        let world = try await World([contract])
        let client = try AppClient(contract, in: world)
        _ = try await client.register()
        let account = try #require(try await client.account())
        let administration = Administration(engine: client.app.engine, actor: .account(try AccountID("op")))
        let token = try await administration.impersonate(account.id, reason: "ticket 7").accessToken
        try await LiveServer.run(world) { server in
            func ask(_ method: String, _ path: String) async throws -> HTTPAnswer {
                try await server.ask(
                    method, "/\(contract.name)\(path)", ["Authorization": "Bearer \(token.reveal())"])
            }
            let answer = try await ask("GET", "/verify")
            #expect(answer.status == 200)
            #expect(answer["x-auth-user"] == account.id.text)
            #expect(answer["x-auth-actor"] == "account:op")
            for name in ["x-auth-acr", "x-auth-amr", "x-auth-time"] { #expect(answer[name] == nil) }
            for query in ["?acr=aal1", "?max_age=900"] {
                let refused = try await ask("GET", "/verify\(query)")
                #expect(refused.status == 403)
                #expect(try refused.json["code"] == "impersonated")
                #expect(refused["www-authenticate"] == nil)
            }
        }
        await #expect(throws: AuthError.impersonated) {
            try await client.auth.perform(StepUp(accessToken: token))
        }
        #expect(try await client.auth.perform(CurrentUser(accessToken: token)).id == account.id)
    }

    private static func roles(_ app: inout AppSettings) {
        app.roles = RoleDefinitions([
            "editor": (try? [PermissionPattern("videos:*")]) ?? [],
            "viewer": (try? [PermissionPattern("images:read")]) ?? [],
        ])
    }

    @Test(arguments: Contract.all) func `tells how and when the person authenticated`(contract: Contract) async throws {
        try await run(contract) { client, _, verify in
            let signedInAt = Int(client.world.clock.now.timeIntervalSince1970)
            client.world.clock.advance(by: .seconds(120))
            let answer = try await verify("")
            #expect(answer["x-auth-acr"] == "aal1")
            #expect(answer["x-auth-time"] == "\(signedInAt)")
            // RFC 8176 has no value for a sign-in at an identity provider.
            #expect(answer["x-auth-amr"] == (contract.rules.identifier == .subject ? nil : "pwd"))
        }
    }

    @Test func `requires a recent authentication`() async throws {
        try await run { client, jo, verify in
            try await expect(200, verify("?max_age=300"))
            client.world.clock.advance(by: .seconds(301))
            let answer = try await verify("?max_age=300")
            #expect(answer.status == 403)
            #expect(
                answer["www-authenticate"]
                    == #"Bearer error="insufficient_user_authentication", max_age="300""#)
            #expect(try answer.json["code"] == "step_up_required")
            #expect(answer["x-auth-user"] == nil)
            try await expect(200, verify(""))

            // The challenge of the answer can be answered at once.
            guard case .string(let token)? = try answer.json["challenge_token"] else {
                Issue.record("no challenge token")
                return
            }
            _ = try await client.auth.perform(
                AnswerChallenge(
                    challengeToken: Secret(token), answers: ["password": AppClient.password],
                    accessToken: jo.tokens.accessToken))
            let renewed = try await verify("?max_age=300&acr=aal1")
            #expect(renewed.status == 200)
            #expect(renewed["x-auth-time"] == "\(Int(client.world.clock.now.timeIntervalSince1970))")
        }
    }

    @Test func `requires two factors, each recent`() async throws {
        try await run { client, jo, verify in
            let refused = try await verify("?acr=aal2")
            #expect(refused.status == 403)
            // An account without factors has no method that would lead to the level.
            #expect(try refused.json["challenge_token"] == nil)

            let token = jo.tokens.accessToken
            let pending = try await client.auth.perform(BeginTOTP(accessToken: token))
            let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
            let code = authenticator.code(at: client.world.clock.now)
            _ = try await client.auth.perform(
                ConfirmTOTP(accessToken: token, factorID: pending.factorID, code: try OneTimeCode(code)))
            let answer = try await verify("?max_age=300&acr=aal2&role=")
            #expect(answer.status == 400)
            let passed = try await verify("?max_age=300&acr=aal2")
            #expect(passed.status == 200)
            #expect(passed["x-auth-acr"] == "aal2")
            #expect(passed["x-auth-amr"] == "mfa,otp,pwd")
            client.world.clock.advance(by: .seconds(301))
            try await expect(403, verify("?acr=aal2&max_age=300"))
            try await expect(200, verify("?acr=aal2"))
            try await expect(403, verify("?acr=aal2&role=admin"))
        }
    }

    @Test(arguments: [
        "?acr", "?acr=", "?acr=AAL2", "?acr=aal3", "?acr=aal2&acr=aal2", "?acr=aal1&acr=aal2", "?acr=%61al2%00",
        "?max_age", "?max_age=", "?max_age=-1", "?max_age=%2B5", "?max_age=1.5", "?max_age=300s", "?max_age=1234567890",
        "?max_age=300&max_age=300", "?max-age=300", "?MAX_AGE=300", "?acr=aal1&max_age=300&x=1", "?max_age=%D9%A3",
        "?acr_values=aal2",
    ])
    func `PT-13: refuses a condition that it cannot read, instead of ignoring it`(query: String) async throws {
        try await run { _, _, verify in
            let answer = try await verify(query)
            #expect(answer.status == 400)
            #expect(try answer.json["code"] == "malformed_request")
            #expect(answer["x-auth-user"] == nil)
        }
    }

    @Test func `PT-14: takes no role for another that is only canonically equivalent`() async throws {
        try await run { client, _, verify in
            // U+212A KELVIN SIGN is equivalent to the letter.
            try await client.change(AccountChange(addedRoles: try RoleAssignment.read(["K"])))
            try await expect(200, verify("?role=K"))
            try await expect(403, verify("?role=%E2%84%AA"))
        }
    }

    @Test func `holds a person back from the moment a role is taken away`() async throws {
        try await run { client, _, verify in
            try await client.change(AccountChange(addedRoles: try RoleAssignment.read(["admin"])))
            try await expect(200, verify("?role=admin"))
            try await client.change(AccountChange(removedRoles: try RoleAssignment.read(["admin"])))
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
