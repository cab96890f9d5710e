/// The numbered steps from an empty database to today's. A step that was ever released is never changed.
///
/// Tables and columns are called as in SQLite, so that one can be copied to the other; what is here alone can be empty. No
/// statement names a schema: the connection's `search_path` says where everything is, see ``PostgresSettings``.
enum PostgresSchema {
    /// What brings a database from one number to the next, in one transaction.
    struct Step: Sendable {
        /// From 1, without gaps.
        var number: Int
        var name: String
        /// The oldest number whose programs may go on working with the database after this step, so that a rolling upgrade
        /// need not stop them.
        var oldestCompatible: Int
        /// One at a time, because the extended protocol takes no more.
        var statements: [String]
    }

    static let steps = [
        Step(
            number: 1, name: "accounts, sessions, codes, tickets, attempts, audit, outbox, keys", oldestCompatible: 1,
            statements: accounts + sessions + logs),
        // Programs that do not know the column leave it null.
        Step(
            number: 2, name: "actors of audit events", oldestCompatible: 1,
            statements: ["ALTER TABLE audit_event ADD COLUMN actor text COLLATE \"C\""]),
        // While programs of before go on beside it, they issue signing keys and answer withdrawn tokens as before.
        Step(
            number: 3, name: "issued signing keys, withdrawn refresh tokens", oldestCompatible: 1,
            statements: sessionSafeguards),
        // A program that knows the first step only counts on: its rows have no consecutive failures.
        Step(
            number: 4, name: "consecutive failures, known networks", oldestCompatible: 1,
            statements: attemptsInARow + knownNetworks),
    ]
}
