/// A table's description for a copy: its columns, and the order in which its rows are read.
///
/// Tables and columns have the same names in both databases. Columns that exist in PostgreSQL alone keep their default.
struct CopiedTable: Sendable {
    struct Column: Hashable, Sendable {
        enum Kind: Hashable, Sendable { case text, integer, bool, bytes }

        var name: String
        var kind: Kind
    }

    let name: String
    /// The columns that order the rows, unique together and never null; then the others.
    let columns: [Column]
    let keyCount: Int
    /// `true` if the database numbers the rows in `number`.
    var isNumbered: Bool { columns.contains { $0.name == "number" } }

    var keys: [Column] { Array(columns.prefix(keyCount)) }
    func key(of row: [CopiedValue]) -> [CopiedValue] { Array(row.prefix(keyCount)) }

    /// - Parameters:
    ///   - key: The columns that order the rows.
    ///   - bytes: The columns of binary type.
    private init(
        _ name: String, key: [String], integers: [String] = [], bools: [String] = [], bytes: [String] = [],
        texts: [String] = []
    ) {
        self.name = name
        keyCount = key.count
        func kind(_ column: String) -> Column.Kind {
            if integers.contains(column) { .integer } else if bytes.contains(column) { .bytes } else { .text }
        }
        let others = (integers + bytes + texts).filter { !key.contains($0) }.map { Column(name: $0, kind: kind($0)) }
        columns =
            key.map { Column(name: $0, kind: kind($0)) } + others + bools.map { Column(name: $0, kind: .bool) }
    }

    /// The tables that triggers derive from others, in the target too.
    static let derived: Set = ["account_role"]

    /// Every table, each after those that it refers to.
    static let all = [
        CopiedTable(
            "account", key: ["number"],
            integers: ["number", "credential_version", "revision", "created_at", "updated_at"],
            bools: ["is_active", "is_email_verified", "is_phone_number_verified"],
            texts: [
                "app", "id", "email", "username", "phone_number", "full_name", "password_hash", "roles", "provider",
                "provider_issuer", "provider_subject", "password_reset_channel", "attributes",
            ]),
        CopiedTable("account_name", key: ["app", "name"], texts: ["account_id"]),
        CopiedTable("account_counter", key: ["app"], integers: ["last_id"]),
        CopiedTable(
            "session", key: ["number"],
            integers: [
                "number", "created_at", "last_used_at", "idle_seconds", "idle_ends_at", "ends_at", "generation",
                "generation_issued_at", "first_used_at", "revoked_at", "signing_key_issued_at", "oldest_generation",
            ],
            texts: [
                "id", "app", "account_id", "device_id", "platform", "os_version", "app_version", "address",
                "user_agent", "revoke_reason", "authentication", "actor", "bound_key",
            ]),
        CopiedTable(
            "generation_use", key: ["session", "generation"], integers: ["session", "generation", "first_used_at"]),
        CopiedTable("session_attachment", key: ["session"], integers: ["session", "version"], bytes: ["bytes"]),
        CopiedTable(
            "app_key", key: ["app", "id"], integers: ["counter", "created_at", "kept_until"],
            bytes: ["id", "public_key"], texts: ["app_id"]),
        CopiedTable("session_app_key", key: ["session"], integers: ["session"], bytes: ["key_id"]),
        CopiedTable(
            "factor", key: ["number"], integers: ["number", "counter", "created_at", "last_used_at"],
            bytes: ["material", "credential_id"], texts: ["app", "account_id", "id", "kind", "name"]),
        CopiedTable(
            "device", key: ["number"],
            integers: ["number", "created_at", "last_used_at", "expires_at", "presentations", "remembered_until"],
            bytes: ["hash", "remembered_for"],
            texts: [
                "app", "account_id", "id", "device_id", "platform", "os_version", "app_version", "address",
                "user_agent",
            ]),
        CopiedTable("recovery_code", key: ["app", "account_id", "hash"], bytes: ["hash"]),
        CopiedTable(
            "code", key: ["app", "recipient"], integers: ["expires_at", "tries_left"],
            bytes: ["recipient", "code_hash"], texts: ["id"]),
        CopiedTable(
            "reset_token", key: ["app", "recipient"], integers: ["expires_at"], bytes: ["recipient", "hash"],
            texts: ["account_id"]),
        CopiedTable(
            "ticket", key: ["app", "kind", "hash"], integers: ["expires_at", "spent_at"], bytes: ["hash", "payload"],
            texts: ["session_id"]),
        CopiedTable("attempt", key: ["name"], integers: ["full_at", "failures", "next_at"]),
        CopiedTable(
            "known_network", key: ["subject", "network"], integers: ["expires_at"], bytes: ["subject", "network"]),
        CopiedTable(
            "audit_event", key: ["number"], integers: ["number", "happened_at"], bools: ["is_new_account"],
            texts: [
                "app", "action", "outcome", "account_id", "session_id", "identifier", "address", "user_agent",
                "actor", "method", "factor", "details",
            ]),
        CopiedTable("role", key: ["app", "name"], texts: ["permissions"]),
        CopiedTable(
            "statistic",
            key: ["app", "starts_at", "series", "operation", "method", "factor", "outcome", "slot"],
            integers: ["starts_at", "slot", "count"]),
        CopiedTable(
            "active_accounts", key: ["app", "period", "starts_on", "slot"], integers: ["starts_on", "slot", "count"]),
        CopiedTable("account_activity", key: ["app", "account_id"], integers: ["last_sign_in_at", "active_on"]),
        CopiedTable(
            "sign_in_history", key: ["app", "account_id"], integers: ["expires_at"], bytes: ["sealed"]),
        CopiedTable("statistics_position", key: ["source"], integers: ["position"]),
        CopiedTable(
            "message", key: ["number"], integers: ["number", "created_at", "attempts", "due_at"], bytes: ["sealed"],
            texts: ["id", "app", "last_error"]),
        CopiedTable(
            "message_record", key: ["id"], integers: ["attempts", "created_at", "settled_at", "useful_until"],
            bytes: ["recipient_hash", "sealed"],
            texts: ["app", "channel", "kind", "recipient", "outcome", "last_error"]),
        CopiedTable("store_key", key: ["name"], integers: ["created_at"], bytes: ["sealed"]),
        CopiedTable(
            "signing_key", key: ["number"], integers: ["number", "created_at", "retires_at"],
            bytes: ["sealed_private_key"], texts: ["app", "kid", "algorithm"]),
        CopiedTable(
            "service_key", key: ["number"],
            integers: ["number", "created_at", "expires_at", "last_used_at", "revoked_at"], bytes: ["hash"],
            texts: ["id", "name", "scopes", "apps", "networks"]),
        CopiedTable(
            "idempotent_request", key: ["hash"], integers: ["claimed_until", "expires_at"],
            bytes: ["hash", "body_hash", "answer"], texts: ["claim"]),
        CopiedTable(
            "event_delivery", key: ["number"], integers: ["number", "event", "created_at", "due_at", "finished_at"],
            texts: ["endpoint_id", "app", "order_key", "state", "attempts"]),
        CopiedTable(
            "account_event", key: ["number"], integers: ["number", "created_at"],
            texts: ["id", "app", "type", "account_id", "session_id", "actor", "snapshot", "details"]),
        // Last: with an endpoint, the rows of all other tables would be events.
        CopiedTable(
            "event_endpoint", key: ["number"],
            integers: ["number", "previous_expires_at", "created_at", "last_success_at", "failing_since"],
            bytes: ["secret", "previous_secret"],
            texts: ["id", "app", "url", "types", "include", "description", "contact", "state"]),
    ]
}

/// The statements that a copy runs for every table. Generic: a copy depends on no table's meaning.
extension CopiedTable {
    private func list(_ columns: [Column], _ text: (Column) -> String = \.name) -> String {
        columns.map(text).joined(separator: ", ")
    }

    /// Returns the statement for a page of rows in key order. Parameters: the preceding row's key, if any, and the
    /// limit.
    func page(afterKey: Bool, parameter: (Int) -> String) -> String {
        let start =
            afterKey
            ? "WHERE (\(list(keys))) > (\(keys.indices.map { parameter($0 + 1) }.joined(separator: ", ")))" : ""
        return """
            SELECT \(list(columns)) FROM \(name) \(start)
            ORDER BY \(list(keys)) LIMIT \(parameter(afterKey ? keyCount + 1 : 1))
            """
    }

    /// The statement that adds the rows of a JSON array (parameter 1) that are not there yet.
    var insertion: String {
        """
        INSERT INTO \(name) (\(list(columns)))
        SELECT \(list(columns)) FROM json_populate_recordset(NULL::\(name), $1::json) ORDER BY \(list(keys))
        ON CONFLICT DO NOTHING
        """
    }

    /// The query for the key of the last row.
    var lastKey: String {
        "SELECT \(list(keys)) FROM \(name) ORDER BY \(list(keys) { "\($0.name) DESC" }) LIMIT 1"
    }

    /// The statement that sets the sequence, so that the next number is above parameter 1, which is at least 1.
    var numbering: String { "SELECT setval(pg_get_serial_sequence('\(name)', 'number'), $1)" }
}
