public import OstiaryCore

/// A passkey that the person chose for a sign-in, with its signature over the server's challenge.
public struct ChosenPasskey: Hashable, Sendable {
    /// The server's token of the challenge.
    let token: Secret<String>
    let assertion: PasskeyAssertion

    /// Creates a choice from its parts.
    ///
    /// - Parameters:
    ///   - token: The token that came with the options.
    ///   - assertion: The passkey's response to the options.
    public init(token: Secret<String>, assertion: PasskeyAssertion) {
        self.token = token
        self.assertion = assertion
    }
}
