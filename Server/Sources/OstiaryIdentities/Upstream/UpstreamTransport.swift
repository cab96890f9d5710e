/// What carries requests to the servers of others.
package protocol UpstreamTransport: Sendable {
    /// Sends one request and reads the whole answer, whatever its status. Follows no redirect.
    ///
    /// - Throws: ``UpstreamProblem`` if there is no whole answer in time.
    func send(_ request: UpstreamRequest) async throws -> UpstreamResponse
}

/// A request to the server of somebody else. Its headers, body and query may hold secrets, so it prints none of them.
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

/// The answer of somebody else's server. May hold secrets, so it prints its status alone.
package struct UpstreamResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header, whatever the case of its name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension UpstreamResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "HTTP \(status)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
