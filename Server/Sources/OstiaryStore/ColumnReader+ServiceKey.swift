import Foundation
import OstiaryEngine

extension ColumnReader {
    static var serviceKeyColumns: String {
        "id, name, hash, scopes, apps, networks, created_at, expires_at, last_used_at, revoked_at"
    }

    /// Reads ``serviceKeyColumns``. A scope that this version does not know grants nothing and is left out; an app or a
    /// network that cannot be read is an error, since without it the key would have more rights.
    mutating func serviceKey() throws -> ServiceKey {
        let (id, name, hash) = (try value(ServiceKeyID.init), try text(), try bytes())
        let scopes = try list().compactMap { AdministrationScope(rawValue: $0) }
        let apps = try list().map { name in
            guard let app = try? AppName(name) else { throw mismatch }
            return app
        }
        let networks = try list().map { text in
            guard let range = AddressRange(text) else { throw mismatch }
            return range
        }
        return ServiceKey(
            id: id, name: name, hash: hash, scopes: scopes, apps: apps, networks: networks, createdAt: try date(),
            expiresAt: try optionalDate(), lastUsedAt: try optionalDate(), revokedAt: try optionalDate())
    }

    private mutating func list() throws -> [String] { try text().split(separator: " ").map(String.init) }
}

extension ServiceKey {
    /// The columns of lists: texts without spaces, separated by spaces.
    var scopeList: String { scopes.map(\.rawValue).joined(separator: " ") }
    var appList: String { apps.map(\.text).joined(separator: " ") }
    var networkList: String { networks.map(\.description).joined(separator: " ") }
}
