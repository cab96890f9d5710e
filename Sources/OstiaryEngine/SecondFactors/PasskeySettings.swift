/// The relying party of an app's passkeys. Source: WebAuthn Level 3 §4.
public struct PasskeySettings: Hashable, Sendable {
    /// The RP ID: a domain.
    public var relyingPartyID: String
    /// The name of the relying party, for display.
    public var relyingPartyName: String
    /// The origins that responses are accepted from, compared by bytes.
    public var origins: [String]
    /// The other apps with the same RP ID: a credential id is unique among the passkeys of all of them.
    public var otherApps: [AppName]

    /// Creates settings from their parts.
    public init(relyingPartyID: String, relyingPartyName: String, origins: [String], otherApps: [AppName] = []) {
        self.relyingPartyID = relyingPartyID
        self.relyingPartyName = relyingPartyName
        self.origins = origins
        self.otherApps = otherApps
    }

    /// The lifetime of a challenge, in seconds.
    static let challengeSeconds = 300
    /// The length of a user handle in bytes.
    static let userHandleBytes = 32
}
