import Foundation
import OstiaryEngine

/// The conditions of the events that a command asks for.
struct AuditFilter: Codable, Sendable {
    /// The account, as a person names it.
    var account: String?
    var action: String?
    var outcome: String?
    var since: Date?
    var until: Date?

    /// `true` if only the beginning of the period is given, which the order of the events answers.
    var isOpen: Bool { account == nil && action == nil && outcome == nil && until == nil }
}

/// The position of an event in a selection, as commands pass it on.
struct EventPosition: Codable, Sendable {
    private let at: Date
    private let number: Int

    init(_ position: AuditPosition) { (at, number) = (position.at, position.number) }

    var position: AuditPosition { AuditPosition(at: at, number: number) }
}
