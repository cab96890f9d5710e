/// The body of a refusal. Source: RFC 9457.
public struct AdminProblemDetails: AdminValue {
    /// The URI of the problem's type.
    public var type: String = ""
    /// The summary of the problem's type, in English.
    public var title: String = ""
    /// The HTTP status.
    public var status: Int = 0
    /// The stable, machine-readable name of the problem.
    public var code: String = ""
    /// The explanation of this occurrence.
    public var detail: String?
    /// The path of the request.
    public var instance: String?
    /// The scope that the key lacks.
    public var scope: String?
    /// The problems of members and parameters.
    public var errors: [AdminFieldError]?
    /// The number of seconds after which the request can succeed.
    public var retryAfter: Int?
    /// The identifier under which the server's log explains the failure.
    public var incident: String?

    /// The name of the value's schema.
    public static let schemaName = "Problem"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminProblemDetails>] = [
        .required("type", \.type, .text(max: 1024, format: "uri-reference")),
        .required("title", \.title, .text()),
        .required("status", \.status, .integer(100...599)),
        .required("code", \.code, .text(max: 64)),
        .optional("detail", \.detail, .text()),
        .optional("instance", \.instance, .text()),
        .optional("scope", \.scope, .text()),
        .optional("errors", \.errors, .list(.object)),
        .optional("retry_after", \.retryAfter, .integer()),
        .optional("incident", \.incident, .text()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
