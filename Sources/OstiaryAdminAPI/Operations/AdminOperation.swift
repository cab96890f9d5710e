public import OstiaryCore

/// The description of one operation of the admin API, which the server's router, its OpenAPI document and the client read.
public struct AdminOperation: Sendable {
    /// The name of the operation, unique, and its `operationId` in the OpenAPI document.
    public let name: String
    /// The HTTP method.
    public let method: Endpoint.Method
    /// The path below ``AdminAPI/basePath``, with its parameters in braces: `/apps/{app}/accounts/{account}`.
    public let path: String
    /// The scope that a key needs; nil for an operation that every key may call.
    public let scope: AdminScope?
    /// The summary, in one sentence without a full stop.
    public let summary: String
    /// The type of the query.
    public let query: any AdminValue.Type
    /// The type of the body; ``AdminEmpty`` for none.
    public let body: any AdminValue.Type
    /// The type of the answer; ``AdminEmpty`` for none.
    public let answer: any AdminValue.Type
    /// The status of a success.
    public let status: Int
    /// `true` if the list is also answered as lines of JSON (`application/x-ndjson`).
    public let answersLines: Bool

    /// `true` if a request may have an `Idempotency-Key`.
    public var takesIdempotencyKey: Bool { method == .post }
    /// `true` if a request has a body.
    public var hasBody: Bool { body != AdminEmpty.self }
    /// `true` if a success has a body.
    public var hasAnswer: Bool { answer != AdminEmpty.self }

    /// The names of the path's parameters, in their order.
    public var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Returns the path with values for its parameters, percent-encoded.
    ///
    /// - Parameter values: One value for each parameter, in their order.
    /// - Returns: Nil for another number of values, and for an empty value or one of dots, which a path cannot carry.
    public func path(_ values: [String]) -> String? {
        var rest = values[...]
        var path = AdminAPI.basePath
        for segment in self.path.split(separator: "/") {
            guard segment.hasPrefix("{") else {
                path += "/" + segment
                continue
            }
            guard let value = rest.popFirst(), !value.utf8.allSatisfy({ $0 == UInt8(ascii: ".") }) else { return nil }
            path += "/" + PercentEncoding.encode(value)
        }
        return rest.isEmpty ? path : nil
    }

    /// Returns the values of the path's parameters.
    ///
    /// - Parameter segments: The decoded segments of a path below ``AdminAPI/basePath``.
    /// - Returns: Nil for a path of another operation.
    public func values(in segments: [String]) -> [String]? {
        let template = path.split(separator: "/")
        guard template.count == segments.count else { return nil }
        var values: [String] = []
        for (expected, found) in zip(template, segments) {
            if expected.hasPrefix("{") {
                guard !found.isEmpty else { return nil }
                values.append(found)
            } else {
                guard expected.utf8.elementsEqual(found.utf8) else { return nil }
            }
        }
        return values
    }
}
