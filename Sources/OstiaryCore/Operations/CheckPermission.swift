/// Determines whether the account has a permission at this moment.
public struct CheckPermission: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>
    /// The permission.
    public var permission: Permission
    /// The scope in which the account needs it; nil for every scope.
    public var scope: PermissionScope?

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>, permission: Permission, scope: PermissionScope? = nil) {
        self.accessToken = accessToken
        self.permission = permission
        self.scope = scope
    }
}

extension CheckPermission {
    /// The result of the operation if it succeeds.
    public typealias Answer = PermissionDecision

    /// The description of this operation, ``OperationKind/checkPermission``.
    public static let description = OperationDescription(
        .checkPermission,
        summary: "Determines whether the account has a permission",
        authorization: .required,
        request: FieldSet([.permission], also: [.scope]),
        answer: FieldSet([.allowed]),
        attempts: .other,
        auditing: .never,
        endpoint: { _ in .post("/permissions/check") },
        takes: { _ in [.required(.permission), .optional(.scope)] },
        answers: { _ in .shape(.fields([.required(.allowed)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.permission, permission.text)
        fields.set(.scope, scope?.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            accessToken: try fields.bearer(),
            permission: try required(
                fields.parsed(.permission) { (text) throws(FieldProblem) in try Permission(text) }, .permission),
            scope: try fields.scope())
    }
}

/// The decision on a permission.
public struct PermissionDecision: Hashable, Sendable {
    /// `true` if the account has the permission.
    public var isAllowed: Bool

    /// Creates a decision.
    public init(isAllowed: Bool) { self.isAllowed = isAllowed }
}

extension PermissionDecision: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields[.allowed] = .flag(isAllowed)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(isAllowed: try required(fields.flag(.allowed), .allowed))
    }
}
