public import Foundation

/// The filters of a list of accounts.
public struct AdminAccountQuery: AdminValue {
    /// The beginning of an email address, username, phone number, name or id.
    public var text: String?
    /// A role that the accounts have.
    public var role: String?
    /// `false` for disabled accounts only, `true` for the others.
    public var isActive: Bool?
    /// The kind of an identity provider.
    public var provider: String?
    /// The kind of a second factor.
    public var factor: String?
    /// The time after which the accounts were created.
    public var createdAfter: Date?
    /// The maximum number of accounts in a page.
    public var limit: Int?
    /// The position after which the page begins.
    public var cursor: String?

    /// The name of the value's schema.
    public static let schemaName = "AccountQuery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminAccountQuery>] = [
        .optional("q", \.text, .text(1, max: 254)),
        .optional("role", \.role, .text(1, max: 64)),
        .optional("active", \.isActive, .flag),
        .optional("provider", \.provider, .text(1, max: 64)),
        .optional("factor", \.factor, .text(1, max: 64)),
        .optional("created_after", \.createdAfter, .time),
        .optional("limit", \.limit, .pageLimit),
        .optional("cursor", \.cursor, .cursor),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        text: String? = nil, role: String? = nil, isActive: Bool? = nil, provider: String? = nil, factor: String? = nil,
        createdAfter: Date? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.text = text
        self.role = role
        self.isActive = isActive
        self.provider = provider
        self.factor = factor
        self.createdAfter = createdAfter
        self.limit = limit
        self.cursor = cursor
    }
}
