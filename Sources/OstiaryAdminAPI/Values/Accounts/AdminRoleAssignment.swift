/// A role of an account, with the part of the app's data to which it is limited.
public struct AdminRoleAssignment: AdminValue {
    /// The name of the role.
    public var role: String = ""
    /// The scope; nil for every scope.
    public var scope: String?

    /// The name of the value's schema.
    public static let schemaName = "RoleAssignment"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminRoleAssignment>] = [
        .required("role", \.role, .text(1, max: 64)),
        .nullable("scope", \.scope, .scope),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates an assignment from its parts.
    public init(_ role: String, scope: String? = nil) {
        self.role = role
        self.scope = scope
    }
}
