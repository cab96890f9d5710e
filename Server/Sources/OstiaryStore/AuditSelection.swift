import Foundation
import OstiaryCore
import OstiaryEngine

/// The statement that reads a page of one app's audit events in the order of their times.
///
/// Every combination of conditions is a statement of its own, without `OR`, so that it finds its index: by account, by the
/// outcome of a refusal, by action, or by time alone.
struct AuditSelection {
    /// A database, with its differences in SQL.
    enum Dialect {
        case sqlite, postgres

        func parameter(_ number: Int) -> String {
            switch self {
            case .sqlite: "?\(number)"
            case .postgres: "$\(number)"
            }
        }

        /// The clause that selects an index. SQLite would choose by the number of conditions; PostgreSQL has statistics.
        func using(_ index: String) -> String {
            switch self {
            case .sqlite: "INDEXED BY \(index)"
            case .postgres: ""
            }
        }

        /// A column that must not select the index. SQLite has no statistics of the columns' values; PostgreSQL has.
        func withoutIndex(_ column: String) -> String {
            switch self {
            case .sqlite: "+\(column)"
            case .postgres: column
            }
        }
    }

    /// The value of a parameter.
    enum Argument: Hashable {
        case text(String)
        case integer(Int64)
    }

    /// The statement. Parameter 1 is the app.
    let sql: String
    /// The values of the parameters after the first.
    let arguments: [Argument]

    init(_ query: AuditQuery, after position: AuditPosition?, limit: Int, in dialect: Dialect) {
        var arguments: [Argument] = []
        var conditions = ["app = \(dialect.parameter(1))"]
        func value(_ argument: Argument) -> String {
            arguments.append(argument)
            return dialect.parameter(arguments.count + 1)
        }
        // An account has few events, and an app has fewer refusals of one kind than performed actions.
        let isRefusal = query.outcome.map { !$0.utf8.elementsEqual("ok".utf8) } ?? false
        let isByAccount = query.account != nil
        if let account = query.account { conditions.append("account_id = \(value(.text(account.text)))") }
        if let action = query.action {
            let column = isByAccount || isRefusal ? dialect.withoutIndex("action") : "action"
            conditions.append("\(column) = \(value(.text(action)))")
        }
        if let outcome = query.outcome {
            let column = isByAccount || !isRefusal ? dialect.withoutIndex("outcome") : "outcome"
            conditions.append("\(column) = \(value(.text(outcome)))")
            // The index contains refusals alone, and the value of a parameter does not tell the planner that this is one.
            if isRefusal, !isByAccount { conditions.append("outcome <> 'ok'") }
        }
        if let since = query.since { conditions.append("happened_at >= \(value(.integer(since.milliseconds)))") }
        if let until = query.until { conditions.append("happened_at < \(value(.integer(until.milliseconds)))") }
        let isDescending = query.order == .newestFirst
        if let position {
            let comparison = isDescending ? "<" : ">"
            let time = value(.integer(position.at.milliseconds))
            // Implied by the next condition; it lets PostgreSQL leave out months.
            conditions.append("happened_at \(comparison)= \(time)")
            conditions.append(
                "(happened_at, number) \(comparison) (\(time), \(value(.integer(Int64(position.number)))))")
        }
        let direction = isDescending ? " DESC" : ""
        let index =
            isByAccount
            ? "audit_event_account"
            : isRefusal ? "audit_event_refusal" : query.action != nil ? "audit_event_action" : "audit_event_app"
        if isByAccount { conditions.append("account_id IS NOT NULL") }
        sql = """
            SELECT number, \(RowReader.auditEventColumns) FROM audit_event \(dialect.using(index))
            WHERE \(conditions.joined(separator: " AND "))
            ORDER BY happened_at\(direction), number\(direction) LIMIT \(value(.integer(Int64(limit))))
            """
        self.arguments = arguments
    }
}
