import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine

/// One row of ViewVault's table. SQLite stores any type in any column, so each value's type is checked.
struct ViewVaultUser {
    private let row: Row
    /// The values that ``record()`` left out or replaced, one line each.
    private(set) var changes: [String] = []

    init(_ row: Row) { self.row = row }

    var place: String {
        let number = row["row_number"] as Int64
        return text("id").map { "row \(number), user \($0)" } ?? "user in row \(number)"
    }

    mutating func record() throws(AdministrationProblem) -> AccountRecord {
        var record = AccountRecord()
        guard let id = text("id") else { throw AdministrationProblem("id: missing") }
        record.id = id
        record.active = try flag("is_active", absent: true)
        record.roles = try flag("is_admin", absent: false) ? ["admin"] : []
        let subject = text("auth0_user_id")
        switch text("auth_provider")?.lowercased() ?? (subject == nil ? "local" : "auth0") {
        case "local":
            record.authProvider = "local"
            record.passwordHash = text("hashed_password")
        case "auth0":
            guard let subject else { throw AdministrationProblem("auth0_user_id: missing") }
            record.authProvider = "auth0"
            record.providerSubject = subject.hasPrefix("auth0|") ? subject : "auth0|\(subject)"
        default: throw AdministrationProblem("auth_provider: neither local nor auth0")
        }
        name(&record)
        return record
    }

    /// Sets the person's identifiers and names. A value that Ostiary's rules refuse is left out where the account does
    /// not need it.
    private mutating func name(_ record: inout AccountRecord) {
        let (username, email, fullName) = (text("username"), text("email"), text("full_name"))
        let isLocal = record.providerSubject == nil
        if let email, (try? EmailAddress(email)) == nil {
            changes.append("email: \(email) is left out, because it is no address that mail can be sent to")
        } else {
            record.email = email
        }
        if let fullName, (try? PersonName(fullName)) == nil {
            changes.append("full_name: is left out, because it has unprintable characters or is too long")
        } else {
            record.fullName = fullName
        }
        // Where there is no other name, the engine reports what is wrong with this one.
        let fallback = email ?? record.providerSubject
        record.username = username ?? fallback
        if let username, let fallback, !Self.isAcceptable(username, isLocal: isLocal) {
            record.username = fallback
            changes.append("username: \(fallback) instead of \(username), which is not a valid username here")
        }
    }

    private static func isAcceptable(_ username: String, isLocal: Bool) -> Bool {
        (try? Username(username)) != nil && !(isLocal && username.utf8.contains(UInt8(ascii: "|")))
    }

    /// Returns the text of a column; nil for NULL and for white space alone.
    private func text(_ column: String) -> String? {
        let value: DatabaseValue = row[column]
        let text: String? =
            switch value.storage {
            case .null: nil
            case .int64(let number): String(number)
            case .double(let number): String(number)
            case .string(let text): text
            case .blob(let data): String(decoding: data, as: UTF8.self)
            }
        return text.flatMap { $0.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : $0 }
    }

    private func flag(_ column: String, absent: Bool) throws(AdministrationProblem) -> Bool {
        switch text(column)?.lowercased() {
        case nil: absent
        case "1", "true", "t", "yes": true
        case "0", "false", "f", "no": false
        default: throw AdministrationProblem("\(column): neither true nor false")
        }
    }
}
