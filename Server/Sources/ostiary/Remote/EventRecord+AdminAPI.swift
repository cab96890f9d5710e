import Foundation
import OstiaryAdmin
import OstiaryEngine

extension EventRecord {
    init(_ event: AdminAuditEvent) {
        var details = event.details.compactMapValues { value in if case .string(let text) = value { text } else { nil }
        }
        let (method, factor) = (details.removeValue(forKey: "method"), details.removeValue(forKey: "factor"))
        self.init(
            id: Int(event.id), at: event.at, app: event.app ?? AppName.server.text, action: event.action,
            outcome: event.outcome,
            account: event.account, session: event.session, identifier: event.identifier, address: event.address,
            userAgent: event.userAgent, actor: event.actor, method: method, factor: factor,
            details: details.isEmpty ? nil : details)
    }
}
