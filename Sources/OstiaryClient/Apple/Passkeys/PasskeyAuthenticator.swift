#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// An authenticator that registers passkeys and signs in with them, in the system's sheet.
///
/// ``AuthClient/signInWithPasskey(from:rememberMe:)`` and ``AuthClient/addPasskey(name:from:)`` use it; on iOS and visionOS
/// ``AuthClient/suggestedPasskey(from:)`` too. The app needs the relying party's domain among its associated domains, with
/// the service `webcredentials`. One request at a time.
public final class PasskeyAuthenticator: PasskeyCredentialProvider {
    private let presenter: AuthorizationPresenter

    /// Creates an authenticator that shows its sheet over the app's frontmost window.
    public convenience init() { self.init { PresentationWindow.current } }

    /// Creates an authenticator that shows its sheet over a given window.
    ///
    /// - Parameter window: Returns the window for the sheet; called for each request. `nil` if the app has no window.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) {
        presenter = AuthorizationPresenter(over: window)
    }

    /// Registers a new passkey.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` if the person closed the sheet; ``ClientError/cancelled`` if the task
    ///   was cancelled; ``ClientError/invalidRequest(_:)`` if the system cannot show the sheet, or another request is in
    ///   progress; ``ClientError/passkeyExists`` if the device has a passkey that is excluded;
    ///   ``ClientError/invalidResponse`` for a credential of another kind.
    public func register(_ options: PasskeyRegistrationOptions) async throws(ClientError) -> PasskeyRegistration {
        let credential = try await presenter.credential {
            let provider = Self.provider(options.relyingPartyID)
            let request = provider.createCredentialRegistrationRequest(
                challenge: options.challenge, name: options.userName, userID: options.userID)
            request.displayName = options.displayName
            request.userVerificationPreference = options.userVerification.preference
            request.excludedCredentials = options.excludedCredentials.map { .init(credentialID: $0) }
            return request
        }
        guard case .registration(let registration) = credential else { throw .invalidResponse }
        return registration
    }

    /// Signs a server's challenge with a passkey that the person chooses.
    ///
    /// - Throws: The errors of ``register(_:)``.
    public func assert(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion {
        try await presenter.credential { Self.assertionRequest(options) }.assertion
    }

    @MainActor
    private static func assertionRequest(_ options: PasskeyAssertionOptions) -> ASAuthorizationRequest {
        let request = provider(options.relyingPartyID).createCredentialAssertionRequest(challenge: options.challenge)
        request.allowedCredentials = options.allowedCredentials.map { .init(credentialID: $0) }
        request.userVerificationPreference = options.userVerification.preference
        return request
    }

    private static func provider(_ relyingPartyID: String) -> ASAuthorizationPlatformPublicKeyCredentialProvider {
        ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyID)
    }
}

#if canImport(UIKit) && !targetEnvironment(macCatalyst)
// Source: Apple, "performAutoFillAssistedRequests()": iOS and visionOS alone.
extension PasskeyAuthenticator: PasskeyAutoFillProvider {
    /// Signs a server's challenge with a passkey that the person chooses among the keyboard's suggestions, at a field whose
    /// content type is `username`.
    ///
    /// - Throws: The errors of ``register(_:)``; ``ClientError/cancelled`` once another request begins.
    public func assertSuggested(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion {
        try await presenter.suggestedCredential { Self.assertionRequest(options) }.assertion
    }
}
#endif

extension AuthorizedCredential {
    fileprivate var assertion: PasskeyAssertion {
        get throws(ClientError) {
            guard case .assertion(let assertion) = self else { throw .invalidResponse }
            return assertion
        }
    }
}

extension UserVerification {
    fileprivate var preference: ASAuthorizationPublicKeyCredentialUserVerificationPreference {
        switch self {
        case .required: .required
        case .preferred: .preferred
        case .discouraged: .discouraged
        }
    }
}
#endif
