/// A new URL that receives events.
public struct AdminEventEndpointCreation: AdminValue {
    /// The URL: `https`, or `http` to loopback in development.
    public var url: String = ""
    /// The app whose events it receives.
    public var app: String = ""
    /// The types of the events, such as `account.created`; nil for all.
    public var types: [String]?
    /// The additional fields of the events' data, such as `email`.
    public var include: [String]?
    /// The description for people.
    public var description: String?
    /// The email address that is told when the endpoint is disabled.
    public var contact: String?

    /// The name of the value's schema.
    public static let schemaName = "EventEndpointCreation"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventEndpointCreation>] = [
        .required("url", \.url, .text(1, max: 2048, format: "uri")),
        .required("app", \.app, .app),
        .optional("types", \.types, .list(.text(1, max: 64), max: 64)),
        .optional("include", \.include, .list(.text(1, max: 64), max: 16)),
        .optional("description", \.description, .text(max: 500)),
        .optional("contact", \.contact, .text(1, max: 254, format: "email")),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        url: String, app: String, types: [String]? = nil, include: [String]? = nil, description: String? = nil,
        contact: String? = nil
    ) {
        self.url = url
        self.app = app
        self.types = types
        self.include = include
        self.description = description
        self.contact = contact
    }
}
