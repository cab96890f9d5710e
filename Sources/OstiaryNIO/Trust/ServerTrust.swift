#if NIO
import Foundation
import OstiaryClient
import SwiftASN1
import X509

/// The validation of a server's identity: the certificate chain first, then the pins.
///
/// Revocation is not checked, as in most clients: a key is withdrawn by removing its pin in a release.
struct ServerTrust: Sendable {
    let roots: TrustRoots
    let pins: PinSet
    let now: @Sendable () -> Date

    /// The maximum number of certificates a server may present. The search for a chain tries every order of
    /// certificates with the same names.
    private static let maximumCertificates = 10

    /// Validates the certificates that a server presented, and the pins.
    ///
    /// - Parameter presented: The certificates in DER, the server's own first; `nil` for one that cannot be read.
    /// - Throws: ``TransportError/untrusted``, ``TransportError/pinMismatch``.
    func check(_ presented: [[UInt8]?], of origin: Origin) async throws(TransportError) {
        guard let certificates = Self.read(presented),
            case .validCertificate(let chain) = await validate(certificates, of: origin)
        else { throw .untrusted }
        let keys = chain.lazy.compactMap { PublicKeyPin(toBeSigned: $0.tbsCertificateBytes) }
        guard pins.allows(keys: keys, at: now()) else { throw .pinMismatch }
    }

    /// Parses the certificates that a server presented.
    ///
    /// - Returns: `nil` if one of them cannot be read, or there are none, or more than ten.
    static func read(_ presented: [[UInt8]?]) -> [Certificate]? {
        guard (1...maximumCertificates).contains(presented.count) else { return nil }
        let certificates = presented.compactMap { der in der.flatMap { try? Certificate(derEncoded: $0) } }
        return certificates.count == presented.count ? certificates : nil
    }

    /// Searches a chain from the server's certificate to a root, for the host's name or address.
    ///
    /// - Parameter certificates: At least one, the server's own first.
    func validate(_ certificates: [Certificate], of origin: Origin) async -> CertificateValidationResult {
        guard let leaf = certificates.first else { return .couldNotValidate([]) }
        let host = origin.host
        let isAddress = origin.isAddress
        var verifier = Verifier(rootCertificates: roots.store) {
            RFC5280Policy()
            ServerIdentityPolicy(serverHostname: isAddress ? nil : host, serverIP: isAddress ? host : nil)
            ServerUsePolicy()
        }
        return await verifier.validate(leaf: leaf, intermediates: CertificateStore(certificates.dropFirst()))
    }
}

/// The checks that the other policies lack: the permitted uses of keys, and the strength of signatures. The root is not
/// checked; it is trusted because it is in the store.
struct ServerUsePolicy: VerifierPolicy {
    let verifyingCriticalExtensions: [ASN1ObjectIdentifier] = [.X509ExtensionID.extendedKeyUsage]

    mutating func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        do {
            // The common name is no longer a place for a host's name. Source: RFC 9525 §6.3.
            guard let names = try chain.leaf.extensions.subjectAlternativeNames, !names.isEmpty else {
                return .failsToMeetPolicy(reason: "the certificate names no host")
            }
            for (index, certificate) in chain.dropLast().enumerated() {
                if let usage = try certificate.extensions.extendedKeyUsage,
                    !usage.contains(.serverAuth), !usage.contains(.any)
                {
                    return .failsToMeetPolicy(reason: "\(certificate.subject) is not for servers")
                }
                if index > 0, let usage = try certificate.extensions.keyUsage, !usage.keyCertSign {
                    return .failsToMeetPolicy(reason: "\(certificate.subject) may not sign certificates")
                }
                if certificate.signatureAlgorithm == .sha1WithRSAEncryption {
                    return .failsToMeetPolicy(reason: "\(certificate.subject) is signed with SHA-1")
                }
            }
            return .meetsPolicy
        } catch {
            return .failsToMeetPolicy(reason: "an extension cannot be read")
        }
    }
}
#endif
