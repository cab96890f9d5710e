/// A source of passkeys: the system's sheet on Apple's platforms, or an authenticator of a test.
public protocol PasskeyCredentialProvider: Sendable {
    /// Creates a passkey.
    ///
    /// - Throws: ``ClientError``, for example ``ClientError/cancelledByUser``.
    func register(_ options: PasskeyRegistrationOptions) async throws(ClientError) -> PasskeyRegistration

    /// Signs a server's challenge with a passkey that the person chooses.
    ///
    /// - Throws: ``ClientError``, for example ``ClientError/cancelledByUser``.
    func assert(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion
}
