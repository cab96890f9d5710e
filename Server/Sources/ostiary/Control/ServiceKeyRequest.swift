import Foundation
import OstiaryEngine

/// The description of a service key that is to be created, as a command sends it.
struct ServiceKeyRequest: Codable, Sendable {
    var name: String
    var scopes: [String]
    var apps: [String]
    var networks: [String]
    var expiresAt: Date?

    var newKey: NewServiceKey {
        NewServiceKey(name: name, scopes: scopes, apps: apps, networks: networks, expiresAt: expiresAt)
    }
}
