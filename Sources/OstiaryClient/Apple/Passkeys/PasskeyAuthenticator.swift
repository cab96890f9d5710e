#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// Makes passkeys, and signs in with them, in the system's own sheet.
///
/// It turns a server's options into the answer that the server checks, and no more: Ostiary's server offers no passkeys yet,
/// so ``AuthClient`` has no call for them. The app needs the relying party's domain among its associated domains, with the
/// service `webcredentials`. One question at a time.
public final class PasskeyAuthenticator: Sendable {
    private let presenter: AuthorizationPresenter

    /// Over the window that the person has in front of them.
    public convenience init() { self.init { PresentationWindow.current } }

    /// - Parameter window: What the sheet is shown over; asked each time.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) {
        presenter = AuthorizationPresenter(over: window)
    }

    /// Makes a passkey.
    ///
    /// - Throws: ``ClientError/cancelledByUser``, ``ClientError/cancelled``, ``ClientError/invalidRequest(_:)`` if the
    ///   system cannot ask or the device has a passkey that is excluded; ``ClientError/invalidResponse`` for another answer.
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
    /// - Throws: As ``register(_:)``.
    public func assert(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion {
        let credential = try await presenter.credential {
            let request = Self.provider(options.relyingPartyID)
                .createCredentialAssertionRequest(challenge: options.challenge)
            request.allowedCredentials = options.allowedCredentials.map { .init(credentialID: $0) }
            request.userVerificationPreference = options.userVerification.preference
            return request
        }
        guard case .assertion(let assertion) = credential else { throw .invalidResponse }
        return assertion
    }

    private static func provider(_ relyingPartyID: String) -> ASAuthorizationPlatformPublicKeyCredentialProvider {
        ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: relyingPartyID)
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
