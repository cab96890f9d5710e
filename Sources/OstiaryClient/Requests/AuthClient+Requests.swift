public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Requests to the app's own API, below the base URL, in the name of who is signed in.
///
/// Each carries the session's token, is sent again where that can help (see ``RetryPolicy``), and throws a ``ClientError``:
///
/// - Paths are below the base URL and percent-encoded. Query items are encoded here.
/// - Bodies and answers are JSON, written and read by ``RequestOptions``' encoder and decoder.
/// - Any status from 200 to 299 is a success, with an empty body too: it is read as `null` or `{}`, whichever the type takes.
/// - Where the contract has an envelope (`{"success": true, "data": …}`), the type is of what is in it. An answer without
///   one is read as it is.
/// - A text that the server gives with a refusal is in ``ClientError/http(status:message:)``, to be shown.
/// - A body is encoded and an answer decoded in the caller's isolation: models may be isolated to the main actor, and need not be
///   `Sendable`.
/// - `deadline` is for everything, repetitions included; nil for ``RequestOptions/deadline``.
extension AuthClient {
    nonisolated(nonsending) public func get<Value: Decodable>(
        _ path: String, query: [URLQueryItem] = [], headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            OwnAPI.Call(method: "GET", path: path, query: query, headers: headers, deadline: deadline))
    }

    nonisolated(nonsending) public func post<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            OwnAPI.Call(method: "POST", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    nonisolated(nonsending) public func post(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            OwnAPI.Call(method: "POST", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    nonisolated(nonsending) public func put<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            OwnAPI.Call(method: "PUT", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    nonisolated(nonsending) public func put(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            OwnAPI.Call(method: "PUT", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    nonisolated(nonsending) public func patch<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            OwnAPI.Call(method: "PATCH", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    nonisolated(nonsending) public func patch(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            OwnAPI.Call(method: "PATCH", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    nonisolated(nonsending) public func delete<Value: Decodable>(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) -> Value {
        try await api.value(
            OwnAPI.Call(method: "DELETE", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    nonisolated(nonsending) public func delete(
        _ path: String, body: (any Encodable)? = nil, query: [URLQueryItem] = [],
        headers: [String: String] = [:], within deadline: Duration? = nil
    ) async throws(ClientError) {
        try await api.perform(
            OwnAPI.Call(method: "DELETE", path: path, query: query, headers: headers, body: body, deadline: deadline))
    }

    /// Sends a request that the app has made itself, and returns the answer whatever its status.
    ///
    /// The answer after the repetitions that can help. Its `timeoutInterval` is the deadline, where it is not the default
    /// and none is given here.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` for a URL that is not below the base URL, to which nothing is sent;
    ///   ``ClientError/unauthorized`` for a 401 that a fresh token did not help.
    public func data(
        for request: URLRequest, within deadline: Duration? = nil
    ) async throws(ClientError) -> (Data, HTTPURLResponse) {
        try await api.data(for: request, within: deadline)
    }
}
