#if Hummingbird
public import Foundation
public import OstiaryCore

/// The authenticated user of a request, as an Ostiary server confirmed it.
public struct AuthenticatedUser: Hashable, Sendable {
    /// The account's id.
    public var id: AccountID
    /// The id of the session that the access token belongs to.
    public var session: SessionID
    /// The names of the account's roles, as of this request.
    public var roles: Set<String>
    /// The permissions that the account has in every scope, as of this request.
    public var permissions: [PermissionPattern]
    /// The level, the time and the methods of the authentication.
    public var authentication: SessionAuthentication

    /// The administrator who acts for the account: `key:ID` or `account:ID`; nil for the owner of the account.
    public var actor: String?

    /// Creates an authenticated user from its parts.
    ///
    /// - Parameter authentication: By default one of unknown time, which satisfies no maximum age.
    public init(
        id: AccountID, session: SessionID, roles: Set<String>, permissions: [PermissionPattern] = [],
        authentication: SessionAuthentication = SessionAuthentication(level: .aal1, time: .distantPast, methods: []),
        actor: String? = nil
    ) {
        self.id = id
        self.session = session
        self.roles = roles
        self.permissions = permissions
        self.authentication = authentication
        self.actor = actor
    }

    /// Returns `true` if one of ``roles`` has that name, compared byte by byte. `roles.contains` also matches a name
    /// that is only canonically equivalent.
    public func hasRole(_ name: String) -> Bool { roles.contains { $0.utf8.elementsEqual(name.utf8) } }
}
#endif
