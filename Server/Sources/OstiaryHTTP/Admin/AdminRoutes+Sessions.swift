import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    static let sessions = [
        AdminRoute(AdminAPI.listSessions) { request, query, _ in
            let sessions = try await request.app.sessions(of: request.account)
            return try request.page(sessions.map { AdminSession($0) }, query)
        },
        AdminRoute(AdminAPI.endSessions) { request, _, _ in
            _ = try await request.app.revokeAllSessions(of: request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.endSession) { request, _, _ in
            let session = try request.id("session") { (text) throws(FieldProblem) in try SessionID(text) }
            try await request.app.revokeSession(session, of: request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.listFactors) { request, query, _ in
            let factors = try await request.app.factors(of: request.account).factors
            return try request.page(factors.map { AdminFactor($0) }, query)
        },
        AdminRoute(AdminAPI.removeFactors) { request, _, _ in
            _ = try await request.app.resetFactors(of: request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.removeFactor) { request, _, _ in
            let factor = try request.id("factor") { (text) throws(FieldProblem) in try FactorID(text) }
            try await request.app.removeFactor(factor, of: request.account)
            return AdminEmpty()
        },
    ]
}

extension AdminSession {
    init(_ session: Session) {
        self.init()
        id = session.id.text
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        expiresAt = session.idleEndsAt
        address = session.address
        country = session.country
        userAgent = session.userAgent
        device = session.device.map { AdminDevice($0) }
        acr = session.authentication.events.isEmpty ? nil : session.authentication.level.rawValue
        amr = session.authentication.references
        actor = session.actor
    }
}

extension AdminDevice {
    init(_ device: DeviceInfo) {
        self.init()
        deviceID = device.deviceID
        platform = device.platform
        osVersion = device.osVersion
        appVersion = device.appVersion
    }
}

extension AdminRecognizedDevice {
    init(_ recognized: RecognizedDevice) {
        self.init()
        id = recognized.id.text
        createdAt = recognized.createdAt
        lastUsedAt = recognized.lastUsedAt
        expiresAt = recognized.expiresAt
        rememberedUntil = recognized.remembered?.until
        address = recognized.address
        userAgent = recognized.userAgent
        device = recognized.device.map { AdminDevice($0) }
    }
}

extension AdminFactor {
    init(_ factor: Factor) {
        self.init()
        id = factor.id.text
        type = factor.kind.rawValue
        name = factor.name
        createdAt = factor.createdAt
        lastUsedAt = factor.lastUsedAt
    }
}
