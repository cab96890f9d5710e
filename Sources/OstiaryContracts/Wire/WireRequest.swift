/// An HTTP request independent of any transport: the client writes it, the server reads it.
public struct WireRequest: Hashable, Sendable {
    /// The HTTP method, case-sensitive as on the request line.
    public var method: String
    /// The path below the app's base URL, percent-encoded, without the query.
    public var path: String
    /// The query, percent-encoded, without its question mark; empty if there is none.
    public var query: String
    /// The headers by lower-case name.
    public var headers: [String: String]
    /// The body; empty if there is none.
    public var body: [UInt8]

    /// Creates a request from its parts.
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

// Headers, queries and bodies contain passwords and tokens, so that no textual representation includes them.

extension WireRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the path.
    public var description: String { "\(method) \(path)" }
    /// The same text as ``description``.
    public var debugDescription: String { description }
    /// A mirror with the method and the path only.
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "path": path]) }
}
