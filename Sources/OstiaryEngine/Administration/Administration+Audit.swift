public import OstiaryCore

extension Administration {
    /// Returns a page of the audit events that concern an account, even one that was deleted.
    ///
    /// - Returns: At most `limit` events, and the position of the last; the position is `nil` if there are no more.
    public func auditEvents(
        of id: AccountID, order: AuditQuery.Order = .newestFirst, after position: AuditPosition? = nil, limit: Int
    ) async throws -> (page: [RecordedEvent], position: AuditPosition?) {
        let query = try AuditQuery(apps: [app.name], account: id, order: order)
        return try await ports.store.events(query, after: position, limit: limit)
    }
}
