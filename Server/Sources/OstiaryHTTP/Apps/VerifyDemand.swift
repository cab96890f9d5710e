import OstiaryContracts
import OstiaryCore

/// The conditions of a reverse proxy at `/verify`, besides a valid token.
struct VerifyDemand {
    /// The required role; nil for any account.
    private(set) var role: String?
    /// The required level of the authentication, `acr`; nil for any.
    private(set) var level: AuthenticationLevel?
    /// The maximum age of the authentication, `max_age`, in seconds; nil for any age.
    private(set) var maximumAgeSeconds: Int?
    /// The required permissions.
    private(set) var permissions: [Permission] = []
    /// The scope in which the account needs ``permissions``; nil for every scope.
    private(set) var scope: PermissionScope?

    private static let maximumPermissions = 16

    /// - Returns: Nil for an unknown, empty or malformed parameter, and for one that is repeated, except `permission`: it is not
    ///   ignored, since the proxy would then admit every account with a valid token.
    init?(query: String) {
        guard !query.isEmpty else { return }
        guard query.utf8.first != UInt8(ascii: "&"), query.utf8.last != UInt8(ascii: "&") else { return nil }
        var parameters = ParameterReader(query)
        while let parameter = parameters.next() {
            guard case .named(let name, let value) = parameter else { return nil }
            switch name {
            case "role" where role == nil && !value.isEmpty: role = value
            case "acr" where level == nil:
                guard value.utf8.count <= 8, let known = AuthenticationLevel(rawValue: value) else {
                    return nil
                }
                level = known
            case "max_age" where maximumAgeSeconds == nil:
                guard let seconds = Self.seconds(value) else { return nil }
                maximumAgeSeconds = seconds
            case "permission" where permissions.count < Self.maximumPermissions:
                guard let permission = try? Permission(value) else { return nil }
                permissions.append(permission)
            case "scope" where scope == nil:
                guard let known = try? PermissionScope(value) else { return nil }
                scope = known
            default: return nil
            }
        }
        // Alone it would restrict nothing.
        guard scope == nil || !permissions.isEmpty else { return nil }
    }

    /// Reads whole seconds of at most nine digits.
    private static func seconds(_ text: String) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
