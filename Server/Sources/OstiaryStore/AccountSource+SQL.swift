import OstiaryEngine

/// The parts of the statement that reads a list of accounts, the same for both databases. Placeholders are written `:1`, `:2`, …
///
/// Texts are searched by range: in the collations of both databases texts are ordered by their bytes, so that no character is a
/// wildcard.
struct AccountListing {
    /// The tables, `account` with the alias `a`.
    var tables: String
    /// The conditions.
    var conditions: String
    /// The columns that order the list.
    var order: String
    /// The values of the placeholders from `:2` on; `:1` is the app.
    var values: [Value]

    enum Value {
        case text(String)
        case integer(Int64)
    }

    init(_ source: AccountSource, after position: AccountPosition?) {
        let number = position?.number ?? 0
        switch source {
        case .all:
            self.init("account a", "a.app = :1 AND a.number > :2", order: "a.number", [.integer(number)])
        case .role(let role):
            self.init(
                "account_role r JOIN account a ON a.number = r.number",
                "r.app = :1 AND r.role = :2 AND r.number > :3", order: "r.number", [.text(role), .integer(number)])
        case .factor(let kind):
            // An account with several factors of the kind is there once.
            self.init(
                """
                (SELECT f.account_id FROM factor f WHERE f.app = :1 AND f.kind = :2 AND f.account_id > :3
                GROUP BY f.account_id ORDER BY f.account_id LIMIT :limit) o JOIN account a ON a.app = :1 AND a.id = o.account_id
                """, "TRUE", order: "o.account_id", [.text(kind.rawValue), .text(position?.text ?? "")])
        case .disabled:
            self.init(
                "account a", "a.app = :1 AND NOT a.is_active AND (a.created_at, a.number) > (:2, :3)",
                order: "a.created_at, a.number", Self.time(position, createdAfter: nil))
        case .provider(let provider, let time):
            self.init(
                "account a", "a.app = :1 AND a.provider = :2 AND (a.created_at, a.number) > (:3, :4)",
                order: "a.created_at, a.number",
                [.text(provider)] + Self.time(position, createdAfter: time?.milliseconds))
        case .createdAfter(let time):
            self.init(
                "account a", "a.app = :1 AND (a.created_at, a.number) > (:2, :3)",
                order: "a.created_at, a.number", Self.time(position, createdAfter: time.milliseconds))
        case .text(let text, let prefix):
            let key = text.indexed
            // The greatest code point follows every text that begins with the prefix.
            let end = prefix + "\u{10FFFF}"
            self.init(
                "account a",
                "a.app = :1 AND \(text.column) IS NOT NULL AND (\(key), a.number) > (:2, :3) AND \(key) < :4",
                order: "\(key), a.number", [.text(position?.text ?? prefix), .integer(number), .text(end)])
        }
    }

    private init(_ tables: String, _ conditions: String, order: String, _ values: [Value]) {
        self.tables = tables
        self.conditions = conditions
        self.order = order
        self.values = values
    }

    private static func time(_ position: AccountPosition?, createdAfter time: Int64?) -> [Value] {
        if let position { return [.integer(position.time), .integer(position.number)] }
        // All accounts of that millisecond come before.
        return [.integer(time ?? .min), .integer(.max)]
    }

    /// Returns the statement. The limit is part of it, because a plan that does not know the limit expects a tenth of the
    /// table; it is rounded up, so that there are few statements.
    ///
    /// - Parameter placeholder: Writes the placeholder of a number.
    func statement(details columns: String, limit: Int, placeholder: (Int) -> String) -> String {
        var sql = "SELECT a.number, \(columns) FROM \(tables) WHERE \(conditions) ORDER BY \(order) LIMIT :limit"
        for number in (1...values.count + 1).reversed() {
            sql = sql.replacing(":\(number)", with: placeholder(number))
        }
        return sql.replacing(":limit", with: String((limit + Self.step - 1) / Self.step * Self.step))
    }

    private static let step = 50
}

extension AccountSource.Text {
    fileprivate var column: String { "a.\(rawValue)" }

    /// The expression that an index has.
    fileprivate var indexed: String {
        switch self {
        case .id, .phoneNumber: column
        case .email, .username, .fullName: "lower(\(column))"
        }
    }
}
