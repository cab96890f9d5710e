#if canImport(Security)
import Foundation
import Security

/// The evaluation of a server's certificates: by the system first, then by the app's pins, which can only reject more.
struct ServerTrustCheck: Sendable {
    let pins: PinSet
    let now: @Sendable () -> Date

    /// Evaluates a server's trust.
    ///
    /// - Returns: The reason to reject the server; `nil` if it is trusted.
    func problem(of trust: SecTrust?) -> TransportError? {
        guard let trust, SecTrustEvaluateWithError(trust, nil) else { return .untrusted }
        // After the system's evaluation, not before it: a server could present a copy of a pinned authority's
        // certificate.
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        let isPinned = pins.allows(chain: chain.map { SecCertificateCopyData($0) as Data }, at: now())
        return isPinned ? nil : .pinMismatch
    }
}
#endif
