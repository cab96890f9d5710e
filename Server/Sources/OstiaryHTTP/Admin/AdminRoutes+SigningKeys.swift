import Foundation
import OstiaryAdminAPI
import OstiaryEngine

extension AdminRoutes {
    static let signingKeys = [
        AdminRoute(AdminAPI.listSigningKeys) { request, query, _ in
            let keys = try await request.app.signingKeys()
            return try request.page(AdminSigningKey.list(keys, at: request.server.server.system.now()), query)
        },
        AdminRoute(AdminAPI.rotateSigningKey) { request, _, _ in
            AdminPage(
                AdminSigningKey.list(try await request.app.rotateSigningKeys(), at: request.server.server.system.now()))
        },
    ]
}

extension AdminSigningKey {
    fileprivate static func list(_ keys: [StoredSigningKey], at now: Date) -> [AdminSigningKey] {
        keys.map { AdminSigningKey($0, $0.state(at: now, among: keys)) }
    }

    private init(_ key: StoredSigningKey, _ state: StoredSigningKey.State) {
        self.init()
        keyID = key.kid
        algorithm = key.algorithm
        self.state = state.rawValue
        createdAt = key.createdAt
        acceptedUntil = key.retiresAt
    }
}
