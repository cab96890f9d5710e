/// A change of an event endpoint, as a merge patch.
public struct AdminEventEndpointPatch: AdminValue {
    /// The URL.
    public var url: String?
    /// The types of the events.
    public var types: [String]?
    /// The additional fields of the events' data.
    public var include: [String]?
    /// The description for people.
    public var description: AdminChange<String> = .keep
    /// The email address that is told when the endpoint is disabled.
    public var contact: AdminChange<String> = .keep
    /// The state.
    public var state: AdminEventEndpointState?

    /// The name of the value's schema.
    public static let schemaName = "EventEndpointPatch"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventEndpointPatch>] = [
        .replaceable("url", \.url, .text(1, max: 2048, format: "uri")),
        .replaceable("types", \.types, .list(.text(1, max: 64), max: 64)),
        .replaceable("include", \.include, .list(.text(1, max: 64), max: 16)),
        .patch("description", \.description, .text(max: 500)),
        .patch("contact", \.contact, .text(1, max: 254, format: "email")),
        .replaceable("state", \.state, .name),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        url: String? = nil, types: [String]? = nil, include: [String]? = nil,
        description: AdminChange<String> = .keep, contact: AdminChange<String> = .keep,
        state: AdminEventEndpointState? = nil
    ) {
        self.url = url
        self.types = types
        self.include = include
        self.description = description
        self.contact = contact
        self.state = state
    }
}
