import OstiaryEngine

/// A column of sealed values: its place in the tables, the same in both databases.
struct SealedColumn: Sendable {
    let kind: SealedValue.Kind
    private let table: String
    private let column: String
    /// The columns that order the rows, unique together: texts, then a number, then bytes.
    let texts: [String]
    let number: String?
    let hash: String?
    /// The expressions for the names that a value is bound to.
    let names: [String]
    private let condition: String

    private init(
        _ kind: SealedValue.Kind, _ table: String, _ column: String, texts: [String] = [], number: String? = nil,
        hash: String? = nil, names: [String], where condition: String? = nil
    ) {
        self.kind = kind
        self.table = table
        self.column = column
        self.texts = texts
        self.number = number
        self.hash = hash
        self.names = names
        self.condition = condition ?? "\(column) IS NOT NULL"
    }

    init(_ kind: SealedValue.Kind) {
        self =
            switch kind {
            case .storeKey: Self(kind, "store_key", "sealed", texts: ["name"], names: ["name"])
            case .signingKey:
                Self(kind, "signing_key", "sealed_private_key", number: "number", names: ["app", "kid"])
            case .endpointSecret: Self(kind, "event_endpoint", "secret", number: "number", names: ["id"])
            case .previousEndpointSecret:
                Self(kind, "event_endpoint", "previous_secret", number: "number", names: ["id"])
            case .factor:
                Self(
                    kind, "factor", "material", number: "number", names: ["app", "account_id", "id"],
                    where: "kind = 'totp'")
            case .factorUndo, .signInDenial:
                Self(
                    kind, "ticket", "payload", texts: ["app", "kind"], hash: "hash", names: ["app"],
                    where: "kind = '\(kind.rawValue)' AND length(payload) > 0")
            case .signInHistory:
                Self(
                    kind, "sign_in_history", "sealed", texts: ["app", "account_id"], names: ["app", "account_id"])
            case .sessionAttachment:
                Self(
                    kind, "session_attachment", "bytes", number: "session",
                    names: ["app", "id"].map {
                        "(SELECT s.\($0) FROM session s WHERE s.number = session_attachment.session)"
                    })
            case .message: Self(kind, "message", "sealed", number: "number", names: ["app", "id"])
            case .failedMessage: Self(kind, "message_record", "sealed", texts: ["id"], names: ["app", "id"])
            case .answer: Self(kind, "idempotent_request", "answer", hash: "hash", names: [])
            }
    }

    private var keys: [String] { texts + [number, hash].compactMap(\.self) }

    /// The query for a page. Its columns: the keys, the names, the value. Parameters: the keys of the preceding row, if any,
    /// and the limit.
    func page(isFirst: Bool, placeholder: (Int) -> String) -> String {
        let list = keys.joined(separator: ", ")
        let start =
            isFirst ? "" : "AND (\(list)) > (\(keys.indices.map { placeholder($0 + 1) }.joined(separator: ", ")))"
        return """
            SELECT \((keys + names + [column]).joined(separator: ", ")) FROM \(table) WHERE \(condition) \(start)
            ORDER BY \(list) LIMIT \(placeholder(isFirst ? 1 : keys.count + 1))
            """
    }

    /// The compare-and-set of a value. Parameters: the new bytes, the bytes that were read, the keys of the row.
    func replacement(placeholder: (Int) -> String) -> String {
        let conditions = keys.enumerated().map { "\($1) = \(placeholder($0 + 3))" }.joined(separator: " AND ")
        return "UPDATE \(table) SET \(column) = \(placeholder(1)) WHERE \(column) = \(placeholder(2)) AND \(conditions)"
    }

    /// Reads a row of ``page(isFirst:placeholder:)``.
    func read(_ row: inout some ColumnReader) throws -> SealedValue {
        let keys = try texts.map { _ in try row.text() }
        let number = try number.map { _ in try row.integer() }
        let hash = try hash.map { _ in try row.bytes() }
        let names = try names.map { _ in try row.text() }
        return SealedValue(
            kind, at: SealedValue.Position(texts: keys, number: number, hash: hash), names: names,
            bytes: try row.bytes())
    }
}
