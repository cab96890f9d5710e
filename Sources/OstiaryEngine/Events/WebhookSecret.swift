import Foundation
public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A secret that signs requests to other systems, with its text `whsec_` and the key in base64.
///
/// Source: Standard Webhooks, "Signature scheme".
public struct WebhookSecret: Sendable {
    private let key: Secret<[UInt8]>

    /// The permitted sizes of a key, in bytes.
    public static let sizes = 24...64
    private static let prefix = "whsec_"

    /// Reads a secret from its text.
    ///
    /// - Returns: `nil` unless the text is `whsec_` and 24 to 64 bytes in base64.
    public init?(_ text: Secret<String>) {
        let text = text.reveal()
        guard text.utf8.count <= 128, text.utf8.starts(with: Self.prefix.utf8),
            let bytes = Data(
                base64Encoded: String(decoding: text.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)),
            Self.sizes.contains(bytes.count)
        else { return nil }
        key = Secret(Array(bytes))
    }

    /// Creates a random secret of 32 bytes.
    init(_ system: SystemDependencies) { key = Secret(system.randomBytes(32)) }

    init(opening sealed: [UInt8], of endpoint: EventEndpointID, with keys: KeyRing) throws {
        key = Secret(
            try keys.open(sealed, for: .eventEndpoints, context: SealedValue.Kind.endpointSecret.context(endpoint.text))
        )
    }

    /// The text that the receiver's library expects.
    public var text: Secret<String> { Secret(Self.prefix + Data(key.reveal()).base64EncodedString()) }

    func sealed(for endpoint: EventEndpointID, with keys: KeyRing) throws -> [UInt8] {
        try keys.seal(
            key.reveal(), for: .eventEndpoints, context: SealedValue.Kind.endpointSecret.context(endpoint.text))
    }

    /// Returns the signature of a request: `v1,` and HMAC-SHA256 of id, time and body in base64.
    public func signature(id: String, timestamp: Int, body: [UInt8]) -> String {
        var hmac = HMAC<SHA256>(key: SymmetricKey(data: key.reveal()))
        hmac.update(data: Data("\(id).\(timestamp).".utf8))
        hmac.update(data: Data(body))
        return "v1," + Data(hmac.finalize()).base64EncodedString()
    }
}
