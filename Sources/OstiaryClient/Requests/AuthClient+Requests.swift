public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Requests to the app's API, below the base URL, with the access token of the signed-in user.
///
/// Each is repeated where that can help (see ``RetryPolicy``), and throws a ``ClientError``:
///
/// - Paths are below the base URL and percent-encoded. Query items are encoded by the client.
/// - Bodies and answers are JSON, encoded and decoded by the encoder and decoder of ``RequestOptions``.
/// - Any status from 200 to 299 is a success, even with an empty body: it is read as `null` or `{}`, depending on the
///   type.
/// - If the contract has an envelope (`{"success": true, "data": …}`), the type is that of its content. An answer
///   without one is decoded as it is.
/// - The server's message for a refusal is in ``ClientError/http(status:message:)`` and can be shown to the user.
/// - A body is encoded and an answer decoded in the caller's isolation: models may be isolated to the main actor, and
///   need not be `Sendable`.
/// - `deadline` limits the whole call including repetitions; nil for ``RequestOptions/deadline``.
extension AuthClient {
    /// Sends a `GET` request and decodes its answer.
    nonisolated(nonsending) public func get<Value: Decodable>(
        _ path: String, query: [URLQueryItem] = [], headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            APIClient.Call(method: "GET", path: path, query: query, headers: headers, deadline: deadline))
    }

    /// Sends a `POST` request and decodes its answer.
    nonisolated(nonsending) public func post<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            APIClient.Call(method: "POST", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    /// Sends a `POST` request and ignores the content of its answer.
    nonisolated(nonsending) public func post(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            APIClient.Call(method: "POST", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    /// Sends a `PUT` request and decodes its answer.
    nonisolated(nonsending) public func put<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            APIClient.Call(method: "PUT", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    /// Sends a `PUT` request and ignores the content of its answer.
    nonisolated(nonsending) public func put(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            APIClient.Call(method: "PUT", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    /// Sends a `PATCH` request and decodes its answer.
    nonisolated(nonsending) public func patch<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            APIClient.Call(method: "PATCH", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    /// Sends a `PATCH` request and ignores the content of its answer.
    nonisolated(nonsending) public func patch(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            APIClient.Call(method: "PATCH", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    /// Sends a `DELETE` request and decodes its answer.
    nonisolated(nonsending) public func delete<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            APIClient.Call(method: "DELETE", path: path, query: query, headers: headers, body: body, deadline: deadline)
        )
    }

    /// Sends a `DELETE` request and ignores the content of its answer.
    nonisolated(nonsending) public func delete(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            APIClient.Call(method: "DELETE", path: path, query: query, headers: headers, body: body, deadline: deadline)
        )
    }

    /// Sends a request built by the app, and returns the answer regardless of its status, except 401.
    ///
    /// The request is repeated where that can help. Its `timeoutInterval` is the deadline, if it is not the default and
    /// no `deadline` is given.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` for a URL that is not below the base URL, without sending anything;
    ///   ``ClientError/unauthorized`` for a 401 that persists with a fresh token; ``ClientError/refused(_:)`` for a 401
    ///   about a password in the request or about its signature.
    public func data(
        for request: URLRequest, within deadline: Duration? = nil
    ) async throws(ClientError) -> (Data, HTTPURLResponse) {
        try await api.data(for: request, within: deadline)
    }
}
