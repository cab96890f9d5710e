import Foundation
import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryTesting
import Testing

/// The order of the checks, the refusals and the audit log of the admin API.
@Suite(.timeLimit(.minutes(5))) struct AdminAPITests {
    private let admin: AdminWorld

    init() async throws { admin = try await AdminWorld() }

    /// Returns a path of an operation for the app and the account.
    private func path(_ operation: AdminOperation, app: String = "clarity", account: String) throws -> String {
        let values = operation.pathParameters.map { ["app": app, "account": account][$0] ?? "x1" }
        return String(try #require(operation.path(values)).dropFirst(AdminAPI.basePath.count))
    }

    @Test func `performs every operation that is described, and no other`() {
        let performed = AdminAPIServer.operationNames
        #expect(performed.sorted() == AdminAPI.operations.map(\.name).sorted())
    }

    @Test func `knows every scope of the descriptions`() {
        #expect(Set(AdminScope.allCases.map(\.rawValue)) == Set(AdministrationScope.allCases.map(\.rawValue)))
    }

    @Test func `AD-01: asks for a key before anything else`() async throws {
        for path in ["/apps", "/nowhere", "/apps/nowhere/accounts?limit=0", "/openapi.json", ""] {
            for method in ["GET", "DELETE", "OPTIONS"] {
                let answer = try await admin.ask(method, path, key: nil)
                #expect(answer.status == 401 && answer.code == "service_key_missing", "\(method) \(path)")
                #expect(answer.headers["www-authenticate"] == "Bearer")
            }
        }
        for key in ["ostk_x", "a b", ""] {
            let answer = try await admin.get("/apps", key: key)
            #expect(answer.status == 401 && answer.code == "service_key_unknown", "\(key)")
            #expect(answer.headers["www-authenticate"] == "Bearer error=\"invalid_token\"")
        }
    }

    @Test func `AD-01: refuses each operation to a key without its scope, and names the scope`() async throws {
        let account = try await admin.account()
        for operation in AdminAPI.operations {
            guard let scope = operation.scope else { continue }
            let key = try await admin.key(scopes: AdminWorld.everyScope.filter { $0 != scope.rawValue })
            let answer = try await admin.ask(
                operation.method.rawValue, path(operation, account: account.id.text) + "?unknown=1", key: key,
                body: "{")
            #expect(answer.status == 403 && answer.code == "missing_scope", "\(operation.name)")
            #expect(try answer.read(AdminProblemDetails.self).scope == scope.rawValue)
        }
        #expect(try await admin.server.store.account(account.id, in: account.app) != nil)
    }

    @Test func `AD-03: answers for an app out of reach as for one that does not exist, byte for byte`() async throws {
        let account = try await admin.account()
        let (key, scopeless) = (
            try await admin.key(apps: ["vici"]), try await admin.key(scopes: ["audit:read"], apps: ["vici"])
        )
        for operation in AdminAPI.operations where operation.pathParameters.contains("app") {
            let unknown = try await admin.ask(
                operation.method.rawValue, path(operation, app: "nowhere", account: account.id.text), key: key)
            #expect(unknown.status == 404 && unknown.code == "not_found", "\(operation.name)")
            for key in [key, scopeless] {
                let other = try await admin.ask(
                    operation.method.rawValue, path(operation, account: account.id.text), key: key)
                #expect(other.status == 404 && other.body == unknown.body && other.headers == unknown.headers)
            }
        }
    }

    @Test func `looks an account up before it reads query and body`() async throws {
        let key = try await admin.key()
        for operation in AdminAPI.operations where operation.pathParameters.contains("account") {
            for id in ["nobody", "%20", String(repeating: "a", count: 200)] {
                let answer = try await admin.ask(
                    operation.method.rawValue,
                    path(operation, account: "X").replacing("/X", with: "/\(id)")
                        + "?unknown=1", key: key, body: "{")
                #expect(answer.status == 404 && answer.code == "not_found", "\(operation.name) \(id)")
            }
        }
    }

    @Test func `refuses unknown parameters and fields with their positions`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        let list = "/apps/clarity/accounts/\(account.id)/sessions"
        for (query, pointer, code) in [
            ("limit=201", "/limit", "out_of_range"), ("limit=0", "/limit", "out_of_range"),
            ("limit=1e1", "/limit", "mistyped"), ("page=2", "/page", "unknown_field"),
        ] {
            let answer = try await admin.get("\(list)?\(query)", key: key)
            #expect(answer.status == 400 && answer.code == "invalid_request", "\(query)")
            let errors = try answer.read(AdminProblemDetails.self).errors
            #expect(errors == [AdminFieldError(pointer: pointer, code: code)], "\(query)")
        }
        let password = "/apps/clarity/accounts/\(account.id)/password"
        for (body, code, pointers) in [
            ("{", "malformed_request", nil), ("", "malformed_request", nil), ("[]", "invalid_request", [""]),
            ("{}", "invalid_request", ["/password"]),
            ("{\"password\":7,\"a/b\":1}", "invalid_request", ["/password", "/a~1b"]),
        ] as [(String, String, [String]?)] {
            let answer = try await admin.ask("POST", password, key: key, body: body)
            #expect(answer.status == 400 && answer.code == code, "\(body)")
            #expect(try answer.read(AdminProblemDetails.self).errors?.map(\.pointer) == pointers, "\(body)")
        }
        let form = try await admin.ask(
            "POST", password, key: key, ["content-type": "application/x-www-form-urlencoded"], body: "password=a")
        #expect(form.status == 415 && form.code == "unsupported_media_type")
        let short = try await admin.ask("POST", password, key: key, body: "{\"password\":\"short\"}")
        #expect(short.status == 400)
        #expect(try short.read(AdminProblemDetails.self).errors?.first?.pointer == "/password")
    }

    @Test func `AD-05: states the methods of a path, and knows no other spelling of one`() async throws {
        let key = try await admin.key()
        let refused = try await admin.ask("PUT", "/apps/clarity/accounts", key: key)
        #expect(refused.status == 405 && refused.code == "method_not_allowed")
        #expect(refused.headers["allow"] == "GET, HEAD, OPTIONS, POST")
        let options = try await admin.ask("OPTIONS", "/apps/clarity/accounts/x/disable", key: key)
        #expect(options.status == 204 && options.headers["allow"] == "OPTIONS, POST")
        #expect(try await admin.ask("POST", "/openapi.json", key: key).status == 405)
        #expect(try await admin.ask("HEAD", "/apps", key: key).status == 200)
        for path in ["", "/", "/apps/", "//apps", "/apps/clarity", "/apps/%", "/APPS", "/apps/..", "/apps/%2e%2e/apps"]
        {
            let answer = try await admin.get(path, key: key)
            #expect(answer.status == 404 && answer.code == "not_found", "\(path)")
        }
    }

    @Test func `AD-06: lists in pages whose cursors belong to their list`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        let first = try await admin.get("/apps?limit=1", key: key).read(AdminPage<AdminApp>.self)
        #expect(first.items.map(\.name) == ["clarity"])
        let cursor = try #require(first.nextCursor)
        let second = try await admin.get("/apps?cursor=\(cursor)", key: key).read(AdminPage<AdminApp>.self)
        #expect(second.items.map(\.name) == ["vici"] && second.nextCursor == nil)
        let others = [
            "/apps?cursor=\(cursor.dropLast())", "/apps?cursor=A", "/apps?cursor=\(String(repeating: "A", count: 900))",
            "/apps/clarity/accounts/\(account.id)/sessions?cursor=\(cursor)",
        ]
        for path in others {
            let answer = try await admin.get(path, key: key)
            #expect(answer.status == 400 && answer.code == "invalid_request", "\(path)")
            let errors = try answer.read(AdminProblemDetails.self).errors
            #expect(errors == [AdminFieldError(pointer: "/cursor", code: "malformed")])
        }
    }

    @Test func `writes reads and refusals to the audit log, with the key and its address`() async throws {
        let (key, account) = (try await admin.key(scopes: ["sessions:read"]), try await admin.account())
        let sessions = "/apps/clarity/accounts/\(account.id)/sessions"
        _ = try await admin.get(sessions, key: key)
        _ = try await admin.get("\(sessions)?x=1", key: key)
        _ = try await admin.ask("DELETE", sessions, key: key)
        _ = try await admin.get("/apps/nowhere/accounts/\(account.id)/sessions", key: key)
        _ = try await admin.get("/nowhere", key: key)
        let events = try await admin.events()
        #expect(
            events.map { "\($0.app) \($0.action) \($0.outcome) \($0.account?.text ?? "-")" } == [
                "clarity admin.listSessions ok \(account.id)",
                "clarity admin.listSessions invalid_request \(account.id)",
                "clarity admin.endSessions missing_scope \(account.id)", "_server admin.listSessions not_found -",
                "_server admin.unknown_path not_found -",
            ])
        #expect(events.allSatisfy { $0.actor == "key:\(key.dropFirst(5).prefix(16))" && $0.address == "192.0.2.1" })
    }

    @Test func `writes a change to the audit log once, before it is made`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        let answer = try await admin.ask("POST", "/apps/clarity/accounts/\(account.id)/disable", key: key)
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(try await admin.server.store.account(account.id, in: account.app)?.isActive == false)
        #expect(try await admin.events().map(\.action) == ["admin.users.disable"])
    }

    @Test func `writes an export to the audit log once`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        #expect(try await admin.get("/apps/clarity/accounts/\(account.id)/export", key: key).status == 200)
        #expect(try await admin.events().map(\.action) == ["admin.users.personal-data"])
    }

    @Test func `writes an export of any length in the form of its description`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        for number in 0..<1001 {
            try await admin.server.store.append(
                AuditEvent(
                    at: admin.world.clock.now, app: account.app, action: "a\(number)", outcome: "ok",
                    account: account.id))
        }
        let answer = try await admin.get("/apps/clarity/accounts/\(account.id)/export", key: key)
        #expect(answer.headers["content-type"] == "application/json")
        let export = try answer.read(AdminExport.self)
        #expect(export.account.id == account.id.text && export.audit.count == 1002)
        #expect(export.audit[1000].action == "a1000")
        // Read and written again it is the same, byte for byte: names, order and form are those of the description.
        #expect(export.json.bytes == answer.body)
        let none = try await admin.get("/apps/clarity/accounts/none/export", key: key)
        #expect(none.status == 404)
    }

    @Test func `describes itself with OpenAPI 3.1`() async throws {
        let answer = try await admin.get("/openapi.json", key: try await admin.key(scopes: ["audit:read"]))
        #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
        #expect(try answer.json["openapi"] == "3.1.0")
        #expect(try answer.json["info"]?["version"] == "1.2.3")
        #expect(try await admin.get("/openapi.json?x=1", key: try await admin.key()).status == 400)
    }
}
