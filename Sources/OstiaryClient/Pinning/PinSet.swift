/// The public keys that an app trusts its server to have.
public struct PinSet: Hashable, Sendable {
    /// Each the base64 of the SHA-256 of a SubjectPublicKeyInfo, without its `sha256/`.
    public let pins: Set<String>

    public static let none = PinSet(pins: [])
    public var isEmpty: Bool { pins.isEmpty }

    private init(pins: Set<String>) { self.pins = pins }
}
