import OstiaryEngine

/// The statement that reads a list of accounts. Placeholders are written `:1`, `:2`, …; `:1` is the app.
///
/// Texts are searched by range: in the collations of both databases texts are ordered by their bytes, so that no character is a
/// wildcard.
struct AccountListing {
    /// The conditions on `account`, with the alias `a`.
    private let conditions: String
    /// The column whose values another table has, and the query for them; nil where the account's own columns decide.
    private let keys: (column: String, query: String)?
    /// The columns that order the list.
    private let order: String
    /// The values of the placeholders from `:2` on.
    let values: [Value]

    enum Value {
        case text(String)
        case integer(Int64)
    }

    enum Dialect {
        case sqlite, postgres

        fileprivate func placeholder(_ number: Int) -> String { self == .sqlite ? "?\(number)" : "$\(number)" }

        /// In PostgreSQL the keys are read first, and the accounts then by index: a join could walk through them.
        fileprivate func membership(_ query: String) -> String {
            self == .sqlite ? "IN (\(query))" : "= ANY (ARRAY (\(query)))"
        }
    }

    init(_ source: AccountSource, after position: AccountPosition?) {
        let number = Value.integer(position?.number ?? 0)
        switch source {
        case .all: self.init("a.app = :1 AND a.number > :2", order: "a.number", [number])
        case .role(let role):
            let query = """
                SELECT r.number FROM account_role r WHERE r.app = :1 AND r.role = :2 AND r.number > :3
                ORDER BY r.number LIMIT :limit
                """
            self.init("TRUE", keys: ("a.number", query), order: "a.number", [.text(role), number])
        case .factor(let kind):
            // The kind is a constant, as in the condition of its index. An account with several factors is there once.
            let query = """
                SELECT f.account_id FROM factor f WHERE f.app = :1 AND f.kind = '\(kind.rawValue)' AND f.account_id > :2
                GROUP BY f.account_id ORDER BY f.account_id LIMIT :limit
                """
            self.init(
                "a.app = :1", keys: ("a.id", query), order: "a.id", [.text(position?.text ?? "")])
        case .disabled:
            self.init(
                "a.app = :1 AND NOT a.is_active AND (a.created_at, a.number) > (:2, :3)",
                order: "a.created_at, a.number", Self.time(position, createdAfter: nil))
        case .provider(let provider, let time):
            self.init(
                "a.app = :1 AND a.provider = :2 AND (a.created_at, a.number) > (:3, :4)",
                order: "a.created_at, a.number",
                [.text(provider)] + Self.time(position, createdAfter: time?.milliseconds))
        case .createdAfter(let time):
            self.init(
                "a.app = :1 AND (a.created_at, a.number) > (:2, :3)", order: "a.created_at, a.number",
                Self.time(position, createdAfter: time.milliseconds))
        case .text(let text, let prefix):
            let key = text.indexed
            // The greatest code point follows every text that begins with the prefix.
            let end = prefix + "\u{10FFFF}"
            // SQLite does not find the beginning by the pair alone.
            self.init(
                """
                a.app = :1 AND \(text.column) IS NOT NULL AND \(key) >= :2 AND \(key) < :4
                AND (\(key), a.number) > (:2, :3)
                """,
                order: "\(key), a.number", [.text(position?.text ?? prefix), number, .text(end)])
        }
    }

    private init(
        _ conditions: String, keys: (column: String, query: String)? = nil, order: String, _ values: [Value]
    ) {
        self.conditions = conditions
        self.keys = keys
        self.order = order
        self.values = values
    }

    private static func time(_ position: AccountPosition?, createdAfter time: Int64?) -> [Value] {
        if let position { return [.integer(position.time), .integer(position.number)] }
        // All accounts of that millisecond come before.
        return [.integer(time ?? .min), .integer(.max)]
    }

    /// Returns the statement for the numbers and details of at least `limit` accounts.
    ///
    /// The limit is part of it, because a plan that does not know the limit expects a tenth of the table; it is rounded up, so
    /// that there are few statements.
    func statement(details columns: String, limit: Int, in dialect: Dialect) -> String {
        let membership = keys.map { " AND \($0.column) \(dialect.membership($0.query))" } ?? ""
        var sql = """
            SELECT a.number, \(columns) FROM account a WHERE \(conditions)\(membership) ORDER BY \(order) LIMIT :limit
            """
        for number in 1...values.count + 1 {
            sql = sql.replacing(":\(number)", with: dialect.placeholder(number))
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
