import OstiaryAdminAPI
package import OstiaryContracts
import OstiaryCore
package import OstiaryEngine

/// The admin API over HTTP: authenticates a request, checks it, performs it, and writes it to the audit log.
///
/// The order of the checks is that of the documentation: key, app, scope, existence, query and body. Each refusal
/// discloses nothing of the later ones.
package struct AdminAPIServer: Sendable {
    private let server: AdministeredServer
    private let version: String
    private let publicURL: String?

    /// - Parameters:
    ///   - version: The version of the program, for the OpenAPI document.
    ///   - publicURL: The configured origin of the admin listener.
    package init(_ server: AdministeredServer, version: String, publicURL: String? = nil) {
        self.server = server
        self.version = version
        self.publicURL = publicURL
    }

    /// The names of the operations that are performed.
    package static var operationNames: [String] { AdminRoutes.all.map(\.operation.name) }

    /// - Parameter request: Its path is relative to ``AdminAPI/basePath``.
    package func answer(_ request: WireRequest, from caller: Caller) async -> AppServer.Answer {
        var request = request
        if request.method == "HEAD" { request.method = "GET" }
        do {
            let bearer = request.headers["authorization"].map { Secret(BearerToken.read($0) ?? "") }
            let administration = try await server.authenticate(bearer, from: caller)
            return await answer(request, administration)
        } catch {
            return AppServer.Answer(AdminRefusal(error, report: server.report).response, .unauthenticated)
        }
    }

    private func answer(_ request: WireRequest, _ administration: ServerAdministration) async -> AppServer.Answer {
        if request.path.utf8.elementsEqual(AdminAPI.openAPIPath.utf8) {
            return await answerDocument(request, administration)
        }
        switch AdminAPI.match(method: request.method, path: request.path) {
        case .unknownPath: return await refuse(.notFound, RequestLabel.unknownPath.rawValue, administration)
        case .wrongMethod(let allowed): return await answer(request, allowed: allowed, administration)
        case .found(let operation, let values):
            let request = AdminRequest(operation: operation, values: values, wire: request, server: administration)
            return await answer(request)
        }
    }

    private func answer(_ request: AdminRequest) async -> AppServer.Answer {
        let operation = request.operation
        var subject = AuditSubject()
        do {
            try check(request, &subject)
            guard let route = AdminRoutes.all.first(where: { $0.operation.name == operation.name }) else {
                throw AdminRefusal.notFound
            }
            let response = try await ChangeActor.$current.withValue(request.server.actor.text) {
                try await once(request, subject) {
                    try await route.checkExistence(request)
                    return try await route.perform(request)
                }
            }
            if route.isAuditedByAPI { try await audit(operation.name, subject, "ok", request.server) }
            return AppServer.Answer(response, operation: operation.name)
        } catch {
            let refusal = AdminRefusal(error, report: server.report)
            return await refuse(refusal, operation.name, request.server, subject)
        }
    }

    /// Checks the app and the scope.
    private func check(_ request: AdminRequest, _ subject: inout AuditSubject) throws {
        if let name = request.appName {
            subject.app = try request.server.app(name).appName
            subject.account = try? AccountID(request.value("account"))
        }
        guard let scope = request.operation.scope else { return }
        guard AdministrationScope(rawValue: scope.rawValue).map(request.server.reach.grants) == true else {
            throw AdminRefusal.missing(scope)
        }
    }

    /// Performs a request, or returns the kept answer of the first one with its `Idempotency-Key`.
    private func once(
        _ request: AdminRequest, _ subject: AuditSubject,
        _ perform: @escaping @Sendable () async throws -> ServerResponse
    ) async throws -> ServerResponse {
        guard request.operation.takesIdempotencyKey, let key = request.wire.headers[AdminAPI.idempotencyKeyHeader]
        else { return try await perform() }
        guard (1...AdminAPI.maximumIdempotencyKeyBytes).contains(key.utf8.count), key.utf8.allSatisfy(ASCII.isVisible)
        else { throw AdminRefusal(400, "idempotency_key_malformed") }
        let name = [request.server.actor.text, request.operation.method.rawValue, request.canonicalPath, key]
        let (answer, isKept) = try await IdempotentRequests(server).perform(name, body: request.wire.body) {
            let response = try await perform()
            return (KeptAnswer(response).bytes, true)
        }
        // It may have a secret, which was shown once more.
        if isKept { try await audit(request.operation.name, subject, "repeated", request.server) }
        return try KeptAnswer(answer).response
    }

    // MARK: Answers that are no operation's

    private func answerDocument(
        _ request: WireRequest, _ administration: ServerAdministration
    ) async -> AppServer.Answer {
        guard request.method == "GET" else { return await answer(request, allowed: [.get], administration) }
        guard request.query.isEmpty, request.body.isEmpty else {
            return await refuse(
                AdminRefusal(400, "malformed_request"), RequestLabel.openAPI.rawValue, administration)
        }
        do {
            try await audit(RequestLabel.openAPI.rawValue, AuditSubject(), "ok", administration)
        } catch {
            return AppServer.Answer(AdminRefusal(error, report: server.report).response, .openAPI)
        }
        // Made when it is asked for: few servers are asked, and it takes a tenth of their start.
        let document = AdminAPI.openAPI(version: version, serverURL: publicURL).bytes
        let response = ServerResponse(status: 200, headers: ["content-type": AdminMediaType.json], body: document)
        return AppServer.Answer(response, .openAPI)
    }

    /// Answers OPTIONS, and refuses a method that the path does not take.
    private func answer(
        _ request: WireRequest, allowed: [Endpoint.Method], _ administration: ServerAdministration
    ) async -> AppServer.Answer {
        let names = allowed.map(\.rawValue) + (allowed.contains(.get) ? ["HEAD"] : []) + ["OPTIONS"]
        let allow = names.sorted().joined(separator: ", ")
        if request.method == "OPTIONS" {
            return AppServer.Answer(ServerResponse(status: 204, headers: ["allow": allow]), .options)
        }
        var refusal = AdminRefusal(405, "method_not_allowed")
        refusal.allow = allow
        return await refuse(refusal, RequestLabel.wrongMethod.rawValue, administration)
    }

    // MARK: Audit log

    /// The subjects of a request, as far as its key reaches them.
    private struct AuditSubject {
        var app: AppName?
        var account: AccountID?
    }

    /// Changes write themselves to the audit log, before they are made; this writes the rest.
    private func audit(
        _ operation: String, _ subject: AuditSubject, _ outcome: String, _ administration: ServerAdministration
    ) async throws {
        try await administration.audit(operation, app: subject.app, account: subject.account, outcome: outcome)
    }

    private func refuse(
        _ refusal: AdminRefusal, _ operation: String, _ administration: ServerAdministration,
        _ subject: AuditSubject = AuditSubject()
    ) async -> AppServer.Answer {
        // A refusal is answered in any case.
        do { try await audit(operation, subject, refusal.code, administration) } catch { _ = server.report(error) }
        return AppServer.Answer(refusal.response, operation: operation)
    }
}

extension AdminRequest {
    /// The app that the request names, in its path or in its query; nil if it names none.
    fileprivate var appName: String? {
        if operation.pathParameters.contains("app") { return value("app") }
        guard operation.query.takes("app") else { return nil }
        return FormValues(wire.query)["app"]
    }
}

extension AdminValue {
    /// Returns `true` if the value has a member of that name.
    fileprivate static func takes(_ name: String) -> Bool { members.contains { $0.name == name } }
}
