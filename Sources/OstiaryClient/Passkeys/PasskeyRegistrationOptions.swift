public import Foundation

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
