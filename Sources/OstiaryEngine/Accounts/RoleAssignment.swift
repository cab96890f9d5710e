public import OstiaryCore

/// A role that is assigned to an account, in one scope or in every scope.
///
/// Its text is `ROLE`, or `ROLE@SCOPE`.
public struct RoleAssignment: Hashable, Sendable {
    /// The name of the role.
    public let role: String
    /// The scope in which the account has the role; nil for every scope.
    public let scope: PermissionScope?

    /// The maximum length of a role's name, in bytes.
    public static let maximumRoleBytes = 64

    /// Creates an assignment from its parts.
    ///
    /// - Throws: ``AdministrationProblem`` for a role that is not 1 to 64 letters, digits, `.`, `_`, `:` or `-`: roles are sent
    ///   in a header, separated by commas.
    public init(role: String, scope: PermissionScope? = nil) throws(AdministrationProblem) {
        guard Self.isRole(role) else {
            throw AdministrationProblem.invalid("roles", "malformed", "a role is \(Self.form)")
        }
        self.init(stored: role, scope: scope)
    }

    /// Creates an assignment from its text.
    ///
    /// - Throws: ``AdministrationProblem`` for a malformed role or scope.
    public init(_ text: String) throws(AdministrationProblem) {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        var scope: PermissionScope?
        if parts.count > 1 {
            do { scope = try PermissionScope(String(Substring(parts[1]))) } catch {
                throw AdministrationProblem.invalid(
                    "roles", "malformed",
                    "the scope of a role is 1 to 128 letters, digits, '_', '.', ':', '/' or '-'")
            }
        }
        try self.init(role: parts.first.map { String(Substring($0)) } ?? "", scope: scope)
    }

    /// The form of a role's name, for messages.
    public static let form = "1 to 64 letters, digits, '.', '_', ':' or '-', and not '.' or '..'"

    /// Creates an assignment of a role that was checked when it was stored.
    init(stored role: String, scope: PermissionScope? = nil) {
        self.role = role
        self.scope = scope
    }

    /// Returns the assignments of texts without duplicates, sorted.
    ///
    /// - Throws: ``AdministrationProblem`` for a malformed role or scope.
    public static func read(_ texts: [String]) throws(AdministrationProblem) -> [RoleAssignment] {
        var assignments: Set<RoleAssignment> = []
        for text in texts { assignments.insert(try RoleAssignment(text)) }
        return assignments.sorted()
    }

    /// The text: `ROLE`, or `ROLE@SCOPE`.
    public var text: String { scope.map { "\(role)@\($0.text)" } ?? role }

    /// Returns `true` for 1 to 64 letters, digits, `.`, `_`, `:` or `-`. The segments `.` and `..` of a path address no role. Source:
    /// RFC 3986 §3.3.
    public static func isRole(_ name: String) -> Bool {
        (1...maximumRoleBytes).contains(name.utf8.count) && name != "." && name != ".."
            && name.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "._:-".utf8.contains($0)
            }
    }
}

extension RoleAssignment: Comparable {
    /// Orders assignments by their text.
    public static func < (left: RoleAssignment, right: RoleAssignment) -> Bool { left.text < right.text }
}
