public import Foundation
public import OstiaryCore

/// A change of an account, a session or a factor, which the store recorded in the transaction of the change.
public struct AccountEvent: Hashable, Sendable {
    /// The event's id, which is the `webhook-id` of all requests that send it: 32 hexadecimal digits.
    public var id: String
    /// The type of the event; a type that this program does not know is sent as it is.
    public var type: String
    /// The app of the account.
    public var app: AppName
    /// The account; `nil` for ``EventType/test``.
    public var account: AccountID?
    /// The session that the event concerns; `nil` if it concerns none.
    public var session: SessionID?
    /// The administrator who made the change, see ``ChangeActor``; `nil` for a change by the account itself or by the server.
    public var actor: String?
    /// The time at which the store recorded the event.
    public var at: Date
    /// The account's fields after the change, before it for a deletion.
    public var snapshot: EventSnapshot
    /// Further facts about the change.
    public var details: EventDetails

    /// Creates an event from its parts.
    public init(
        id: String, type: String, app: AppName, account: AccountID?, session: SessionID? = nil, actor: String? = nil,
        at: Date, snapshot: EventSnapshot = EventSnapshot(), details: EventDetails = EventDetails()
    ) {
        self.id = id
        self.type = type
        self.app = app
        self.account = account
        self.session = session
        self.actor = actor
        self.at = at
        self.snapshot = snapshot
        self.details = details
    }
}

/// The fields of an account in an event. In the databases a JSON object with these names, which triggers write.
public struct EventSnapshot: Codable, Hashable, Sendable {
    /// The email address.
    public var email: String?
    /// `true` if the address is the owner's.
    public var emailVerified: Bool?
    /// The username.
    public var username: String?
    /// The phone number.
    public var phoneNumber: String?
    /// `true` if the number is the owner's; `nil` where the app's rules decide.
    public var phoneNumberVerified: Bool?
    /// The owner's name.
    public var fullName: String?
    /// The attributes that the app declares, and what is left of others.
    public var attributes: [String: AttributeValue]?
    /// The assigned roles: `ROLE`, or `ROLE@SCOPE`.
    public var roles: [String]?

    private enum CodingKeys: String, CodingKey {
        case email, username, roles, attributes
        case emailVerified = "email_verified"
        case phoneNumber = "phone_number"
        case phoneNumberVerified = "phone_number_verified"
        case fullName = "full_name"
    }

    /// Creates a snapshot without fields.
    public init() {}

    /// Creates the snapshot of an account.
    public init(_ account: Account) {
        email = account.email?.text
        emailVerified = account.isEmailVerified
        username = account.username?.text
        phoneNumber = account.phoneNumber?.e164
        phoneNumberVerified = account.isPhoneNumberVerified
        fullName = account.fullName?.text
        attributes = account.attributes
        roles = account.assignments.map(\.text)
    }
}

/// Further facts about a change. In the databases a JSON object with these names, which triggers write.
public struct EventDetails: Codable, Hashable, Sendable {
    /// The fields that ``EventType/accountUpdated`` changed.
    public var changed: [String]?
    /// The reason for which a session was revoked, see `Revocation.Reason`.
    public var reason: String?
    /// The factor that was added or removed.
    public var factor: Factor?
    /// The kind of the provider of the account or the identity.
    public var provider: String?
    /// The operation that was refused.
    public var operation: String?
    /// The code of the refusal.
    public var code: String?

    /// A factor in an event.
    public struct Factor: Codable, Hashable, Sendable {
        /// The factor's id.
        public var id: String
        /// The factor's kind.
        public var type: String

        /// Creates a factor from its parts.
        public init(id: String, type: String) {
            self.id = id
            self.type = type
        }
    }

    /// Creates details from their parts.
    public init(
        changed: [String]? = nil, reason: String? = nil, factor: Factor? = nil, provider: String? = nil,
        operation: String? = nil, code: String? = nil
    ) {
        self.changed = changed
        self.reason = reason
        self.factor = factor
        self.provider = provider
        self.operation = operation
        self.code = code
    }
}
