/// The filters of a list of event endpoints.
public struct AdminEventEndpointQuery: AdminValue {
    /// The name of the app.
    public var app: String?
    /// The maximum number of endpoints in a page.
    public var limit: Int?
    /// The position after which the page begins.
    public var cursor: String?

    /// The name of the value's schema.
    public static let schemaName = "EventEndpointQuery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventEndpointQuery>] = [
        .optional("app", \.app, .app), .optional("limit", \.limit, .pageLimit),
        .optional("cursor", \.cursor, .cursor),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(app: String? = nil, limit: Int? = nil, cursor: String? = nil) {
        self.app = app
        self.limit = limit
        self.cursor = cursor
    }
}
