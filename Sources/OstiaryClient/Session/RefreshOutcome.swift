import OstiaryContracts
import OstiaryCore

/// The meaning of a refresh's response for the session.
enum RefreshOutcome: Hashable, Sendable {
    /// The server issued other tokens.
    case renewed(Tokens)
    /// A definite refusal: the refresh token will never work again.
    case over(AuthError)
    /// The response was lost in transit. The server accepts the same token again.
    case retryAtOnce(TransportError)
    /// The server cannot answer now.
    case retryLater
    /// The server asked for a wait.
    case wait(seconds: Int)
    /// The response says nothing about the session, which is kept.
    case keep(ClientError)

    init(_ error: TransportError) {
        self = error == .connectionLost ? .retryAtOnce(error) : .keep(ClientError(error))
    }

    init(_ response: WireResponse, of codec: Codec) {
        do {
            self = .renewed(try codec.read(response, to: Refresh.self))
        } catch {
            switch error {
            case .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .sessionRevoked,
                .accountDisabled, .dpopRequired:
                // A backend refuses with a 401 and not with an HTML page, which comes from a proxy or a captive portal.
                self = response.status == 401 && !response.isPage ? .over(error) : .keep(.invalidResponse)
            case .unavailable, .busy: self = .retryLater
            case .tooManyAttempts(let seconds), .proofOfWorkRequired(_, let seconds): self = .wait(seconds: seconds)
            default: self = .keep(.refused(error))
            }
        }
    }
}

extension WireResponse {
    /// `true` if the response is an HTML page, by its `Content-Type` or by a body that starts with `<`.
    var isPage: Bool {
        headers["content-type"]?.utf8.prefix(9).map({ $0 | 0x20 }).elementsEqual("text/html".utf8) == true
            || body.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 } == UInt8(ascii: "<")
    }
}

extension ClientError {
    init(_ error: TransportError) {
        self =
            switch error {
            case .offline: .offline
            case .pinMismatch: .certificatePinningFailed
            case .unsendable: .invalidRequest("it holds characters that cannot be sent")
            case .wouldBeProxied: .invalidRequest(error.description)
            case .notHTTP, .tooLarge: .invalidResponse
            case .cancelled: .cancelled
            case .connectionLost, .timedOut, .untrusted: .network(error)
            }
    }
}
