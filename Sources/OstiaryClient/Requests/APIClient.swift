import Foundation
import OstiaryContracts
import OstiaryCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client of the app's API: typed requests with the access token of the signed-in user.
struct APIClient: Sendable {
    let requests: AuthorizedRequests
    private let reader: AnswerReader
    /// The client that asks for a step-up where the app's API requires it; nil for none.
    private let client: AuthClient?

    init(_ requests: AuthorizedRequests, of client: AuthClient? = nil) {
        self.requests = requests
        self.client = client
        let system = requests.system
        reader = AnswerReader(
            contract: requests.auth.contract, decoder: requests.options.decoder, now: system.now)
    }

    /// The description of one call.
    struct Call {
        let method: String
        /// The path below the base URL, percent-encoded. The part after a question mark belongs to the query.
        let path: String
        var query: [URLQueryItem] = []
        var headers: [String: String] = [:]
        var body: (any Encodable)?
        var deadline: Duration?
    }

    nonisolated(nonsending) func value<Value: Decodable>(_ call: Call) async throws(ClientError) -> Value {
        try reader.value(Value.self, in: try await answer(call))
    }

    nonisolated(nonsending) func perform(_ call: Call) async throws(ClientError) {
        try reader.check(try await answer(call))
    }

    func data(for request: URLRequest, within deadline: Duration?) async throws(ClientError) -> (Data, HTTPURLResponse)
    {
        let wire = try WireRequest(request, below: requests.auth.baseURL)
        let answer = try await send(wire, within: deadline ?? request.ownDeadline)
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
        else { throw .invalidResponse }
        return (Data(answer.body), response)
    }

    nonisolated(nonsending) private func answer(_ call: Call) async throws(ClientError) -> WireResponse {
        let answer = try await send(try request(call), within: call.deadline)
        if let requirement = StepUpRequirement(statedBy: answer) { throw .refused(.stepUpRequired(requirement)) }
        return answer
    }

    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired` only if there is a handler.
    private func send(_ request: WireRequest, within deadline: Duration?) async throws(ClientError) -> WireResponse {
        guard let client, client.options.stepUpHandler != nil else {
            return try await requests.send(request, within: deadline)
        }
        return try await client.steppingUp { [requests] owner throws(ClientError) in
            let answer = try await requests.send(request, within: deadline, of: owner)
            if let requirement = StepUpRequirement(statedBy: answer) { throw .refused(.stepUpRequired(requirement)) }
            return answer
        }
    }

    private func request(_ call: Call) throws(ClientError) -> WireRequest {
        let mark = call.path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? call.path.endIndex
        // Bytes, because a question mark and a combining mark are one character.
        let given = String(Substring(call.path.utf8[mark...].dropFirst()))
        let items = call.query.map { item in
            PercentEncoding.encode(item.name) + (item.value.map { "=\(PercentEncoding.encode($0))" } ?? "")
        }
        let query = (given.isEmpty ? [] : [given]) + items
        return WireRequest(
            method: call.method, path: String(call.path[..<mark]), query: query.joined(separator: "&"),
            headers: call.headers, body: try call.body.map(encoded) ?? [])
    }

    /// Encodes a body as JSON.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` with the coding path, if it is known.
    func encoded(_ body: any Encodable) throws(ClientError) -> [UInt8] {
        do {
            return Array(try requests.options.encoder().encode(body))
        } catch EncodingError.invalidValue(_, let context) {
            throw .invalidRequest("the body cannot be written as JSON, at \(ClientError.text(of: context.codingPath))")
        } catch {
            throw .invalidRequest("the body cannot be written as JSON")
        }
    }
}
