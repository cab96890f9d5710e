public import Foundation

/// The server's options for a sign-in with a passkey. Source: W3C WebAuthn Level 2 §5.5.
public struct PasskeyAssertionOptions: Hashable, Sendable {
    /// The domain of the passkey.
    public var relyingPartyID: String
    /// The server's random challenge, which the response's client data contains.
    public var challenge: Data
    /// The identifiers of the accepted passkeys; empty for any that the person has for the domain.
    public var allowedCredentials: [Data]
    /// The requirement for user verification; by default ``UserVerification/preferred``.
    public var userVerification: UserVerification

    /// Creates assertion options from their parts.
    public init(
        relyingPartyID: String, challenge: Data, allowedCredentials: [Data] = [],
        userVerification: UserVerification = .preferred
    ) {
        self.relyingPartyID = relyingPartyID
        self.challenge = challenge
        self.allowedCredentials = allowedCredentials
        self.userVerification = userVerification
    }
}
