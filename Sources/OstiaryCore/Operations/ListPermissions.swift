/// Returns the account's permissions, as its roles grant them at this moment.
public struct ListPermissions: AuthOperation {
    /// The access token of the session that makes the request.
    public var accessToken: Secret<String>

    /// Creates the operation from its parts.
    public init(accessToken: Secret<String>) {
        self.accessToken = accessToken
    }
}

extension ListPermissions {
    /// The result of the operation if it succeeds.
    public typealias Answer = PermissionList

    /// The description of this operation, ``OperationKind/listPermissions``.
    public static let description = OperationDescription(
        .listPermissions,
        summary: "Lists the account's permissions",
        authorization: .required,
        request: FieldSet([]),
        answer: FieldSet([.permissions]),
        attempts: .other,
        auditing: .never,
        endpoint: { _ in .get("/permissions") },
        takes: { _ in [] },
        answers: { _ in .shape(.fields([.required(.permissions)])) })

    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}

/// The permissions of an account.
public struct PermissionList: Hashable, Sendable {
    /// The grants: those for every scope first, then by scope and text.
    public var grants: [GrantedPermission]

    /// Creates a list from its grants.
    public init(_ grants: [GrantedPermission] = []) { self.grants = grants }

    /// Returns `true` if a grant contains a permission in a scope; without a scope, only a grant for every scope does.
    public func allows(_ permission: Permission, in scope: PermissionScope? = nil) -> Bool {
        grants.contains { $0.allows(permission, in: scope) }
    }
}

extension PermissionList: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields[.permissions] = .list(grants.map(\.fields))
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard case .list(let entries) = fields[.permissions] else { throw .invalid(.permissions, .missing) }
        var grants: [GrantedPermission] = []
        for entry in entries { grants.append(try GrantedPermission(entry)) }
        self.init(grants)
    }
}
