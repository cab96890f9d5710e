public import Foundation

/// Everything that the server keeps about a person and can read. Source: GDPR Art. 15 and 20.
///
/// Keyed hashes, such as those of known networks and counted attempts, name no person and are left out, as are secrets. What grows
/// with the account's history is read when it is wanted.
public struct PersonalData: Sendable {
    /// The time of the export.
    public var exportedAt: Date
    /// The account.
    public var account: AccountDetails
    /// The sessions in the order in which they were opened, those that have ended too.
    public var sessions: PagedRows<Session>
    /// The second factors, and the number of unused recovery codes.
    public var factors: EnrolledFactors
    /// The devices that the account recognizes, the most recently used first.
    public var devices: [RecognizedDevice]
    /// The accounts of identity providers.
    public var identities: [LinkedIdentity]
    /// The events of the audit log that concern the account, the oldest first.
    public var audit: PagedRows<RecordedEvent>
    /// The messages to the account's present addresses, the newest first.
    public var messages: PagedRows<Message>
    /// The origins of sign-ins that later ones are compared with.
    public var signInOrigins: [SignInOrigin]

    /// Creates the data from its parts.
    public init(
        exportedAt: Date, account: AccountDetails, sessions: PagedRows<Session>, factors: EnrolledFactors,
        devices: [RecognizedDevice], identities: [LinkedIdentity], audit: PagedRows<RecordedEvent>,
        messages: PagedRows<Message>, signInOrigins: [SignInOrigin] = []
    ) {
        self.exportedAt = exportedAt
        self.account = account
        self.sessions = sessions
        self.factors = factors
        self.devices = devices
        self.identities = identities
        self.audit = audit
        self.messages = messages
        self.signInOrigins = signInOrigins
    }
}
