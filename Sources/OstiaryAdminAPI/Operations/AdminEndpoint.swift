import OstiaryCore

/// An operation of the admin API with the types of its query, body and answer.
public struct AdminEndpoint<Query: AdminValue, Body: AdminValue, Answer: AdminValue>: Sendable {
    /// The description of the operation.
    public let operation: AdminOperation

    init(
        _ name: String, _ method: Endpoint.Method, _ path: String, _ scope: AdminScope?, _ summary: String,
        query: Query.Type = AdminEmpty.self, body: Body.Type = AdminEmpty.self, answer: Answer.Type = AdminEmpty.self,
        status: Int? = nil, answersLines: Bool = false
    ) {
        operation = AdminOperation(
            name: name, method: method, path: path, scope: scope, summary: summary, query: query, body: body,
            answer: answer, status: status ?? (answer == AdminEmpty.self ? 204 : 200), answersLines: answersLines)
    }

    /// Reads the body of a request.
    ///
    /// - Throws: ``AdminInputProblem``. An operation without a body accepts no bytes and an empty object.
    public func readBody(_ bytes: [UInt8]) throws(AdminInputProblem) -> Body {
        if bytes.isEmpty, Body.self == AdminEmpty.self { return Body() }
        return try Body.read(bytes, as: .request)
    }
}
