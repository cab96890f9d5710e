package import OstiaryCore
package import OstiaryEngine

/// The next step of an authorization request.
package enum AuthorizationStep: Hashable, Sendable {
    /// A page informs the user; the browser is not redirected. Source: RFC 6749 §4.1.2.1.
    case refused(Problem)
    /// The browser is redirected to the client, with a code or an error.
    case redirect(String)
    /// The user has to sign in.
    case signIn(AuthenticationRequest)
    /// The user enters name and address for the simulated social provider.
    case mockSignIn(AuthenticationRequest, connection: String)
    /// The signed-in user has to answer a challenge, because the session is below the requested level.
    case stepUp(AuthenticationRequest, Challenge)
    /// The signed-in user has to add a second factor, without which the requested level cannot be reached.
    case enrol(AuthenticationRequest)
    /// The signed-in user has to consent or decline. The tag binds the decision to the session and to the request.
    case consent(AuthenticationRequest, Account, tag: String)
    /// The signed-in user has to confirm or cancel a sign-in to a client whose identity nothing assures. The tag binds the
    /// decision to the session and to the request. Source: RFC 8252 §8.6.
    case confirmation(AuthenticationRequest, Account, tag: String)

    package enum Problem: Hashable, Sendable {
        case unknownClient, redirectURIRefused, malformedRequest
    }
}
