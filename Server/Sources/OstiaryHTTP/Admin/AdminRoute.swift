import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The performance of one operation of the admin API.
struct AdminRoute: Sendable {
    let operation: AdminOperation
    /// `true` if the API writes a success to the audit log; `false` if the engine does, as it does for every change.
    let isAuditedByAPI: Bool
    /// Checks that what the path names exists, before the query and the body are read.
    let checkExistence: @Sendable (AdminRequest) async throws -> Void
    let perform: @Sendable (AdminRequest) async throws -> ServerResponse

    /// - Parameters:
    ///   - exists: Throws if what the path names does not exist. Without it, the account that the path names is looked
    ///     up, if it names one.
    ///   - location: Returns the last segment of the path of what was created; nil for an operation that creates nothing.
    ///   - isAuditedByEngine: `true` for a read that the engine writes to the audit log itself.
    ///   - perform: Performs the operation.
    ///   - lines: Makes the body of a list as lines of JSON, for an operation that has such an answer.
    init<Query, Body, Answer>(
        _ endpoint: AdminEndpoint<Query, Body, Answer>,
        exists: (@Sendable (AdminRequest) async throws -> Void)? = nil,
        location: (@Sendable (Answer) -> String)? = nil,
        isAuditedByEngine: Bool = false,
        perform: @escaping @Sendable (AdminRequest, Query, Body) async throws -> Answer,
        lines: (@Sendable (AdminRequest, Query) async throws -> ResponseStream)? = nil
    ) {
        let operation = endpoint.operation
        self.operation = operation
        isAuditedByAPI = operation.method == .get && !isAuditedByEngine
        let namesAccount = operation.pathParameters.contains("account")
        checkExistence =
            exists ?? { request in if namesAccount { _ = try await request.app.account(request.account) } }
        self.perform = { request in
            let (query, body) = try endpoint.input(of: request)
            if let lines, request.wantsLines {
                var response = ServerResponse(status: operation.status)
                response.headers["content-type"] = AdminMediaType.lines
                response.stream = try await lines(request, query)
                return response
            }
            let answer = try await perform(request, query, body)
            var response = ServerResponse(status: operation.status)
            if operation.hasAnswer {
                response.headers["content-type"] = AdminMediaType.json
                response.body = answer.json.bytes
            }
            if let location {
                response.headers["location"] = "\(request.canonicalPath)/\(PercentEncoding.encode(location(answer)))"
            }
            return response
        }
    }

    /// - Parameters:
    ///   - endpoint: An operation whose answer is JSON that is written while it is made.
    ///   - isAuditedByEngine: `true` for a read that the engine writes to the audit log itself.
    ///   - perform: Performs the operation, and makes the body of the answer.
    init<Query, Body, Answer>(
        streaming endpoint: AdminEndpoint<Query, Body, Answer>, isAuditedByEngine: Bool,
        perform: @escaping @Sendable (AdminRequest) async throws -> ResponseStream
    ) {
        operation = endpoint.operation
        isAuditedByAPI = !isAuditedByEngine
        checkExistence = { request in _ = try await request.app.account(request.account) }
        self.perform = { request in
            _ = try endpoint.input(of: request)
            var response = ServerResponse(
                status: endpoint.operation.status, headers: ["content-type": AdminMediaType.json])
            response.stream = try await perform(request)
            return response
        }
    }
}

extension AdminEndpoint {
    /// Reads the query and the body of a request.
    fileprivate func input(of request: AdminRequest) throws -> (query: Query, body: Body) {
        let query = try Query.read(query: request.wire.query)
        guard request.wire.body.isEmpty || operation.accepts(mediaType: request.wire.headers["content-type"]) else {
            throw AdminRefusal(415, "unsupported_media_type")
        }
        return (query, try readBody(request.wire.body))
    }
}

extension AdminRequest {
    /// `true` if the client prefers lines of JSON to a page.
    fileprivate var wantsLines: Bool {
        let preferences = QualityList(wire.headers["accept"])
        return preferences.quality(of: AdminMediaType.lines) > preferences.quality(of: AdminMediaType.json)
    }
}
