import NIOCore
import NIOSSL

/// The server's certificate chain and key, as two PEM files had them.
package final class TLSCertificate: Sendable {
    /// The reason that the files could not be used. Contains file names only, never file contents.
    package enum Problem: Error, Hashable, CustomStringConvertible {
        case unreadableCertificate(file: String)
        case unreadableKey(file: String)
        /// The key does not belong to the chain's first certificate, or the chain cannot be used.
        case keyDoesNotMatch(certificateFile: String, keyFile: String)

        package var description: String {
            switch self {
            case .unreadableCertificate(let file): "no certificate in PEM form can be read from \(file)"
            case .unreadableKey(let file): "no private key in PEM form can be read from \(file)"
            case .keyDoesNotMatch(let certificate, let key): "the key in \(key) is not the one of \(certificate)"
            }
        }
    }

    let context: NIOSSLContext
    /// The expiry of the certificate, in seconds since 1970.
    package let notValidAfter: Int

    /// - Parameter certificateFile: The server's certificate, then the intermediate ones.
    package init(certificateFile: String, keyFile: String) throws(Problem) {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificateFile), let leaf = chain.first else {
            throw .unreadableCertificate(file: certificateFile)
        }
        guard let key = try? NIOSSLPrivateKey(file: keyFile, format: .pem) else { throw .unreadableKey(file: keyFile) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // For TLS 1.2: only ephemeral keys and authenticated encryption. Source: RFC 9325 §4.2. TLS 1.3 has no others.
        configuration.cipherSuiteValues = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
        configuration.applicationProtocols = ["http/1.1"]
        configuration.renegotiationSupport = .none
        configuration.shutdownTimeout = .seconds(2)
        guard let context = try? NIOSSLContext(configuration: configuration) else {
            throw .keyDoesNotMatch(certificateFile: certificateFile, keyFile: keyFile)
        }
        self.context = context
        notValidAfter = Int(leaf.notValidAfter)
    }
}
