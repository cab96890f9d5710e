import Foundation
import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// Roles, impersonation, signing keys, the audit log and messages through the admin API.
@Suite(.timeLimit(.minutes(5))) struct AdminRecordsTests {
    private let admin: AdminWorld
    private let key: String

    init() async throws {
        admin = try await AdminWorld()
        key = try await admin.key()
    }

    private func ask(_ method: String = "GET", _ path: String, _ body: String = "") async throws -> AdminAnswer {
        try await admin.ask(method, path, key: key, body: body)
    }

    private func pointers(_ answer: AdminAnswer) throws -> [String] {
        try (answer.read(AdminProblemDetails.self).errors ?? []).map { "\($0.pointer) \($0.code)" }
    }

    // MARK: Roles

    @Test func `creates, changes, lists and deletes a role`() async throws {
        let roles = "/apps/clarity/roles"
        let created = try await ask("POST", roles, #"{"name":"editor","permissions":["videos:*"]}"#)
        #expect(created.status == 201)
        #expect(created.headers["location"] == "/admin/v1/apps/clarity/roles/editor")
        #expect(try created.read(AdminRole.self).source == .api)
        let page = try await ask("GET", roles + "?limit=1").read(AdminPage<AdminRole>.self)
        #expect(page.items.map(\.name) == ["admin"])
        let next = try #require(page.nextCursor)
        let rest = try await ask("GET", roles + "?limit=1&cursor=\(next)").read(AdminPage<AdminRole>.self)
        #expect(rest.items.map(\.name) == ["editor"])
        #expect(rest.nextCursor == nil)
        let changed = try await ask("PATCH", roles + "/editor", #"{"permissions":["videos:read"]}"#)
        #expect(try changed.read(AdminRole.self).permissions == ["videos:read"])
        #expect(try await ask("PATCH", roles + "/editor", "{}").read(AdminRole.self).permissions == ["videos:read"])
        #expect(try await ask("DELETE", roles + "/editor").status == 204)
        #expect(try await ask("DELETE", roles + "/editor").status == 404)
    }

    @Test func `refuses a role that is not acceptable, and one that it may not change`() async throws {
        let roles = "/apps/clarity/roles"
        let malformed = try await ask("POST", roles, #"{"name":"a b","permissions":[]}"#)
        #expect(malformed.status == 400)
        #expect(try pointers(malformed) == ["/name malformed"])
        let permission = try await ask("POST", roles, #"{"name":"a","permissions":["videos:read","x"]}"#)
        #expect(try pointers(permission) == ["/permissions/1 malformed"])
        let admin = try await ask("PATCH", roles + "/admin", #"{"permissions":[]}"#)
        #expect(admin.status == 409 && admin.code == "role_read_only")
        #expect(try await ask("POST", roles, #"{"name":"admin","permissions":[]}"#).code == "role_exists")
        #expect(try await ask("PATCH", roles + "/stranger", "{").status == 404)
    }

    @Test func `replaces the roles of an account`() async throws {
        let account = try await admin.account()
        let path = "/apps/clarity/accounts/\(account.id)/roles"
        let set = try await ask("PUT", path, #"{"roles":[{"role":"editor","scope":"project:42"},{"role":"viewer"}]}"#)
        #expect(set.status == 200)
        let roles = try set.read(AdminRoleAssignments.self).roles
        #expect(roles.map { "\($0.role) \($0.scope ?? "-")" } == ["editor project:42", "viewer -"])
        #expect(try await ask("PUT", path, #"{"roles":[]}"#).read(AdminRoleAssignments.self).roles.isEmpty)
        let refused = try await ask("PUT", path, #"{"roles":[{"role":"a"},{"role":"b","scope":"a b"}]}"#)
        #expect(try pointers(refused) == ["/roles/1/scope malformed"])
        let name = try await ask("PUT", path, #"{"roles":[{"role":"a b"}]}"#)
        #expect(try pointers(name) == ["/roles/0/role malformed"])
    }

    // MARK: Impersonation

    @Test func `opens a session in which the key acts for the account, until the key is revoked`() async throws {
        let account = try await admin.account()
        let path = "/apps/clarity/accounts/\(account.id)"
        let answer = try await ask("POST", path + "/impersonate", #"{"reason":"ticket 7","expires_in":60}"#)
        #expect(answer.status == 200)
        let impersonation = try answer.read(AdminImpersonation.self)
        #expect(impersonation.tokenType == "Bearer" && impersonation.expiresIn == 60)
        let engine = try #require(admin.server.apps.first { $0.name == account.app }).engine
        let bearer = try await engine.bearer(of: impersonation.accessToken)
        #expect(bearer.account.id == account.id)
        let sessions = try await ask("GET", path + "/sessions").read(AdminPage<AdminSession>.self).items
        #expect(sessions.map(\.id) == [impersonation.sessionID])
        let actor = try #require(sessions.first?.actor)
        #expect(actor == bearer.session.actor && actor.hasPrefix("key:"))
        let administration = ServerAdministration(admin.server, actor: .commandLine(user: "operator"))
        _ = try await administration.revokeServiceKey(String(actor.dropFirst(4)))
        await #expect(throws: AuthError.sessionRevoked) {
            try await engine.bearer(of: impersonation.accessToken)
        }
    }

    @Test func `refuses an impersonation without a reason, too long, or of an administrator`() async throws {
        let account = try await admin.account()
        let path = "/apps/clarity/accounts/\(account.id)/impersonate"
        #expect(try await ask("POST", path, "{}").status == 400)
        #expect(try await ask("POST", path, #"{"reason":" "}"#).status == 400)
        #expect(
            try await pointers(ask("POST", path, #"{"reason":"r","expires_in":901}"#)) == ["/expires_in out_of_range"])
        _ = try await admin.server.store.change(
            account.id, in: account.app, AccountChange(addedRoles: RoleAssignment.read(["admin@project:1"])),
            at: admin.world.clock.now)
        let refused = try await ask("POST", path, #"{"reason":"r"}"#)
        #expect(refused.status == 403 && refused.code == "impersonation_forbidden")
    }

    // MARK: Records

    @Test func `lists audit events by their conditions, in pages and as lines`() async throws {
        for number in 0..<5 {
            try await admin.server.store.append(
                AuditEvent(
                    at: admin.world.clock.now.addingTimeInterval(Double(number)), app: AppName("clarity"),
                    action: "signIn", outcome: number == 0 ? "wrong_credentials" : "ok", account: AccountID("a"),
                    method: "password", details: ["number": "\(number)"]))
        }
        let path = "/audit?app=clarity&action=signIn"
        var events: [AdminAuditEvent] = []
        var cursor = ""
        repeat {
            let page = try await ask("GET", "\(path)&limit=2\(cursor)").read(AdminPage<AdminAuditEvent>.self)
            events += page.items
            cursor = page.nextCursor.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        #expect(events.map { $0.details["number"] } == (0..<5).reversed().map { JSON.string("\($0)") })
        #expect(events[0].details["method"] == .string("password"))
        #expect(Set(events.map(\.id)).count == 5)
        let refused = try await ask("GET", "/audit?app=clarity&outcome=wrong_credentials")
            .read(AdminPage<AdminAuditEvent>.self)
        #expect(refused.items.map(\.outcome) == ["wrong_credentials"])
        #expect(try await pointers(ask("GET", "/audit?account=a")) == ["/app missing"])
        #expect(try await ask("GET", "/audit?app=nothing").status == 404)

        let request = WireRequest(
            method: "GET", path: "/audit", query: "app=clarity&action=signIn",
            headers: ["authorization": "Bearer \(key)", "accept": AdminMediaType.lines], body: [])
        let response = await admin.api.answer(request, from: Caller(address: "192.0.2.1", network: "192.0.2.1"))
            .response
        #expect(response.headers["content-type"] == AdminMediaType.lines)
        var lines: [UInt8] = []
        let stream = try #require(response.stream)
        try await stream.write { lines += $0 }
        let read = try lines.split(separator: UInt8(ascii: "\n")).map {
            try AdminAuditEvent.read(Array($0), as: .answer).id
        }
        #expect(read == events.map(\.id))
    }

    @Test func `lists messages, and retries what failed`() async throws {
        let store = admin.server.store
        let now = admin.world.clock.now
        for (id, outcome) in [("m1", MessageOutcome.failed), ("m2", .sent)] {
            let message = QueuedMessage(id: id, app: try AppName("clarity"), createdAt: now, sealed: [1])
            _ = try await store.enqueue(message, within: [], keeping: nil, at: now)
            try await store.settle(
                MessageRecord(
                    id: id, app: message.app,
                    description: MessageDescription(
                        channel: .email, kind: "password_reset", recipient: "a***@example.com", recipientHash: [1]),
                    outcome: outcome, attempts: 1, lastError: outcome == .failed ? "SMTP 550" : nil, createdAt: now,
                    settledAt: now, usefulUntil: now.addingTimeInterval(60), sealed: outcome == .failed ? [1] : nil))
        }
        let all = try await ask("GET", "/messages?limit=1").read(AdminPage<AdminMessage>.self)
        #expect(all.items.map(\.id) == ["m2"])
        let next = try await ask("GET", "/messages?limit=1&cursor=\(#require(all.nextCursor))")
            .read(AdminPage<AdminMessage>.self)
        #expect(next.items.map(\.id) == ["m1"])
        let failed = try await ask("GET", "/messages?state=failed&app=clarity").read(AdminPage<AdminMessage>.self).items
        #expect(failed.map(\.lastError) == ["SMTP 550"])
        #expect(failed.map(\.to) == ["a***@example.com"])
        #expect(try await ask("POST", "/messages/m2/retry").code == "message_not_failed")
        #expect(try await ask("POST", "/messages/unknown/retry").status == 404)
        #expect(try await ask("POST", "/messages/m1/retry").status == 202)
        #expect(try await store.waitingMessage("m1") != nil)
        let other = try await admin.key(apps: ["vici"])
        #expect(try await admin.ask("POST", "/messages/m2/retry", key: other).status == 404)
        #expect(try await admin.ask("GET", "/messages", key: other).read(AdminPage<AdminMessage>.self).items.isEmpty)
    }

    @Test func `an app that signs with a shared secret has no signing keys`() async throws {
        let listed = try await ask("GET", "/apps/clarity/signing-keys").read(AdminPage<AdminSigningKey>.self)
        #expect(listed.items.isEmpty)
        let refused = try await ask("POST", "/apps/clarity/signing-keys/rotate")
        #expect(refused.status == 409 && refused.code == "shared_secret")
    }
}
