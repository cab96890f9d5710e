#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
import OstiaryCore

/// One request for Sign in with Apple from a view of the system, such as SwiftUI's `SignInWithAppleButton`.
///
/// Each authorization needs a new value: its nonce and its state bind the response to it.
public struct AppleSignInRequest: Sendable {
    private let nonce = SignInNonce()
    private let state = CodeVerifier().text

    /// Creates a request with a random nonce and a random state.
    public init() {}

    /// Configures the system's request: the scopes for name and email address, the nonce's hash and the state.
    public func prepare(_ request: ASAuthorizationAppleIDRequest) {
        request.requestedScopes = [.fullName, .email]
        request.nonce = nonce.hashed
        request.state = state.reveal()
    }

    /// Reads the response to this request.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` if the person closed the sheet; ``ClientError/invalidRequest(_:)`` if
    ///   the system cannot show the sheet with the app's configuration; ``ClientError/invalidResponse`` for the
    ///   response to another request.
    public func identity(from result: Result<ASAuthorization, any Error>) throws(ClientError) -> AppleIdentity {
        switch result {
        case .failure(let error): throw ClientError(authorization: error)
        case .success(let authorization):
            guard case .apple(let credential)? = AuthorizedCredential(authorization.credential) else {
                throw .invalidResponse
            }
            return try identity(from: credential)
        }
    }

    func identity(from credential: AppleCredential) throws(ClientError) -> AppleIdentity {
        try AppleIdentity(credential, nonce: nonce, state: state)
    }
}
#endif
