import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The fingerprint of a public key: `sha256/` and the base64 of the SHA-256 of its SubjectPublicKeyInfo.
///
/// It does not change when a certificate is renewed with the same key. Source: RFC 7469 §2.4.
public struct PublicKeyPin: Hashable, Sendable {
    /// The base64 of the digest, without `sha256/`.
    public let base64: String

    private static let prefix = "sha256/"

    /// Parses a pin.
    ///
    /// - Throws: ``PinProblem/malformed(_:)`` unless it is `sha256/` and the canonical base64 of 32 bytes.
    public init(_ text: String) throws(PinProblem) {
        guard text.utf8.starts(with: Self.prefix.utf8) else { throw .malformed(text) }
        let base64 = String(decoding: text.utf8.dropFirst(Self.prefix.utf8.count), as: UTF8.self)
        // The encoding must be canonical: base64 allows several spellings of one digest, which would count as different
        // pins.
        guard let digest = Data(base64Encoded: base64), digest.count == SHA256.byteCount,
            digest.base64EncodedString().utf8.elementsEqual(base64.utf8)
        else { throw .malformed(text) }
        self.base64 = base64
    }

    /// Computes the pin of a certificate's key.
    ///
    /// - Parameter certificate: The certificate in DER.
    /// - Returns: Nil for anything but one whole certificate.
    public init?(certificate: some Collection<UInt8>) {
        guard let key = SubjectPublicKeyInfo.bytes(certificate: Array(certificate)[...]) else { return nil }
        self.init(key)
    }

    /// Computes the pin of the key in the signed part of a certificate.
    ///
    /// - Parameter toBeSigned: The certificate's TBSCertificate, in DER.
    package init?(toBeSigned: ArraySlice<UInt8>) {
        guard let key = SubjectPublicKeyInfo.bytes(toBeSigned: toBeSigned) else { return nil }
        self.init(key)
    }

    private init(_ key: ArraySlice<UInt8>) { base64 = Data(SHA256.hash(data: Array(key))).base64EncodedString() }
}

extension PublicKeyPin: CustomStringConvertible {
    /// The pin with `sha256/`.
    public var description: String { Self.prefix + base64 }
}

/// The reason why pins cannot be used.
public enum PinProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not `sha256/` and the base64 of 32 bytes.
    case malformed(String)
    /// There are fewer than two different pins.
    case tooFew

    /// The expected form, in English, without the text that was given.
    public var description: String {
        switch self {
        case .malformed: "a pin is sha256/ and the base64 of 32 bytes: ostiary pin HOST prints those of a server"
        case .tooFew: "two different pins are needed, else the server's next key locks every installed app out"
        }
    }
}
