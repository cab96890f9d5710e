/// An identity provider that an app accepts.
public struct AdminIdentitySource: AdminValue {
    /// The name in the server's configuration.
    public var name: String = ""
    /// The kind, such as `oidc` or `google`.
    public var kind: String = ""

    /// The name of the value's schema.
    public static let schemaName = "IdentitySource"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminIdentitySource>] = [
        .required("name", \.name, .text()),
        .required("kind", \.kind, .text()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
