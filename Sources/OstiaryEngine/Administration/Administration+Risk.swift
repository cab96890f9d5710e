import Foundation
import OstiaryCore

extension Administration {
    /// Returns the assessment of the sign-in that opened a session.
    ///
    /// - Throws: ``AdministrationProblem`` if there is no such session, or its sign-in is not in the audit log any more.
    public func risk(ofSession id: String) async throws -> RiskExplanation {
        guard let session = try? SessionID(id),
            let opened = try await ports.store.session(session, in: app.name)?.session
        else { throw AdministrationProblem("no session \(id)") }
        // The event follows the session, whose time another node's clock may have given.
        let query = try AuditQuery(
            apps: [app.name], account: opened.accountID, since: opened.createdAt.addingTimeInterval(-60),
            order: .oldestFirst)
        var position: AuditPosition?
        repeat {
            let (page, next) = try await ports.store.events(query, after: position, limit: 500)
            if let found = page.first(where: { $0.event.session == session && $0.event.method != nil }) {
                return RiskExplanation(found)
            }
            position = next
        } while position != nil
        throw AdministrationProblem("the sign-in of session \(id) is not in the audit log")
    }

    /// Returns the assessment of the sign-in that an audit event records.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such event, or it is no sign-in.
    public func risk(ofEvent id: Int) async throws -> RiskExplanation {
        let found = try await ports.store.events(in: app.name, since: nil, after: id - 1, limit: 1).first
        guard let found, found.position == id else { throw AdministrationProblem("no event \(id)") }
        guard found.event.method != nil else { throw AdministrationProblem("event \(id) is no sign-in") }
        return RiskExplanation(RecordedEvent(id: id, event: found.event))
    }
}
