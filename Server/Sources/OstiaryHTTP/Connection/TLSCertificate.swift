import NIOCore
import NIOSSL
import Synchronization

/// The server's certificate chain and key, from PEM files that can be read again while connections stand.
///
/// New connections use what was read last; those that stand keep what they began with.
package final class TLSCertificate: Sendable {
    /// Why files could not be used. Names files only, never what is in them.
    package enum Problem: Error, Hashable, CustomStringConvertible {
        case unreadableCertificate(file: String)
        case unreadableKey(file: String)
        /// The key is not the one of the chain's first certificate, or the chain cannot be used.
        case keyDoesNotMatch(certificateFile: String, keyFile: String)

        package var description: String {
            switch self {
            case .unreadableCertificate(let file): "no certificate in PEM form can be read from \(file)"
            case .unreadableKey(let file): "no private key in PEM form can be read from \(file)"
            case .keyDoesNotMatch(let certificate, let key): "the key in \(key) is not the one of \(certificate)"
            }
        }
    }

    private let certificateFile: String
    private let keyFile: String
    private let current: Mutex<Loaded>

    private struct Loaded {
        let context: NIOSSLContext
        let notValidAfter: Int
    }

    /// - Parameter certificateFile: the server's certificate, then the intermediate ones.
    package init(certificateFile: String, keyFile: String) throws(Problem) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        current = Mutex(try Self.load(certificateFile, keyFile))
    }

    /// Reads both files again. If that fails, the former certificate stays in use.
    package func reload() throws(Problem) {
        let loaded = try Self.load(certificateFile, keyFile)
        current.withLock { $0 = loaded }
    }

    /// When the certificate in use expires, in seconds since 1970.
    package var notValidAfter: Int { current.withLock { $0.notValidAfter } }

    var context: NIOSSLContext { current.withLock { $0.context } }

    private static func load(_ certificateFile: String, _ keyFile: String) throws(Problem) -> Loaded {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificateFile), let leaf = chain.first else {
            throw .unreadableCertificate(file: certificateFile)
        }
        guard let key = try? NIOSSLPrivateKey(file: keyFile, format: .pem) else { throw .unreadableKey(file: keyFile) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        // For TLS 1.2: ephemeral keys and authenticated encryption alone. Source: RFC 9325 §4.2. TLS 1.3 has no others.
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
        return Loaded(context: context, notValidAfter: Int(leaf.notValidAfter))
    }
}
