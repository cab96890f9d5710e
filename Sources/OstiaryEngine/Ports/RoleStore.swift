/// A store of the roles that are made through the administration.
public protocol RoleStore: Sendable {
    /// Returns roles of an app in the order of their names, beginning after `name`.
    ///
    /// - Returns: At most `limit`.
    func roles(in app: AppName, after name: String?, limit: Int) async throws -> [StoredRole]

    /// Returns the roles of an app that have one of the names.
    func roles(named names: [String], in app: AppName) async throws -> [StoredRole]

    /// Adds a role, unless the app has one of that name, or `limit` of them.
    func add(_ role: StoredRole, limit: Int) async throws -> RoleAddition

    /// Replaces the permissions of a role.
    ///
    /// - Parameter previous: The role that is replaced (compare-and-set); nil to replace whatever the permissions are.
    /// - Returns: `false` if the app has no role of that name, or it is neither `previous` nor `role` already, which a repetition
    ///   finds.
    func replace(_ role: StoredRole, from previous: StoredRole?) async throws -> Bool

    /// Deletes a role. Its assignments stay, and grant nothing.
    ///
    /// - Returns: `false` if the app has no role of that name.
    func removeRole(_ name: String, in app: AppName) async throws -> Bool
}

/// The outcome of adding a role.
public enum RoleAddition: Hashable, Sendable {
    /// The role was added.
    case added
    /// The app has a role of that name.
    case exists
    /// The app has the maximum number of roles.
    case limitReached
}
