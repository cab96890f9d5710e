import Foundation
import OstiaryContracts
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A signer of requests with the key of a session.
struct RequestSigner: Sendable {
    let key: RequestSigningKey

    /// Signs a request.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the request; its path is signed too.
    ///   - serverTime: The current time by the server's clock.
    ///   - nonce: A value for this one transmission, never reused, not even to send the same request again.
    /// - Throws: ``ClientError/invalidRequest(_:)`` for a request without an access token, or a key whose id cannot be
    ///   expressed in the header.
    func sign(
        _ request: WireRequest, to baseURL: BaseURL, at serverTime: Date, nonce: String
    ) throws(ClientError) -> WireRequest {
        let created = Int(exactly: serverTime.timeIntervalSince1970.rounded(.down))
        guard let input = created.flatMap({ SignatureInput(created: $0, keyID: key.id, nonce: nonce) }) else {
            throw .invalidRequest("the request cannot be signed")
        }
        let signed = request.signed(
            input, path: baseURL.path + request.path, contentSHA256: Array(SHA256.hash(data: Data(request.body)))
        ) { base in
            Array(HMAC<SHA256>.authenticationCode(for: base, using: SymmetricKey(data: key.secret.reveal())))
        }
        guard let signed else { throw .invalidRequest("a request without an access token cannot be signed") }
        return signed
    }

    /// Returns 128 bits from the system's random source, as 22 characters of base64url.
    @Sendable static func randomNonce() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes = Data()
        for _ in 0..<2 { withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0) } }
        return Base64URL.encode(bytes)
    }
}
