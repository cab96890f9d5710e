public import Foundation
public import OstiaryContracts

/// An event of the audit log.
public struct AdminAuditEvent: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The time of the event.
    public var at: Date = Date(timeIntervalSince1970: 0)
    /// The name of the app; nil for an event of the server.
    public var app: String?
    /// The administrator, such as `key:ID`, `account:ID` or `cli:USER`; nil for an act of the owner.
    public var actor: String?
    /// The operation, such as `signIn`.
    public var action: String = ""
    /// The result: `ok` or the code of a refusal.
    public var outcome: String = ""
    /// The identifier of the account.
    public var account: String?
    /// The identifier of the session.
    public var session: String?
    /// The masked email address, username or phone number.
    public var identifier: String?
    /// The network address of the client.
    public var address: String?
    /// The client's `User-Agent` header.
    public var userAgent: String?
    /// Further facts, which depend on the operation.
    public var details: [String: JSON] = [:]

    /// The name of the value's schema.
    public static let schemaName = "AuditEvent"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminAuditEvent>] = [
        .required("id", \.id, .text()),
        .required("at", \.at, .time),
        .nullable("app", \.app, .app),
        .nullable("actor", \.actor, .text()),
        .required("action", \.action, .text()),
        .required("outcome", \.outcome, .text()),
        .nullable("account", \.account, .text()),
        .nullable("session", \.session, .text()),
        .nullable("identifier", \.identifier, .text()),
        .nullable("address", \.address, .text()),
        .nullable("user_agent", \.userAgent, .text()),
        .required("details", \.details, .values),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
