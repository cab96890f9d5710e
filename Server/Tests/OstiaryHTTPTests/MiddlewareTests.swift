import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryMiddleware
import OstiaryServerTestSupport
import OstiaryStore
import OstiaryTesting
import Testing

/// A third party's service behind the middleware, which sends requests to a running Ostiary server over the socket.
@Suite(.timeLimit(.minutes(5)))
struct MiddlewareTests {
    private struct Scene {
        let client: AppClient
        let jo: SignedIn
        let service: LiveServer

        func ask(_ path: String, _ authorization: String? = nil) async throws -> HTTPAnswer {
            let own = "Bearer \(jo.tokens.accessToken.reveal())"
            return try await service.ask("GET", path, ["Authorization": authorization ?? own])
        }
    }

    private func run(_ body: (Scene) async throws -> Void) async throws {
        let world = try await World([.clarity]) { app in
            app.roles = RoleDefinitions([
                "editor": (try? [PermissionPattern("videos:*")]) ?? [],
                "designer": (try? [PermissionPattern("images:*")]) ?? [],
            ])
        }
        let client = try AppClient(.clarity, in: world)
        let jo = try await client.register()
        try await LiveServer.run(world) { server in
            try await ProtectedService.run(askingAt: "\(server.origin)/clarity", logger: world.log.logger) { service in
                try await body(Scene(client: client, jo: jo, service: service))
            }
        }
    }

    @Test func `hands the handler the person, the session and the roles`() async throws {
        try await run { scene in
            try await scene.client.change(AccountChange(addedRoles: try RoleAssignment.read(["editor", "admin"])))
            let token = scene.jo.tokens.accessToken
            let session = try await scene.client.auth.perform(ListSessions(accessToken: token))[0].id
            let id = try #require(scene.jo.user?.id)
            let answer = try await scene.ask("/people/me")
            #expect(answer.status == 200)
            #expect(answer.body == "\(id) in \(session) as admin+editor")
        }
    }

    @Test func `hands the handler the administrator who acts for the account`() async throws {
        try await run { scene in
            #expect(try await scene.ask("/people/actor").body == "the owner")
            let account = try #require(try await scene.client.account())
            let administration = Administration(engine: scene.client.app.engine, actor: .account(try AccountID("op")))
            let token = try await administration.impersonate(account.id, reason: "ticket 7").accessToken.reveal()
            #expect(try await scene.ask("/people/actor", "Bearer \(token)").body == "account:op")
            // Neither counts as a recent authentication of the owner.
            for path in ["/payments", "/keys"] {
                #expect(try await scene.ask(path, "Bearer \(token)").status == 403)
            }
        }
    }

    @Test func `PT-14: gives nobody a role for one that is only canonically equivalent`() throws {
        // U+212A KELVIN SIGN is equivalent to the letter.
        let user = AuthenticatedUser(id: try AccountID("1"), session: try SessionID("s"), roles: ["K", "team:blue"])
        #expect(user.hasRole("K") && user.hasRole("team:blue"))
        #expect(!user.hasRole("\u{212A}"))
    }

    @Test func `requires a recent authentication, or a second factor, where the route does`() async throws {
        try await run { scene in
            let answer = try await scene.ask("/payments")
            #expect(answer.status == 200)
            #expect(answer.body == "authenticated by pwd")
            scene.client.world.clock.advance(by: .seconds(301))
            let late = try await scene.ask("/payments")
            #expect(late.status == 403)
            #expect(
                late["www-authenticate"] == #"Bearer error="insufficient_user_authentication", max_age="300""#)
            let weak = try await scene.ask("/keys")
            #expect(weak.status == 403)
            #expect(
                weak["www-authenticate"] == #"Bearer error="insufficient_user_authentication", acr_values="aal2""#)
            // Without the requirement the token is as good as before, and without a token it is 401.
            #expect(try await scene.ask("/people/me").status == 200)
            #expect(try await scene.ask("/payments", "Bearer x").status == 401)
        }
    }

    @Test(arguments: [
        ("editor", 200), ("editor@project:42", 200), ("editor@project:4", 403), ("viewer", 403), ("admin", 200),
    ])
    func `requires a permission where the route does`(role: String, status: Int) async throws {
        try await run { scene in
            try await scene.client.change(AccountChange(addedRoles: RoleAssignment.read([role])))
            let answer = try await scene.ask("/videos")
            #expect(answer.status == status)
            #expect(answer["www-authenticate"] == (status == 403 ? #"Bearer error="insufficient_scope""# : nil))
        }
    }

    @Test(arguments: [
        (["editor"], 403), (["designer"], 403), (["editor", "designer"], 200),
        (["editor", "designer@project:42"], 403),
        (["admin"], 200),
    ])
    func `requires every permission of a route that requires several`(roles: [String], status: Int) async throws {
        try await run { scene in
            try await scene.client.change(AccountChange(addedRoles: RoleAssignment.read(roles)))
            #expect(try await scene.ask("/releases").status == status)
        }
    }

    @Test func `combines requirements, and refuses permissions in two scopes`() throws {
        let recent = AccessRequirement(authentication: StepUpRequirement(maximumAgeSeconds: 300))
        let strong = AccessRequirement(authentication: StepUpRequirement(level: .aal2, maximumAgeSeconds: 600))
        let write = try AccessRequirement.permission("videos:write", in: "project:42")
        let read = try AccessRequirement.permission("images:read", in: "project:42")
        let combined = try recent.combined(with: write).combined(with: strong).combined(with: read).combined(
            with: write)
        #expect(combined.authentication == StepUpRequirement(level: .aal2, maximumAgeSeconds: 300))
        #expect(combined.permissions.map(\.text) == ["videos:write", "images:read"])
        #expect(combined.scope == write.scope)
        for other in [try AccessRequirement.permission("images:read"), try .permission("images:read", in: "project:4")]
        {
            #expect(throws: FieldProblem.notSupported) { try combined.combined(with: other) }
        }
    }

    @Test func `refuses a requirement of a malformed permission before a request is made`() {
        #expect(throws: FieldProblem.malformed) { try AccessRequirement.permission("videos") }
        #expect(throws: FieldProblem.malformed) { try AccessRequirement.permission("videos:write", in: "a b") }
    }

    /// A verifier that knows the user from elsewhere, and is not told about requirements.
    private struct Known: TokenVerifier {
        let level: AuthenticationLevel
        let age: Double

        func user(of accessToken: Secret<String>) async throws(AuthError) -> AuthenticatedUser {
            guard let id = try? AccountID("1"), let session = try? SessionID("s") else { throw .invalidAccessToken }
            return AuthenticatedUser(
                id: id, session: session, roles: [],
                authentication: SessionAuthentication(level: level, time: Date(timeIntervalSinceNow: -age), methods: [])
            )
        }
    }

    @Test(arguments: [
        (AuthenticationLevel.aal1, 10.0, AuthenticationLevel?.none, Int?.some(300), true),
        (.aal1, 400, nil, 300, false), (.aal1, 10, .aal2, nil, false), (.aal2, 1e6, .aal2, nil, true),
        (.aal2, 10, .aal1, 300, true), (.aal2, 400, .aal2, 300, false), (.aal2, 400, nil, 300, false),
    ])
    func `a verifier of one's own has the same requirements`(
        level: AuthenticationLevel, age: Double, acr: AuthenticationLevel?, maxAge: Int?, passes: Bool
    ) async throws {
        let verifier = Known(level: level, age: age)
        let request = ReceivedRequest(
            Request(
                head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
                body: .init(buffer: ByteBuffer())))
        let requirement = StepUpRequirement(level: acr, maximumAgeSeconds: maxAge)
        do {
            _ = try await verifier.user(
                of: Secret("t"), asking: request, requiring: AccessRequirement(authentication: requirement))
            #expect(passes)
        } catch {
            // An authentication with two factors is renewed with both: the older one's time is the one that counts.
            let expected = StepUpRequirement(level: max(level, acr ?? .aal1), maximumAgeSeconds: maxAge)
            #expect(!passes && error == .stepUpRequired(expected))
        }
    }

    @Test func `answers 401 to a request without a token`() async throws {
        try await run { scene in
            let answer = try await scene.service.ask("/people/me")
            #expect(answer.status == 401)
            #expect(answer["www-authenticate"]?.hasPrefix("Bearer") == true)
        }
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearer x", "Basic am86eA==", "Bearer a b", "Bearer x, Bearer y", "Bearer ä",
        "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "Token x",
    ])
    func `answers 401 to what is no good token`(authorization: String) async throws {
        try await run { scene in
            let answer = try await scene.ask("/people/me", authorization)
            #expect(answer.status == 401)
            #expect(answer["www-authenticate"]?.hasPrefix("Bearer") == true)
        }
    }

    @Test func `answers 401 to two tokens, though one is good`() async throws {
        try await run { scene in
            let own = "Authorization: Bearer \(scene.jo.tokens.accessToken.reveal())"
            let head = "GET /people/me HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
            for pair in ["\(own)\r\nAuthorization: Bearer x", "Authorization: Bearer x\r\n\(own)", "\(own)\r\n\(own)"] {
                let text = try await RawConnection.exchange(port: scene.service.port, "\(head)\(pair)\r\n\r\n")
                #expect(try HTTPAnswer(text).status == 401)
            }
        }
    }

    @Test func `answers 401 from the moment of the sign-out`() async throws {
        try await run { scene in
            let before = try await scene.ask("/people/me")
            #expect(before.status == 200)
            try await scene.client.signOut(scene.jo)
            let after = try await scene.ask("/people/me")
            #expect(after.status == 401)
        }
    }

    @Test func `answers 403 to a person without the role`() async throws {
        try await run { scene in
            let without = try await scene.ask("/people/admin")
            #expect(without.status == 403)
            try await scene.client.change(AccountChange(addedRoles: try RoleAssignment.read(["admin"])))
            let with = try await scene.ask("/people/admin")
            #expect(with.status == 200)
            try await scene.client.change(AccountChange(removedRoles: try RoleAssignment.read(["admin"])))
            let after = try await scene.ask("/people/admin")
            #expect(after.status == 403)
        }
    }

    @Test func `asks nobody on routes that are open`() async throws {
        try await run { scene in
            let answer = try await scene.ask("/open", "Bearer x")
            #expect(answer.body == "for everyone")
        }
    }

    @Test func `answers 401 on a route for people where the middleware was forgotten`() async throws {
        try await run { scene in
            let answer = try await scene.ask("/forgotten")
            #expect(answer.status == 401)
            #expect(answer["www-authenticate"] == "Bearer")
        }
    }

    @Test func `lets nobody through while the server's store is away`() async throws {
        try await run { scene in
            try await scene.client.world.store.close()
            let answer = try await scene.ask("/people/me")
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "5")
        }
    }

    @Test func `lets nobody through when the server is gone`() async throws {
        let world = try await World([.clarity])
        let token = try await AppClient(.clarity, in: world).register().tokens.accessToken.reveal()
        let origin = try await LiveServer.run(world) { $0.origin }
        try await ProtectedService.run(
            askingAt: "\(origin)/clarity", timeout: .milliseconds(500), logger: world.log.logger
        ) { service in
            let answer = try await service.ask("GET", "/people/me", ["Authorization": "Bearer \(token)"])
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "5")
        }
    }

    @Test func `lets nobody through when what answers is no Ostiary server`() async throws {
        let world = try await World([.clarity])
        try await LiveServer.run(world) { server in
            // A server that answers every request with 200 and states nothing about any account.
            try await ProtectedService.run(askingAt: "\(server.origin)/healthz?", logger: world.log.logger) { service in
                let answer = try await service.ask("GET", "/people/me", ["Authorization": "Bearer x"])
                #expect(answer.status == 503)
            }
        }
    }
}
