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
}
