import OstiaryAdminAPI
import OstiaryEngine

extension AdminRoutes {
    static let signingKeys = [
        AdminRoute(AdminAPI.listSigningKeys) { request, query, _ in
            let keys = try await request.app.signingKeys()
            return try request.page(keys.map { AdminSigningKey($0) }, query)
        },
        AdminRoute(AdminAPI.rotateSigningKey) { request, _, _ in
            AdminPage(try await request.app.rotateSigningKeys().map { AdminSigningKey($0) })
        },
    ]
}

extension AdminSigningKey {
    init(_ key: StoredSigningKey) {
        self.init()
        keyID = key.kid
        algorithm = key.algorithm
        state = key.state.rawValue
        createdAt = key.createdAt
        acceptedUntil = key.retiresAt
    }
}
