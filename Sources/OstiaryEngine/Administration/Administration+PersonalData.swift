public import OstiaryCore

extension Administration {
    /// Returns everything that is kept about an account's owner. The export itself is audited.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    public func personalData(of id: AccountID) async throws -> PersonalData {
        let details = try await details(of: id)
        try await audit("users.personal-data", id)
        return PersonalData(
            exportedAt: now, account: details, sessions: try await sessionHistory(of: id),
            factors: try await ports.store.factors(of: id, in: app.name),
            devices: try await ports.store.devices(of: id, in: app.name, at: now),
            identities: identities(of: details.account),
            audit: try await auditHistory(of: id), messages: try await messages(of: details.account),
            signInOrigins: try await signInOrigins(of: id))
    }

    /// The number of rows that are read at once.
    private static let exportedRows = 500

    private func sessionHistory(of id: AccountID) async throws -> [Session] {
        var sessions: [Session] = []
        var position: Int?
        repeat {
            let page = try await ports.store.sessionHistory(
                of: id, in: app.name, after: position, limit: Self.exportedRows)
            sessions += page.map(\.session)
            position = page.count == Self.exportedRows ? page.last?.position : nil
        } while position != nil
        return sessions
    }

    private func auditHistory(of id: AccountID) async throws -> [RecordedEvent] {
        var events: [RecordedEvent] = []
        var position: AuditPosition?
        repeat {
            let (page, next) = try await auditEvents(
                of: id, order: .oldestFirst, after: position, limit: Self.exportedRows)
            events += page
            position = next
        } while position != nil
        return events
    }
}
