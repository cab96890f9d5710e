public import OstiaryCore

/// The text of a service key: `ostk_ID_SECRET`, where SECRET is 32 random bytes in base64url.
///
/// The store has HMAC-SHA256 of the id and the secret, with a key of its own: an attacker who can write into the store cannot
/// make a key. A slow hash would add nothing, because the secret cannot be guessed.
public struct ServiceKeySecret: Sendable {
    /// The identifier.
    public let id: ServiceKeyID
    private let secret: [UInt8]

    private static let prefix = "ostk_"
    private static let secretBytes = 32
    /// The length of a key's text.
    private static let length = 65

    /// Creates a new key.
    init(_ system: SystemDependencies) {
        id = ServiceKeyID(system)
        secret = system.randomBytes(Self.secretBytes)
    }

    /// Parses the text of a key.
    ///
    /// - Returns: `nil` for text of another form.
    public init?(_ text: Secret<String>) {
        let bytes = Array(text.reveal().utf8)
        guard bytes.count == Self.length, bytes.starts(with: Self.prefix.utf8), bytes[21] == UInt8(ascii: "_"),
            let id = try? ServiceKeyID(String(decoding: bytes[5..<21], as: UTF8.self)),
            let secret = Base64URL.decode(bytes[22...]), secret.count == Self.secretBytes
        else { return nil }
        self.id = id
        self.secret = secret
    }

    /// The text of the key.
    var text: Secret<String> { Secret("\(Self.prefix)\(id)_\(secret.base64URL)") }

    /// Returns the keyed hash that the store has.
    func hash(_ keys: KeyRing) -> [UInt8] {
        keys.digest([id.text, secret.base64URL], for: .serviceKeys, app: nil)
    }
}
