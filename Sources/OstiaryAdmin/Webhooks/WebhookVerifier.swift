public import Foundation
public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A verifier of the events that the server delivers to an endpoint.
///
/// ```swift
/// let verifier = try WebhookVerifier(secret: secret)
/// let event = try verifier.verify(body, headers: headers)
/// ```
///
/// A delivery is at least once: the receiver keeps ``WebhookEvent/id`` as long as it must not act twice, and answers 2xx only
/// after it has acted or stored the event.
///
/// Source: Standard Webhooks.
public struct WebhookVerifier: Sendable {
    private let keys: [SymmetricKey]
    private let tolerance: Duration
    private let now: @Sendable () -> Date

    /// The maximum number of secrets, and of signatures in a header that are compared.
    private static let maximumSignatures = 16

    /// Creates a verifier with one secret.
    ///
    /// - Parameters:
    ///   - secret: The secret of the endpoint, `whsec_…`.
    ///   - tolerance: The longest time between `webhook-timestamp` and the present, before or after.
    ///   - now: The present.
    /// - Throws: ``WebhookProblem/invalidSecret``.
    public init(
        secret: Secret<String>, tolerance: Duration = .seconds(300), now: @escaping @Sendable () -> Date = { Date() }
    ) throws(WebhookProblem) {
        try self.init(secrets: [secret], tolerance: tolerance, now: now)
    }

    /// Creates a verifier with several secrets, of which each is accepted: the present and the previous one.
    ///
    /// - Throws: ``WebhookProblem/invalidSecret``, also without a secret.
    public init(
        secrets: [Secret<String>], tolerance: Duration = .seconds(300), now: @escaping @Sendable () -> Date = { Date() }
    ) throws(WebhookProblem) {
        guard (1...Self.maximumSignatures).contains(secrets.count) else { throw .invalidSecret }
        var keys: [SymmetricKey] = []
        for secret in secrets { keys.append(try Self.key(secret)) }
        self.keys = keys
        self.tolerance = tolerance
        self.now = now
    }

    /// Verifies a delivery, and returns its event.
    ///
    /// - Parameters:
    ///   - body: The bytes of the body as they arrived.
    ///   - headers: The headers by name, in any case; `webhook-id`, `webhook-timestamp` and `webhook-signature` are read.
    /// - Throws: ``WebhookProblem``. Every one of them means that the request must be refused.
    public func verify(_ body: some Collection<UInt8>, headers: [String: String]) throws(WebhookProblem) -> WebhookEvent
    {
        let body = Array(body)
        let id = try verifySignature(of: body, headers: headers)
        guard let event = WebhookEvent(id: id, body: body) else { throw .invalidBody }
        return event
    }

    /// Verifies the signature of a delivery whose body is not an event, and returns its identifier.
    ///
    /// - Throws: ``WebhookProblem``.
    @discardableResult
    public func verifySignature(
        of body: some Collection<UInt8>, headers: [String: String]
    ) throws(WebhookProblem) -> String {
        let id = try header("webhook-id", in: headers, atMost: 256)
        let timestamp = try header("webhook-timestamp", in: headers, atMost: 20)
        let signatures = try header("webhook-signature", in: headers, atMost: 4096)
        guard timestamp.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int(timestamp) else {
            throw .invalidHeader("webhook-timestamp")
        }
        let signed = Array("\(id).\(timestamp).".utf8) + Array(body)
        guard isSigned(signed, by: signatures) else { throw .wrongSignature }
        // After the signature, so that the answer tells an attacker nothing about the receiver's clock.
        let distance = abs(now().timeIntervalSince1970 - Double(seconds))
        guard distance <= Double(tolerance.components.seconds) else { throw .outsideTolerance }
        return id
    }

    private func isSigned(_ content: [UInt8], by header: String) -> Bool {
        let signatures = header.utf8.split(separator: UInt8(ascii: " ")).prefix(Self.maximumSignatures)
        for signature in signatures where signature.starts(with: "v1,".utf8) {
            let text = String(Substring(signature.dropFirst(3)))
            guard let code = Data(base64Encoded: text), code.count == SHA256.byteCount else { continue }
            // Compares in constant time.
            for key in keys where HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: content, using: key) {
                return true
            }
        }
        return false
    }

    private func header(_ name: String, in headers: [String: String], atMost maximum: Int) throws(WebhookProblem)
        -> String
    {
        let found = headers.first {
            $0.key.utf8.count == name.utf8.count && $0.key.lowercased().utf8.elementsEqual(name.utf8)
        }
        guard let value = found?.value, (1...maximum).contains(value.utf8.count),
            value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw .invalidHeader(name) }
        return value
    }

    private static func key(_ secret: Secret<String>) throws(WebhookProblem) -> SymmetricKey {
        let prefix = "whsec_"
        let text = secret.reveal()
        guard text.utf8.count <= 128 else { throw .invalidSecret }
        let encoded = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.utf8.count)) : text
        // Some tools drop the padding.
        let padding = String(repeating: "=", count: (4 - encoded.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: encoded + padding), (24...64).contains(bytes.count) else {
            throw .invalidSecret
        }
        return SymmetricKey(data: bytes)
    }
}
