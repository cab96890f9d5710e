/// The transport of requests to upstream servers.
package protocol UpstreamTransport: Sendable {
    /// Sends one request and reads the whole answer, of any status. Follows no redirect.
    ///
    /// - Throws: ``UpstreamProblem`` if there is no complete answer in time.
    func send(_ request: UpstreamRequest) async throws -> UpstreamResponse
}

/// A request to an upstream server. Its headers, body and query may hold secrets, so its description contains none of
/// them.
package struct UpstreamRequest: Sendable {
    package var method: Method
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package init(
        _ method: Method = .get, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension UpstreamRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(method.rawValue) \(UpstreamURL(url)?.origin ?? "?")" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// The answer of an upstream server. May hold secrets, so its description is the status alone.
package struct UpstreamResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the first value of a header; its name is case-insensitive.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension UpstreamResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "HTTP \(status)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
