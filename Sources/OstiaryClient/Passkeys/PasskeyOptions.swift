public import Foundation

/// The requirement for a passkey to verify its owner's presence by biometrics or passcode. Source: W3C WebAuthn Level 2
/// §5.8.6.
public enum UserVerification: String, Hashable, Sendable, CaseIterable {
    /// User verification is required, preferred if the authenticator supports it, or discouraged.
    case required, preferred, discouraged
}

/// The server's options for a passkey registration. Source: W3C WebAuthn Level 2 §5.4.
public struct PasskeyRegistrationOptions: Hashable, Sendable {
    /// The domain of the passkey. It must be among the app's associated domains with the service `webcredentials`.
    public var relyingPartyID: String
    /// The server's random challenge, which the response's client data contains.
    public var challenge: Data
    /// The server's identifier of the account, 1 to 64 bytes, without personal information.
    public var userID: Data
    /// The name of the account that the system shows beside the passkey.
    public var userName: String
    /// A name of the account's owner for display; `nil` for none.
    public var displayName: String?
    /// The requirement for user verification; by default ``UserVerification/preferred``.
    public var userVerification: UserVerification
    /// The identifiers of the account's existing passkeys. A device that holds one of them creates no other.
    public var excludedCredentials: [Data]

    /// Creates registration options from their parts.
    public init(
        relyingPartyID: String, challenge: Data, userID: Data, userName: String, displayName: String? = nil,
        userVerification: UserVerification = .preferred, excludedCredentials: [Data] = []
    ) {
        self.relyingPartyID = relyingPartyID
        self.challenge = challenge
        self.userID = userID
        self.userName = userName
        self.displayName = displayName
        self.userVerification = userVerification
        self.excludedCredentials = excludedCredentials
    }
}

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
