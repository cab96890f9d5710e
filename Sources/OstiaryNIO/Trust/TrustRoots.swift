#if NIO
import NIOSSL
import SwiftASN1
import X509

/// The certificate authorities that may vouch for a server.
public struct TrustRoots: Sendable {
    let store: CertificateStore

    private init(store: CertificateStore) { self.store = store }

    /// The authorities that the system trusts, from `/etc/ssl/certs/ca-certificates.crt` or
    /// `/etc/pki/tls/certs/ca-bundle.crt`.
    public static var system: TrustRoots { TrustRoots(store: .systemTrustRoots) }

    /// Creates roots from these authorities alone.
    ///
    /// - Parameter pem: One or more certificates in PEM.
    /// - Throws: ``TrustRootsProblem/unreadable`` if there are none, or one of them cannot be read.
    public init(pem: some Collection<UInt8>) throws(TrustRootsProblem) {
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(Array(pem)).map {
                try Certificate(derEncoded: $0.toDERBytes())
            }
            guard !certificates.isEmpty else { throw TrustRootsProblem.unreadable }
            self.init(store: CertificateStore(certificates))
        } catch {
            throw .unreadable
        }
    }
}

/// The reason why roots could not be read.
public enum TrustRootsProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are not a list of certificates in PEM.
    case unreadable

    /// The problem in English, for logs.
    public var description: String { "not a list of certificates in PEM" }
}
#endif
