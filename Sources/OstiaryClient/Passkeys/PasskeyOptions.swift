public import Foundation

/// How much a passkey is to make sure that its owner is there. Source: W3C WebAuthn Level 2 §5.8.6.
public enum UserVerification: String, Hashable, Sendable, CaseIterable {
    case required, preferred, discouraged
}

/// What a server asks for when a passkey is to be made. Source: W3C WebAuthn Level 2 §5.4.
public struct PasskeyRegistrationOptions: Hashable, Sendable {
    /// The domain that the passkey is for, among the app's associated domains with the service `webcredentials`.
    public var relyingPartyID: String
    public var challenge: Data
    /// The server's name for the account, 1 to 64 bytes, none of which says whose it is.
    public var userID: Data
    /// What the person sees beside the passkey.
    public var userName: String
    public var displayName: String?
    public var userVerification: UserVerification
    /// The account's passkeys; a device that holds one of them makes no other.
    public var excludedCredentials: [Data]

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

/// What a server asks for when somebody is to sign in with a passkey. Source: W3C WebAuthn Level 2 §5.5.
public struct PasskeyAssertionOptions: Hashable, Sendable {
    /// The domain that the passkey is for.
    public var relyingPartyID: String
    public var challenge: Data
    /// Which passkeys will do; empty for any that the person has for the domain.
    public var allowedCredentials: [Data]
    public var userVerification: UserVerification

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
