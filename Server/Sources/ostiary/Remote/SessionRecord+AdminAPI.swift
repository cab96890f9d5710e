import OstiaryAdmin

extension SessionRecord {
    init(_ session: AdminSession, of account: String) {
        let device = [session.device?.platform, session.device?.osVersion, session.device?.appVersion].compactMap(
            \.self)
        self.init(
            id: session.id, accountID: account, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
            idleEndsAt: session.expiresAt, device: device.isEmpty ? nil : device.joined(separator: " "),
            address: session.address, country: session.country, userAgent: session.userAgent)
    }
}
