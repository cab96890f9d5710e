import Foundation
import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// The columns that ``auditEvent()`` reads.
    static var auditEventColumns: String {
        """
        happened_at, app, action, outcome, account_id, session_id, identifier, address, user_agent, actor, method, \
        factor, is_new_account, details
        """
    }

    mutating func auditEvent() throws -> AuditEvent {
        AuditEvent(
            at: try date(), app: try value(AppName.init), action: try text(), outcome: try text(),
            account: try optionalValue(AccountID.init), session: try optionalValue(SessionID.init),
            identifier: try optionalText(), address: try optionalText(), userAgent: try optionalText(),
            actor: try optionalText(), method: try optionalText(), factor: try optionalText(),
            isNewAccount: try optionalBool() ?? false, details: try optionalValue(AuditDetails.init)?.values ?? [:])
    }
}

/// The details of an audit event in the format of their column: a JSON object of strings, null for none.
struct AuditDetails {
    var values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    init(_ text: String) throws { values = try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) }

    func text() throws -> String? {
        guard !values.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(values), as: UTF8.self)
    }
}
