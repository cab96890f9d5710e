public import OstiaryCore

/// The signed-in person of a request, as an Ostiary server vouched for them.
public struct AuthenticatedUser: Hashable, Sendable {
    public var id: AccountID
    public var session: SessionID
    /// What the account may do, as of this request.
    public var roles: Set<String>

    public init(id: AccountID, session: SessionID, roles: Set<String>) {
        self.id = id
        self.session = session
        self.roles = roles
    }

    /// Returns `true` if one of ``roles`` has that name, byte by byte. `roles.contains` also finds a name that is only
    /// canonically equivalent.
    public func hasRole(_ name: String) -> Bool { roles.contains { $0.utf8.elementsEqual(name.utf8) } }
}
