import Foundation
import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryTesting
import Testing

/// A server of two apps with the admin API, without sockets.
struct AdminWorld {
    let world: World
    let server: AdministeredServer
    let api: AdminAPIServer

    init() async throws {
        let world = try await World([.clarity, .vici])
        self.world = world
        guard let ports = world.apps.first?.engine.ports else { throw World.NoSuchApp() }
        server = AdministeredServer(
            apps: world.apps.map { app in
                AdministeredApp(
                    engine: app.engine, title: "App", contract: app.contract.name, basePath: "/\(app.name)",
                    identitySources: [AdministeredApp.IdentitySource(name: "local", kind: "local")])
            },
            store: ports.store, keys: ports.keys, system: ports.system,
            inMemoryRateLimiter: ports.inMemoryRateLimiter, report: ports.report)
        api = AdminAPIServer(server, version: "1.2.3")
    }

    static let everyScope = AdministrationScope.allCases.map(\.rawValue)

    func key(scopes: [String] = everyScope, apps: [String] = []) async throws -> String {
        let administration = ServerAdministration(server, actor: .commandLine(user: "operator"))
        let (_, text) = try await administration.createServiceKey(
            NewServiceKey(name: "Test", scopes: scopes, apps: apps))
        return text.reveal()
    }

    /// Adds an account to the app `clarity`.
    func account(_ name: String = "jo") async throws -> Account {
        try await server.store.add(
            NewAccount(
                app: AppName("clarity"), idKind: .uuid, email: EmailAddress("\(name)@example.com"),
                createdAt: world.clock.now), spending: nil)
    }

    /// Sends a request.
    ///
    /// - Parameter path: The path below the base, with its query.
    func ask(
        _ method: String, _ path: String, key: String?, _ headers: [String: String] = [:], body: String = ""
    ) async throws -> AdminAnswer {
        let parts = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var request = WireRequest(
            method: method, path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: headers,
            body: Array(body.utf8))
        request.headers["authorization"] = key.map { "Bearer \($0)" }
        if !body.isEmpty, headers["content-type"] == nil { request.headers["content-type"] = "application/json" }
        let caller = Caller(address: "192.0.2.1", network: "192.0.2.1", userAgent: "Test/1")
        return try await AdminAnswer(await api.answer(request, from: caller))
    }

    func get(_ path: String, key: String?) async throws -> AdminAnswer { try await ask("GET", path, key: key) }

    /// The audit log without the creation of keys.
    func events() async throws -> [AuditEvent] {
        try await server.store.events(in: nil, since: nil, after: nil, limit: 10_000).map(\.event)
            .filter { $0.action != "cli.service_keys.create" }
    }
}

/// An answer of the admin API.
struct AdminAnswer {
    let status: Int
    let headers: [String: String]
    let body: [UInt8]
    let operation: String

    init(_ answer: AppServer.Answer) async throws {
        status = answer.response.status
        headers = answer.response.headers
        body = try await answer.response.wholeBody()
        operation = answer.operation
    }

    var json: JSON { get throws { try JSON.read(body) } }
    /// The stable code of a refusal; nil for an answer that is none.
    var code: String? {
        guard headers["content-type"] == AdminMediaType.problem, case .string(let code)? = try? json["code"] else {
            return nil
        }
        return code
    }

    func read<Value: AdminValue>(_ type: Value.Type) throws -> Value { try Value.read(body, as: .answer) }
}
