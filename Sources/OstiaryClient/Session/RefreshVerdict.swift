import OstiaryContracts
import OstiaryCore

/// What the answer to a refresh means for the session.
enum RefreshVerdict: Hashable, Sendable {
    case renewed(Tokens)
    /// A definite refusal: the token will never work again.
    case over(AuthError)
    /// The answer was lost on its way. The server answers the same token again.
    case retryAtOnce(TransportError)
    case retryLater(AuthError)
    /// Nothing is known about the session, or only that it must wait: keep it.
    case keep(SessionFailure)

    init(_ error: TransportError) {
        self = error == .connectionLost ? .retryAtOnce(error) : .keep(.unreachable(error))
    }

    init(_ response: WireResponse, of codec: Codec) {
        do {
            self = .renewed(try codec.read(response, to: Refresh.self))
        } catch {
            switch error {
            case .refreshTokenInvalid, .refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .sessionRevoked,
                .accountDisabled:
                // A backend says so in a 401, and not on a page for people: that is a proxy's or a hotel's.
                self =
                    response.status == 401 && !response.isPage
                    ? .over(error) : .keep(.refused(error.asRejection(response)))
            case .unavailable, .busy: self = .retryLater(error)
            default: self = .keep(.refused(error))
            }
        }
    }
}

extension AuthError {
    /// A refusal that must not be read as what its status would say.
    fileprivate func asRejection(_ response: WireResponse) -> AuthError {
        .rejected(status: response.status, message: "The server's answer could not be understood.")
    }
}
