/// An assertion of App Attest that a request presents, with the client data of the request.
public struct PresentedAppAssertion: Hashable, Sendable {
    /// The id of the key; empty for a header that cannot be read.
    public var keyID: [UInt8]
    /// The assertion, as App Attest made it.
    public var assertion: [UInt8]
    /// The client data that the assertion must be for.
    public var clientData: [UInt8]

    /// Creates an assertion from its parts.
    public init(keyID: [UInt8], assertion: [UInt8], clientData: [UInt8]) {
        self.keyID = keyID
        self.assertion = assertion
        self.clientData = clientData
    }
}
