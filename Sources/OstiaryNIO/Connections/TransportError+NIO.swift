#if NIO
import NIOCore
import NIOHTTP1
import NIOSSL
import OstiaryClient

extension TransportError {
    /// Creates the error for a failure before a request could be written.
    init(opening error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case ChannelError.connectTimeout: self = .timedOut
        case NIOSSLError.handshakeFailed(let problem): self = problem.isEndOfConnection ? .offline : .untrusted
        case is NIOSSLError, is NIOSSLExtraError: self = .untrusted
        default: self = .offline
        }
    }

    /// Creates the error for a failure after the connection was opened.
    init(asking error: any Error, _ limits: ExchangeLimits) {
        switch error {
        case let error as TransportError: self = error
        case HTTPParserError.headerOverflow: self = .tooLarge(maximumBytes: limits.headerBytes)
        case HTTPParserError.invalidEOFState, HTTPParserError.closedConnection: self = .connectionLost
        case is HTTPParserError, is NIOHTTPDecoderError: self = .notHTTP
        default: self = .connectionLost
        }
    }
}

extension BoringSSLError {
    /// Returns `true` if the connection ended during the handshake, as opposed to a TLS failure.
    fileprivate var isEndOfConnection: Bool {
        switch self {
        case .sslError(let errors):
            errors.contains(.eofDuringHandshake) || errors.contains(.eofDuringAdditionalCertficiateChainValidation)
        case .syscallError, .zeroReturn: true
        default: false
        }
    }
}
#endif
