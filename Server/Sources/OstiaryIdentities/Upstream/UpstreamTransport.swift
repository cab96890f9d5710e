/// What carries requests to the servers of others.
public protocol UpstreamTransport: Sendable {
    /// Sends one request and reads the whole answer, whatever its status. Follows no redirect.
    ///
    /// - Throws: ``UpstreamProblem`` if there is no whole answer in time.
    func send(_ request: UpstreamRequest) async throws -> UpstreamResponse
}

/// A request to the server of somebody else. Its headers, body and query may hold secrets, so it prints none of them.
public struct UpstreamRequest: Sendable {
    public var method: Method
    public var url: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
    }

    public init(
        _ method: Method = .get, _ url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension UpstreamRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(method.rawValue) \(UpstreamURL(url)?.origin ?? "?")" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// The answer of somebody else's server. May hold secrets, so it prints its status alone.
public struct UpstreamResponse: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header, whatever the case of its name.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension UpstreamResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "HTTP \(status)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
