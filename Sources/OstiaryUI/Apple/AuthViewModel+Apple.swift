#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices
public import OstiaryClient
import OstiaryCore
import Synchronization

extension AuthViewModel {
    /// Signs in through the system's browser sheet; see ``signInWithBrowser(provider:using:)`` for other browsers.
    @discardableResult
    public func signInWithBrowser(provider: String? = nil) -> Task<Void, Never> {
        signInWithBrowser(provider: provider, using: WebAuthenticationPresenter())
    }

    /// Asks the person to sign in with their Apple Account, and signs in with the answer.
    ///
    /// Leaving the screen closes Apple's sheet. If the person closes the sheet, no error is shown.
    ///
    /// - Parameters:
    ///   - provider: The server's name for Apple.
    ///   - apple: The request to the system.
    @discardableResult
    public func signInWithApple(
        provider: String = "apple", using apple: AppleSignIn = AppleSignIn()
    ) -> Task<Void, Never> {
        let received = ReceivedIdentity()
        return signIn(provider: provider) { () async throws(ClientError) in try await received.identity(from: apple) }
    }

    /// Signs in with the authorization that a system view got from Apple, for example SwiftUI's
    /// `SignInWithAppleButton`.
    ///
    /// - Parameters:
    ///   - result: The argument of the button's `onCompletion`.
    ///   - request: The request that prepared the authorization in the button's `onRequest`.
    ///   - provider: The server's name for Apple.
    @discardableResult
    public func signInWithApple(
        _ result: Result<ASAuthorization, any Error>, for request: AppleSignInRequest, provider: String = "apple"
    ) -> Task<Void, Never> {
        let identity = Result<AppleIdentity, ClientError> { () throws(ClientError) in
            try request.identity(from: result)
        }
        return signIn(provider: provider) { () async throws(ClientError) in try identity.get() }
    }

    /// Signs in with Apple's identity, which each attempt asks `identity` for.
    private func signIn(
        provider: String, with identity: @escaping @Sendable () async throws(ClientError) -> AppleIdentity
    ) -> Task<Void, Never> {
        begin(
            .identityToken(provider: provider), retrying: { $0.signIn(provider: provider, with: identity) }
        ) { [auth] () async throws(ClientError) in
            let identity = try await identity()
            _ = try await auth.signIn(
                identityToken: identity.identityToken.reveal(), provider: provider, nonce: identity.nonce.reveal(),
                name: identity.name)
        } take: { model, _ in
            model.didSignIn()
        }
    }
}

/// The identity that Apple has given for one sign-in. A retry reuses it, because Apple gives the person's name only once.
private final class ReceivedIdentity: Sendable {
    private let received = Mutex<AppleIdentity?>(nil)

    func identity(from apple: AppleSignIn) async throws(ClientError) -> AppleIdentity {
        if let identity = received.withLock({ $0 }) { return identity }
        let identity = try await apple.identity()
        received.withLock { $0 = identity }
        return identity
    }
}
#endif
