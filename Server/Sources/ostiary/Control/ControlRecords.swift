import Foundation
import OstiaryCore
import OstiaryEngine

/// A session as commands show it.
struct SessionRecord: Codable, Sendable {
    var id: String
    var accountID: String
    var createdAt: Date
    var lastUsedAt: Date
    /// The time of its expiry unless it is used before.
    var idleEndsAt: Date
    var endsAt: Date
    var device: String?
    var address: String?
    var userAgent: String?

    init(_ session: Session) {
        id = session.id.text
        accountID = session.accountID.text
        createdAt = session.createdAt
        lastUsedAt = session.lastUsedAt
        idleEndsAt = session.idleEndsAt
        endsAt = session.endsAt
        let device = [session.device?.platform, session.device?.osVersion, session.device?.appVersion]
        self.device = device.contains { $0 != nil } ? device.compactMap { $0 }.joined(separator: " ") : nil
        address = session.address
        userAgent = session.userAgent
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case accountID = "account_id"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case idleEndsAt = "idle_ends_at"
        case endsAt = "ends_at"
        case device, address
        case userAgent = "user_agent"
    }
}

/// A signing key as commands show it, without key material.
struct KeyRecord: Codable, Sendable {
    var app: String
    var kid: String
    var algorithm: String
    var createdAt: Date
    /// Nil for the key in use.
    var retiresAt: Date?

    init(_ key: StoredSigningKey, of app: AppName) {
        self.app = app.text
        kid = key.kid
        algorithm = key.algorithm
        createdAt = key.createdAt
        retiresAt = key.retiresAt
    }

    private enum CodingKeys: String, CodingKey {
        case app, kid, algorithm
        case createdAt = "created_at"
        case retiresAt = "retires_at"
    }
}

/// An audit event as commands show it.
struct EventRecord: Codable, Sendable {
    var at: Date
    var app: String
    var action: String
    var outcome: String
    var account: String?
    var session: String?
    var identifier: String?
    var address: String?
    var userAgent: String?
    /// The operating system's user who ran a command.
    var actor: String?

    init(_ event: AuditEvent) {
        at = event.at
        app = event.app.text
        action = event.action
        outcome = event.outcome
        account = event.account?.text
        session = event.session?.text
        identifier = event.identifier
        address = event.address
        userAgent = event.userAgent
        actor = event.actor
    }

    private enum CodingKeys: String, CodingKey {
        case at, app, action, outcome, account, session, identifier, address, actor
        case userAgent = "user_agent"
    }
}
