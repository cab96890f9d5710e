package import OstiaryContracts
package import OstiaryCore

/// A response of the application, before the headers that every response carries.
@dynamicMemberLookup
package struct ServerResponse: Hashable, Sendable {
    private var wire: WireResponse
    /// The values of `set-cookie`, the only header that repeats.
    package var cookies: [Secret<String>] = []
    /// The body, where it is not in memory.
    package var stream: ResponseStream?

    package init(_ wire: WireResponse) { self.wire = wire }

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        wire = WireResponse(status: status, headers: headers, body: body)
    }

    package subscript<Value>(dynamicMember part: WritableKeyPath<WireResponse, Value>) -> Value {
        get { wire[keyPath: part] }
        set { wire[keyPath: part] = newValue }
    }
}
