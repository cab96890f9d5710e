/// An HTTP response independent of any transport: the server writes it, the client reads it.
public struct WireResponse: Hashable, Sendable {
    /// The HTTP status code.
    public var status: Int
    /// The headers by lower-case name.
    public var headers: [String: String]
    /// The body; empty if there is none.
    public var body: [UInt8]

    /// Creates a response from its parts.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension WireResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the number of bytes of the body.
    public var description: String { "\(status), \(body.count) bytes" }
    /// The same text as ``description``.
    public var debugDescription: String { description }
    /// A mirror with the status only.
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
