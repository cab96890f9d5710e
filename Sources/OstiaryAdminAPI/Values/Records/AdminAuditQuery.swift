public import Foundation

/// The filters of the audit log.
public struct AdminAuditQuery: AdminValue {
    /// The name of the app.
    public var app: String?
    /// The identifier of an account; needs ``app``.
    public var account: String?
    /// The operation.
    public var action: String?
    /// The result.
    public var outcome: String?
    /// The beginning of the period.
    public var since: Date?
    /// The end of the period, which does not belong to it.
    public var until: Date?
    /// The maximum number of events in a page.
    public var limit: Int?
    /// The position after which the page begins.
    public var cursor: String?

    /// The name of the value's schema.
    public static let schemaName = "AuditQuery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminAuditQuery>] = [
        .optional("app", \.app, .app),
        .optional("account", \.account, .id),
        .optional("action", \.action, .text(1, max: 64)),
        .optional("outcome", \.outcome, .text(1, max: 64)),
        .optional("since", \.since, .time),
        .optional("until", \.until, .time),
        .optional("limit", \.limit, .pageLimit),
        .optional("cursor", \.cursor, .cursor),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        app: String? = nil, account: String? = nil, action: String? = nil, outcome: String? = nil, since: Date? = nil,
        until: Date? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.app = app
        self.account = account
        self.action = action
        self.outcome = outcome
        self.since = since
        self.until = until
        self.limit = limit
        self.cursor = cursor
    }
}
