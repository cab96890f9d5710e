import Foundation
import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    /// The number of events that a stream reads at once.
    private static let streamedPage = 500

    static let audit = [
        AdminRoute(AdminAPI.listAuditEvents) { request, query, _ in
            let cursors = request.cursors(query)
            let position = try cursors.auditPosition(query.cursor)
            let (page, next) = try await request.events(query, after: position, limit: query.pageLimit)
            return AdminPage(page.map { AdminAuditEvent($0) }, nextCursor: next.map { cursors.cursor($0.text) })
        } lines: { request, query in
            // The first page before the answer begins, so that a refusal has its status.
            let position = try request.cursors(query).auditPosition(query.cursor)
            let first = try await request.events(query, after: position, limit: streamedPage)
            return ResponseStream { part in
                var (page, next) = first
                while true {
                    try await part(page.flatMap { AdminAuditEvent($0).json.bytes + [UInt8(ascii: "\n")] })
                    guard let position = next else { return }
                    (page, next) = try await request.events(query, after: position, limit: streamedPage)
                }
            }
        }
    ]
}

extension AdminRequest {
    fileprivate func events(
        _ query: AdminAuditQuery, after position: AuditPosition?, limit: Int
    ) async throws -> (page: [RecordedEvent], position: AuditPosition?) {
        var account: AccountID?
        if let text = query.account {
            do throws(FieldProblem) { account = try AccountID(text) } catch {
                throw AdministrationProblem.invalid("account", error.code, "the id of the account is not acceptable")
            }
        }
        return try await server.auditEvents(
            app: query.app, account: account, action: query.action, outcome: query.outcome, since: query.since,
            until: query.until, after: position, limit: limit)
    }
}

extension AuditPosition {
    fileprivate var text: String { "\(at.milliseconds)/\(number)" }
}

extension AdminCursors {
    fileprivate func auditPosition(_ cursor: String?) throws(AdminRefusal) -> AuditPosition? {
        guard let position = try position(cursor) else { return nil }
        let parts = position.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard parts.count == 2, let at = Int64(parts[0]), let number = Int(parts[1]) else { throw Self.malformed }
        return AuditPosition(at: Date(milliseconds: at), number: number)
    }
}

extension AdminAuditEvent {
    init(_ recorded: RecordedEvent) {
        self.init()
        let event = recorded.event
        id = String(recorded.id)
        at = event.at
        app = event.app == .server ? nil : event.app.text
        (actor, action, outcome) = (event.actor, event.action, event.outcome)
        (account, session) = (event.account?.text, event.session?.text)
        (identifier, address, userAgent) = (event.identifier, event.address, event.userAgent)
        details = event.details.mapValues { JSON.string($0) }
        if let method = event.method { details["method"] = .string(method) }
        if let factor = event.factor { details["factor"] = .string(factor) }
    }
}
