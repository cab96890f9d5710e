#if canImport(Security)
import Foundation
import Security

/// What a server's certificates are worth: the system's judgement first, then the app's pins, which can only refuse more.
struct ServerTrustCheck: Sendable {
    let pins: PinSet
    let now: @Sendable () -> Date

    /// - Returns: Nil for a server that may be spoken to.
    func problem(of trust: SecTrust?) -> TransportError? {
        guard let trust, SecTrustEvaluateWithError(trust, nil) else { return .untrusted }
        // After that and not before: what a server merely presents could hold a copy of a pinned authority's certificate.
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []
        let isPinned = pins.allows(chain: chain.map { SecCertificateCopyData($0) as Data }, at: now())
        return isPinned ? nil : .pinMismatch
    }
}
#endif
