import OstiaryCore

extension AdminAPI {
    /// Lists events of the audit log, the newest first.
    public static let listAuditEvents = AdminEndpoint(
        "listAuditEvents", .get, "/audit", .auditRead, "Lists events of the audit log, the newest first",
        query: AdminAuditQuery.self, answer: AdminPage<AdminAuditEvent>.self, answersLines: true)
    /// Returns statistics of sign-ins.
    public static let getStatistics = AdminEndpoint(
        "getStatistics", .get, "/stats", .statsRead, "Returns statistics of sign-ins and registrations",
        query: AdminStatisticsQuery.self, answer: AdminStatistics.self)
    /// Lists messages to people, the newest first.
    public static let listMessages = AdminEndpoint(
        "listMessages", .get, "/messages", .messagesRead, "Lists messages to people, the newest first",
        query: AdminMessageQuery.self, answer: AdminPage<AdminMessage>.self)
    /// Sends a failed message again.
    public static let retryMessage = AdminEndpoint(
        "retryMessage", .post, "/messages/{message}/retry", .messagesWrite, "Sends a failed message again", status: 202)

    static let recordOperations = [
        listAuditEvents.operation, getStatistics.operation, listMessages.operation, retryMessage.operation,
    ]
}
