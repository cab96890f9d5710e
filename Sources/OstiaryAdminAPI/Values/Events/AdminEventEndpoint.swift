public import Foundation
public import OstiaryCore

/// A URL that receives events.
public struct AdminEventEndpoint: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The URL.
    public var url: String = ""
    /// The app whose events it receives.
    public var app: String = ""
    /// The types of the events; empty for all.
    public var types: [String] = []
    /// The additional fields of the events' data.
    public var include: [String] = []
    /// The description for people.
    public var description: String?
    /// The email address that is told when the endpoint is disabled.
    public var contact: String?
    /// The state.
    public var state: AdminEventEndpointState = .enabled
    /// The time of creation.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the last successful delivery.
    public var lastSuccessAt: Date?
    /// The time since which every delivery has failed.
    public var failingSince: Date?
    /// The secret that signs the events, at its creation only.
    public var secret: Secret<String>?

    /// The name of the value's schema.
    public static let schemaName = "EventEndpoint"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventEndpoint>] = [
        .required("id", \.id, .id),
        .required("url", \.url, .text(format: "uri")),
        .required("app", \.app, .app),
        .required("types", \.types, .list(.text())),
        .required("include", \.include, .list(.text())),
        .nullable("description", \.description, .text()),
        .nullable("contact", \.contact, .text()),
        .required("state", \.state, .name),
        .required("created_at", \.createdAt, .time),
        .nullable("last_success_at", \.lastSuccessAt, .time),
        .nullable("failing_since", \.failingSince, .time),
        .optional("secret", \.secret, .secret),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
