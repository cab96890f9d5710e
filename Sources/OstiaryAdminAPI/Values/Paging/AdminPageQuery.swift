/// The part of a list that is requested.
public struct AdminPageQuery: AdminValue {
    /// The maximum number of items in a page.
    public var limit: Int?
    /// The position after which the page begins.
    public var cursor: String?

    /// The name of the value's schema.
    public static let schemaName = "PageQuery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminPageQuery>] = [
        .optional("limit", \.limit, .pageLimit),
        .optional("cursor", \.cursor, .cursor),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(limit: Int? = nil, cursor: String? = nil) {
        self.limit = limit
        self.cursor = cursor
    }
}
