/// A request without a socket: what a client writes and a server reads.
public struct WireRequest: Hashable, Sendable {
    public var method: String
    /// The path below the app's base URL, percent-encoded, without the query.
    public var path: String
    /// The query, percent-encoded, without its question mark; empty if there is none.
    public var query: String
    /// By lower-case name.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(
        method: String, path: String, query: String = "", headers: [String: String] = [:], body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }
}

/// A response without a socket: what a server writes and a client reads.
public struct WireResponse: Hashable, Sendable {
    public var status: Int
    /// By lower-case name.
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

// Headers, queries and bodies hold passwords and tokens.

extension WireRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(method) \(path)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "path": path]) }
}

extension WireResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(status), \(body.count) bytes" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
