public import OstiaryAdminAPI

extension AdminClient {
    /// Lists events of the audit log, the newest first.
    public func auditEvents(_ query: AdminAuditQuery = AdminAuditQuery()) -> AdminList<AdminAuditEvent> {
        list(AdminAPI.listAuditEvents, query)
    }

    /// Returns statistics of the sign-ins and registrations of an app.
    ///
    /// - Throws: ``AdminError``.
    public func statistics(_ query: AdminStatisticsQuery) async throws(AdminError) -> AdminStatistics {
        try await perform(AdminAPI.getStatistics, query: query)
    }

    /// Lists messages to people, the newest first.
    public func messages(_ query: AdminMessageQuery = AdminMessageQuery()) -> AdminList<AdminMessage> {
        list(AdminAPI.listMessages, query)
    }

    /// Sends a failed message again.
    ///
    /// - Throws: ``AdminError``.
    public func retryMessage(_ id: String) async throws(AdminError) {
        _ = try await perform(AdminAPI.retryMessage, path: [id])
    }
}
