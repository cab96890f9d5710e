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
    var idleEndsAt: Date?
    /// Nil where only the admin API is asked, which does not tell it.
    var endsAt: Date?
    var device: String?
    var address: String?
    /// The country of the address.
    var country: String?
    var userAgent: String?
    /// The administrator who acts in it.
    var actor: String?

    private enum CodingKeys: String, CodingKey {
        case id
        case accountID = "account_id"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case idleEndsAt = "idle_ends_at"
        case endsAt = "ends_at"
        case device, address, country, actor
        case userAgent = "user_agent"
    }
}

extension SessionRecord {
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
        country = session.country
        userAgent = session.userAgent
        actor = session.actor
    }
}
