import OstiaryAdmin
import OstiaryEngine

extension RemoteControl {
    /// The maximum number of audit events that one command prints: they are sorted before.
    private static let maximumEvents = 200_000

    /// Performs a command on the sessions and the factors of an account.
    func performOnSecurity(_ command: ControlCommand, in app: String) async throws -> ControlReply {
        switch command {
        case .listSessions(let who):
            let id = try await account(who, in: app).id
            return .sessions(try await all(admin.sessions(of: id, in: app)).map { SessionRecord($0, of: id) })
        case .revokeAllSessions(let who):
            let id = try await account(who, in: app).id
            let count = try await all(admin.sessions(of: id, in: app)).count
            try await admin.endSessions(of: id, in: app)
            return .revoked(count: count)
        case .listFactors(let who):
            let id = try await account(who, in: app).id
            return .factors(
                try await all(admin.factors(of: id, in: app)).map { FactorRecord($0) }, recoveryCodesLeft: nil)
        case .resetFactors(let who):
            let account = try await account(who, in: app)
            let count = try await all(admin.factors(of: account.id, in: app)).count
            try await admin.removeFactors(of: account.id, in: app)
            return .factorsRemoved(AccountRecord(account), count: count)
        default: throw ControlReply.unexpected
        }
    }

    private func all<Item>(_ list: AdminList<Item>) async throws(AdminError) -> [Item] {
        var items: [Item] = []
        for try await item in list { items.append(item) }
        return items
    }
}
