/// Which transport a client uses.
public struct TransportMaker: Sendable {
    let make: @Sendable (PinSet) throws(ClientError) -> any Transport

    /// - Parameter make: Throws rather than make a transport that does not enforce the pins.
    public init(_ make: @escaping @Sendable (PinSet) throws(ClientError) -> any Transport) { self.make = make }

    /// URLSession. Away from Apple's platforms it cannot pin, and a client with pins is refused.
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

    /// One that is there already. A client with pins takes it only if it ``Transport/enforces(_:)`` them.
    public static func custom(_ transport: any Transport) -> TransportMaker {
        TransportMaker { pins throws(ClientError) in
            guard pins.isEmpty || transport.enforces(pins) else {
                throw .invalidRequest("the transport does not enforce the pins")
            }
            return transport
        }
    }
}
