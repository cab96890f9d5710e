public import OstiaryCore

extension AuthEngine {
    /// Opens a session for a person whom the caller has authenticated by other means: the built-in provider, for a
    /// client that redeemed a code, or for a browser in which a mock identity was accepted. Performs no authentication
    /// itself.
    ///
    /// - Parameters:
    ///   - account: The account at the time of the authentication; if its credentials have changed since, no session is
    ///     opened.
    ///   - context: The methods by which the caller has authenticated the person.
    ///   - isChallengeAnswered: `true` if the authentication includes the question for a second factor.
    ///   - recognizesDevice: `true` if the caller is the person's browser, which the account recognizes from now on; `false`
    ///     for a client, whose server is none of the person's devices.
    ///   - session: The id of the new session.
    ///   - isRemembered: `true` for the long refresh lifetime where the rules have two.
    ///   - attachment: Sealed bytes to keep with the session.
    /// - Throws: `AuthError.wrongCredentials` if the account is disabled or its credentials have changed;
    ///   `AuthError.tooManyAttempts(retryAfterSeconds:)`; `AuthError.unavailable(incident:)`.
    public func openClientSession(
        of account: Account, context: AuthenticationContext, isChallengeAnswered: Bool, recognizesDevice: Bool,
        session: SessionID, isRemembered: Bool = false, attachment: [UInt8]? = nil
    ) async throws(AuthError) -> SignedIn {
        try await run(
            SessionOpeningHandler(
                authenticator: ClientSessionHandler(
                    account: account, context: context, isChallengeAnswered: isChallengeAnswered,
                    recognizesDevice: recognizesDevice, session: session, isRemembered: isRemembered,
                    attachment: attachment)))
    }
}

/// A sign-in of an account that is already authenticated.
struct ClientSessionHandler: AuthenticationHandler {
    let account: Account
    let context: AuthenticationContext
    let isChallengeAnswered: Bool
    let recognizesDevice: Bool
    let session: SessionID
    let isRemembered: Bool
    let attachment: [UInt8]?

    static let action = OperationKind.completeBrowserSignIn
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        guard account.isActive, account.app == engine.app.name else { throw AuthError.wrongCredentials }
        return Authentication(
            account: account, context: context, isChallengeAnswered: isChallengeAnswered, rememberMe: isRemembered,
            session: session, attachment: attachment, recognizesDevice: recognizesDevice)
    }
}
