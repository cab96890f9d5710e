import Foundation
import OstiaryAdmin
import OstiaryEngine

extension EventRecord {
    init(_ event: AdminAuditEvent) {
        func detail(_ name: String) -> String? {
            guard case .string(let text) = event.details[name] else { return nil }
            return text
        }
        self.init(
            id: Int(event.id), at: event.at, app: event.app ?? AppName.server.text, action: event.action,
            outcome: event.outcome,
            account: event.account, session: event.session, identifier: event.identifier, address: event.address,
            userAgent: event.userAgent, actor: event.actor, method: detail("method"), factor: detail("factor"))
    }
}
