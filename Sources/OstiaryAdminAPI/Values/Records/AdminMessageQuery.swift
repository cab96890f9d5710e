/// The filters of a list of messages.
public struct AdminMessageQuery: AdminValue {
    /// The name of the app.
    public var app: String?
    /// The state of their delivery.
    public var state: AdminMessageState?
    /// The maximum number of messages in a page.
    public var limit: Int?
    /// The position after which the page begins.
    public var cursor: String?

    /// The name of the value's schema.
    public static let schemaName = "MessageQuery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminMessageQuery>] = [
        .optional("app", \.app, .app), .optional("state", \.state, .name),
        .optional("limit", \.limit, .pageLimit),
        .optional("cursor", \.cursor, .cursor),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        app: String? = nil, state: AdminMessageState? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
        self.app = app
        self.state = state
        self.limit = limit
        self.cursor = cursor
    }
}
