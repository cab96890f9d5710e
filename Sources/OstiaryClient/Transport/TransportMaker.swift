/// The factory of the transport that a client uses.
public struct TransportMaker: Sendable {
    let make: @Sendable (PinSet) throws(ClientError) -> any Transport

    /// Creates a factory.
    ///
    /// - Parameter make: Creates a transport that enforces the given pins, or throws if it cannot.
    public init(_ make: @escaping @Sendable (PinSet) throws(ClientError) -> any Transport) { self.make = make }

    /// Creates transports with URLSession. On platforms other than Apple's it cannot pin, and rejects a client with
    /// pins.
    public static let urlSession = TransportMaker { pins throws(ClientError) in
        #if canImport(Security)
        return URLSessionTransport(pins: pins)
        #else
        guard pins.isEmpty else {
            throw .invalidRequest("URLSession cannot pin certificates on this platform: use OstiaryNIO's transport")
        }
        return URLSessionTransport()
        #endif
    }

    /// Uses an existing transport. A client with pins accepts it only if it ``Transport/enforces(_:)`` them.
    public static func custom(_ transport: any Transport) -> TransportMaker {
        TransportMaker { pins throws(ClientError) in
            guard pins.isEmpty || transport.enforces(pins) else {
                throw .invalidRequest("the transport does not enforce the pins")
            }
            return transport
        }
    }
}
