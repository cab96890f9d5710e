#if NIO
import NIOCore
import NIOHTTP1
import NIOSSL
import OstiaryClient

extension TransportError {
    /// What went wrong before a request could be written.
    init(opening error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case ChannelError.connectTimeout: self = .timedOut
        case NIOSSLError.handshakeFailed(let problem): self = problem.isEndOfConnection ? .offline : .untrusted
        case is NIOSSLError, is NIOSSLExtraError: self = .untrusted
        default: self = .offline
        }
    }

    /// What went wrong afterwards.
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
    /// Whether the network ended the handshake, and not what was said in it.
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
