import Foundation
import OstiaryCore
import OstiaryEngine

/// An audit event as commands show it.
struct EventRecord: Codable, Sendable {
    /// The number of the event; nil in the reply of an earlier version.
    var id: Int?
    var at: Date
    var app: String
    var action: String
    var outcome: String
    var account: String?
    var session: String?
    var identifier: String?
    var address: String?
    var userAgent: String?
    /// The administrator who acted.
    var actor: String?
    /// The method by which a sign-in begins, and its second factor.
    var method: String?
    var factor: String?
    /// Nil if there are none.
    var details: [String: String]?

    private enum CodingKeys: String, CodingKey {
        case id, at, app, action, outcome, account, session, identifier, address, actor, method, factor, details
        case userAgent = "user_agent"
    }
}

extension EventRecord {
    init(_ recorded: RecordedEvent) {
        let event = recorded.event
        id = recorded.id
        at = event.at
        app = event.app.text
        action = event.action
        outcome = event.outcome
        account = event.account?.text
        session = event.session?.text
        identifier = event.identifier
        address = event.address
        userAgent = event.userAgent
        actor = event.actor
        method = event.method
        factor = event.factor
        details = event.details.isEmpty ? nil : event.details
    }
}
