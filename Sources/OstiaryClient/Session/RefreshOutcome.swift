import OstiaryContracts
import OstiaryCore

/// What the answer to a refresh means for the session.
enum RefreshOutcome: Hashable, Sendable {
    case renewed(Tokens)
    /// A definite refusal: the token will never work again.
    case over(AuthError)
    /// The answer was lost on its way. The server answers the same token again.
    case retryAtOnce(TransportError)
    /// The server cannot answer now.
    case retryLater
    /// The server asks to wait.
    case wait(seconds: Int)
    /// Nothing is known about the session: it is kept.
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
                .accountDisabled:
                // A backend says so in a 401, and not on a page for people: that is a proxy's or a hotel's.
                self = response.status == 401 && !response.isPage ? .over(error) : .keep(.invalidResponse)
            case .unavailable, .busy: self = .retryLater
            case .tooManyAttempts(let seconds): self = .wait(seconds: seconds)
            default: self = .keep(.refused(error))
            }
        }
    }
}

extension WireResponse {
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
