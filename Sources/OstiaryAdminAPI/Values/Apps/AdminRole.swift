/// A role: a name for permissions.
public struct AdminRole: AdminValue {
    /// The name.
    public var name: String = ""
    /// The permissions that the role grants, such as `videos:write`, `videos:*` or `*`.
    public var permissions: [String] = []
    /// The place where the role is defined.
    public var source: AdminRoleSource = .api

    /// The name of the value's schema.
    public static let schemaName = "Role"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminRole>] = [
        .required("name", \.name, .text()),
        .required("permissions", \.permissions, .list(.text())),
        .required("source", \.source, .name),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
