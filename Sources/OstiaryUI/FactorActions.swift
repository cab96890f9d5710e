public import OstiaryClient
public import OstiaryCore

/// The client operations on the account's second factors that the screens use.
public protocol FactorActions: Sendable {
    // MARK: Factors

    /// Returns the account's second factors, and the number of unused recovery codes.
    func factors() async throws(ClientError) -> FactorList
    /// Begins to add an authenticator app.
    func addTOTP() async throws(ClientError) -> PendingTOTP
    /// Adds the authenticator app with a code that it shows.
    ///
    /// - Returns: The recovery codes; nil if the account has some already.
    func confirmTOTP(
        _ pending: PendingTOTP, code: String, name: String?
    ) async throws(ClientError) -> [Secret<String>]?
    /// Creates a passkey and adds it.
    func addPasskey(
        name: String?, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> AddedFactor
    // MARK: The factor that an account must have

    /// Begins to add an authenticator app, as the answer to a challenge of a sign-in.
    func addTOTP(for challenge: Challenge) async throws(ClientError) -> PendingTOTP
    /// Adds the authenticator app, and signs in.
    func confirmTOTP(
        _ pending: PendingTOTP, code: String, name: String?, for challenge: Challenge
    ) async throws(ClientError) -> EnrolledSession
    /// Creates a passkey, adds it, and signs in.
    func addPasskey(
        name: String?, from provider: any PasskeyCredentialProvider, for challenge: Challenge
    ) async throws(ClientError) -> EnrolledSession

    // MARK: Changes

    /// Renames a factor.
    @discardableResult
    func renameFactor(_ id: FactorID, to name: String) async throws(ClientError) -> EnrolledFactor
    /// Removes a factor.
    func removeFactor(_ id: FactorID) async throws(ClientError)
    /// Replaces the recovery codes.
    func replaceRecoveryCodes() async throws(ClientError) -> [Secret<String>]

    // MARK: Step-up

    /// The handler for step-ups that the app's own requests require. The screens present a ``StepUpPrompt``.
    var stepUpHandler: (any StepUpHandler)? { get }
    /// Raises the authentication of the session with an answer to a challenge.
    func answerStepUp(
        _ challenge: Challenge, with answers: [ChallengeMethod: String]
    ) async throws(ClientError)
    /// Raises the authentication of the session with a passkey.
    func answerStepUp(
        _ challenge: Challenge, withPasskeyFrom provider: any PasskeyCredentialProvider
    ) async throws(ClientError)
}
