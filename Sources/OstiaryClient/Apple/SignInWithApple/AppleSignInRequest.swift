#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
import OstiaryCore

/// One request for Sign in with Apple, made by a view of the system's such as SwiftUI's `SignInWithAppleButton`.
///
/// For each authorization a new one: its nonce and its state tie the answer to it.
public struct AppleSignInRequest: Sendable {
    private let nonce = SignInNonce()
    private let state = CodeVerifier().text

    public init() {}

    /// Asks for name and email address, and sets nonce and state.
    public func prepare(_ request: ASAuthorizationAppleIDRequest) {
        request.requestedScopes = [.fullName, .email]
        request.nonce = nonce.hashed
        request.state = state.reveal()
    }

    /// Reads the answer to this request.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` if the person closed the sheet; ``ClientError/invalidRequest(_:)`` if the system
    ///   cannot ask as the app is set up; ``ClientError/invalidResponse`` for an answer to another request.
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
