/// The filters of a list of deliveries.
public struct AdminEventDeliveryQuery: AdminValue {
    /// The name of the app.
    public var app: String?
    /// The identifier of the endpoint.
    public var endpoint: String?
    /// The state.
    public var state: AdminEventDeliveryState?
    /// The maximum number of deliveries in a page.
    public var limit: Int?
    /// The position after which the page begins.
    public var cursor: String?

    /// The name of the value's schema.
    public static let schemaName = "EventDeliveryQuery"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventDeliveryQuery>] = [
        .optional("app", \.app, .app), .optional("endpoint", \.endpoint, .id),
        .optional("state", \.state, .name),
        .optional("limit", \.limit, .pageLimit),
        .optional("cursor", \.cursor, .cursor),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        app: String? = nil, endpoint: String? = nil, state: AdminEventDeliveryState? = nil, limit: Int? = nil,
        cursor: String? = nil
    ) {
        self.app = app
        self.endpoint = endpoint
        self.state = state
        self.limit = limit
        self.cursor = cursor
    }
}
