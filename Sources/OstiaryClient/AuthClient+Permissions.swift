public import OstiaryCore
import Synchronization

extension AuthClient {
    // MARK: Permissions

    /// Returns the account's permissions, as its roles grant them at this moment, and keeps them for ``can(_:in:)``.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    @discardableResult
    public func permissions() async throws(ClientError) -> PermissionList {
        let (list, session) = try await authorized { ListPermissions(accessToken: $0) }
        keptPermissions.withLock { $0 = (session, list) }
        return list
    }

    /// Returns `true` if the account has a permission, to show or hide what depends on it. The server decides again when the
    /// user acts.
    ///
    /// The permissions are requested once for each session; ``permissions()`` requests them again.
    ///
    /// - Parameters:
    ///   - permission: The permission: `resource:action`, such as `videos:write`.
    ///   - scope: The scope, such as `project:42`; nil for every scope.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.invalid` for a text that is no permission or no scope, before
    ///   anything is sent; ``ClientError/notSignedIn``, ``ClientError/locked``, or the failure of the request.
    public func can(_ permission: String, in scope: String? = nil) async throws(ClientError) -> Bool {
        let permission = try parsed(.permission, permission, Permission.init)
        var known: PermissionScope?
        if let scope { known = try parsed(.scope, scope, PermissionScope.init) }
        let session = try await keeper.token().session
        let kept = keptPermissions.withLock { $0.flatMap { $0.session == session ? $0.list : nil } }
        if let kept { return kept.allows(permission, in: known) }
        return try await permissions().allows(permission, in: known)
    }
}
