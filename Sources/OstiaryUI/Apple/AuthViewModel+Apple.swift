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
        signInWithApple(provider: provider, using: apple, knowing: ReceivedIdentity())
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
        signInWithApple(
            Result { () throws(ClientError) in try request.identity(from: result) }, provider: provider)
    }

    private func signInWithApple(
        _ identity: Result<AppleIdentity, ClientError>, provider: String
    ) -> Task<Void, Never> {
        begin(
            .identityToken(provider: provider), retrying: { $0.signInWithApple(identity, provider: provider) }
        ) { [auth] () async throws(ClientError) in
            let identity = try identity.get()
            _ = try await auth.signIn(
                identityToken: identity.identityToken.reveal(), provider: provider, nonce: identity.nonce.reveal(),
                name: identity.name)
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// Signs in with Apple. A retry reuses the identity of the first attempt, because Apple gives the person's name
    /// only once.
    private func signInWithApple(
        provider: String, using apple: AppleSignIn, knowing told: ReceivedIdentity
    ) -> Task<Void, Never> {
        begin(
            .identityToken(provider: provider),
            retrying: { $0.signInWithApple(provider: provider, using: apple, knowing: told) }
        ) { [auth] () async throws(ClientError) in
            let identity = try await told.identity(from: apple)
            _ = try await auth.signIn(
                identityToken: identity.identityToken.reveal(), provider: provider, nonce: identity.nonce.reveal(),
                name: identity.name)
        } take: { model, _ in
            model.didSignIn()
        }
    }
}

/// The identity that Apple has given for one sign-in, kept for retries.
private final class ReceivedIdentity: Sendable {
    private let told = Mutex<AppleIdentity?>(nil)

    func identity(from apple: AppleSignIn) async throws(ClientError) -> AppleIdentity {
        if let identity = told.withLock({ $0 }) { return identity }
        let identity = try await apple.identity()
        told.withLock { $0 = identity }
        return identity
    }
}
#endif
