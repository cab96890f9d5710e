public import OstiaryCore

extension Administration {
    /// Returns everything that is kept about an account's owner. The export itself is audited. Audit events of a deleted account
    /// whose id an import gave to this one are left out.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    public func personalData(of id: AccountID) async throws -> PersonalData {
        let details = try await details(of: id)
        let start = try await startOfHistory(of: id)
        try await audit("users.personal-data", id)
        return PersonalData(
            exportedAt: now, account: details,
            sessions: PagedRows { (position: Int?) in
                let page = try await ports.store.sessionHistory(
                    of: id, in: app.name, after: position, limit: Self.exportedRows)
                return (page.map(\.session), page.count == Self.exportedRows ? page.last?.position : nil)
            },
            factors: try await ports.store.factors(of: id, in: app.name),
            devices: try await ports.store.devices(of: id, in: app.name, at: now),
            identities: identities(of: details.account),
            audit: PagedRows { (position: AuditPosition?) in
                try await auditEvents(of: id, order: .oldestFirst, after: position ?? start, limit: Self.exportedRows)
            },
            messages: PagedRows { (position: MessagePosition?) in
                try await messages(of: details.account, after: position, limit: Self.exportedRows)
            },
            signInOrigins: try await signInOrigins(of: id))
    }

    /// The number of rows that are read at once.
    private static let exportedRows = 500
}
