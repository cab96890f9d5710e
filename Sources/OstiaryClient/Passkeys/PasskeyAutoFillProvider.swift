/// A source of passkeys that can be suggested while the person types: above the keyboard on iOS and visionOS.
public protocol PasskeyAutoFillProvider: PasskeyCredentialProvider {
    /// Signs a server's challenge with a passkey that the person chooses among the suggestions. Waits as long as the person
    /// chooses none.
    ///
    /// - Throws: ``ClientError/cancelled`` if the task is cancelled, or another request begins; other errors of
    ///   ``PasskeyCredentialProvider/assert(_:)``.
    func assertSuggested(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion
}
