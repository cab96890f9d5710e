import Foundation
import OstiaryCore
import OstiaryEngine

/// The assessment of a sign-in as commands show it.
struct RiskRecord: Codable, Sendable {
    var event: Int
    var at: Date
    var app: String
    var outcome: String
    var account: String?
    var session: String?
    var country: String?
    var signals: [Signal]
    var score: Int
    var level: String

    struct Signal: Codable, Sendable {
        var code: String
        /// Nil for a signal of another version of the program.
        var weight: Int?
    }
}

extension RiskRecord {
    init(_ explanation: RiskExplanation) {
        let recorded = explanation.event
        event = recorded.id
        at = recorded.event.at
        app = recorded.event.app.text
        outcome = recorded.event.outcome
        account = recorded.event.account?.text
        session = recorded.event.session?.text
        country = explanation.country
        signals = explanation.signals.map { Signal(code: $0.code, weight: $0.weight) }
        score = explanation.score
        level = explanation.level.rawValue
    }
}
