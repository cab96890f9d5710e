import OstiaryContracts
import OstiaryCore

extension AdminOpenAPIDocument {
    /// Returns the statuses of an operation's refusals, in ascending order.
    func statuses(of operation: AdminOperation) -> [Int] {
        var statuses = [400, 401, 405, 414, 421, 429, 431, 503]
        if operation.scope != nil { statuses.append(403) }
        if !operation.pathParameters.isEmpty || operation.scope != nil { statuses.append(404) }
        if operation.method != .get { statuses += [409, 413] }
        if operation.hasBody { statuses.append(415) }
        if operation.takesIdempotencyKey { statuses.append(422) }
        return statuses.sorted()
    }

    func refusalReference(_ status: Int) -> JSON.Member {
        JSON.Member(String(status), ["$ref": .string("#/components/responses/Problem\(status)")])
    }

    /// One response for each status; all have the body of RFC 9457.
    var refusals: JSON {
        let text: JSON = ["schema": ["type": "string"]]
        let seconds: JSON = ["schema": ["type": "integer", "minimum": 0]]
        return .object([
            refusal(400, "The request cannot be read, or something in it is refused"),
            refusal(401, "No key, or one that is not accepted", header: ("WWW-Authenticate", text)),
            refusal(403, "The key lacks a scope, or the operation is refused"),
            refusal(404, "There is no such thing, or the key does not reach it"),
            refusal(405, "The path takes other methods", header: ("Allow", text)),
            refusal(409, "The operation contradicts the present state"),
            refusal(413, "The body is too large"),
            refusal(414, "The path with its query is too long"),
            refusal(415, "The body has another media type"),
            refusal(421, "The host is not this API's"),
            refusal(422, "The Idempotency-Key was used for another body"),
            refusal(429, "Too many requests", header: ("Retry-After", seconds)),
            refusal(431, "The header is too large"),
            refusal(503, "Not available at the moment", header: ("Retry-After", seconds)),
        ])
    }

    private func refusal(
        _ status: Int, _ description: String, header: (name: String, value: JSON)? = nil
    ) -> JSON.Member {
        var members = [JSON.Member("description", .string(description))]
        if let header { members.append(JSON.Member("headers", .object([JSON.Member(header.name, header.value)]))) }
        let content = JSON.Member(AdminMediaType.problem, ["schema": reference(to: AdminProblemDetails.self)])
        members.append(JSON.Member("content", .object([content])))
        return JSON.Member("Problem\(status)", .object(members))
    }
}
