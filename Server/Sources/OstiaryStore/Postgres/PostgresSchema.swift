/// The numbered migration steps from an empty database to the current schema. A released step never changes.
///
/// Tables and columns have the same names as in SQLite, so that one can be copied to the other; columns that exist only
/// here may be empty. No statement names a schema: the connection's `search_path` selects it, see ``PostgresSettings``.
enum PostgresSchema {
    /// A migration from one number to the next, in one transaction.
    struct Step: Sendable {
        /// The step's number: from 1, without gaps.
        var number: Int
        var name: String
        /// The oldest number whose programs may continue to use the database after this step, so that a rolling upgrade
        /// need not stop them.
        var oldestCompatible: Int
        /// The statements, each run by itself, because the extended protocol takes one at a time.
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
        // Earlier programs that run beside it issue signing keys and answer withdrawn tokens as before.
        Step(
            number: 3, name: "issued signing keys, withdrawn refresh tokens", oldestCompatible: 1,
            statements: sessionSafeguards),
        // A program that knows only the first step continues to count: its rows have no consecutive failures.
        Step(
            number: 4, name: "consecutive failures, known networks", oldestCompatible: 1,
            statements: attemptsInARow + knownNetworks),
        // Sessions of earlier programs that run beside it have no recorded authentication.
        Step(
            number: 5, name: "second factors, authentication of sessions", oldestCompatible: 1,
            statements: secondFactors + sessionAuthentication),
        // A reset by an earlier program that runs beside it leaves the column as it is.
        Step(
            number: 6, name: "channels of password resets", oldestCompatible: 1,
            statements: ["ALTER TABLE account ADD COLUMN password_reset_channel text COLLATE \"C\""]),
        // What earlier programs that run beside it record is not counted.
        Step(number: 7, name: "statistics", oldestCompatible: 1, statements: statistics),
        // Earlier programs that run beside it leave the new columns as they are; the triggers derive the roles for them too.
        Step(number: 8, name: "search of accounts", oldestCompatible: 1, statements: accountSearch),
        // A constant default, so that PostgreSQL does not rewrite the table. An earlier program that runs beside it keeps the
        // attributes of the accounts that it changes.
        Step(
            number: 9, name: "account attributes", oldestCompatible: 1,
            statements: ["ALTER TABLE account ADD COLUMN attributes text COLLATE \"C\" NOT NULL DEFAULT '{}'"]),
        Step(
            number: 10, name: "service keys, repeatable requests", oldestCompatible: 1, statements: serviceKeys),
        // An earlier program that runs beside it grants nothing by roles of the store, keeps no record of the messages that it
        // sends, and does not limit sessions in which an administrator acts.
        Step(
            number: 11, name: "roles, settled messages, details of audit events, actors of sessions",
            oldestCompatible: 1,
            statements: administration),
        // The changes that earlier programs make beside it are events too; a refused sign-in there is none.
        Step(number: 12, name: "endpoints, events, deliveries", oldestCompatible: 1, statements: events),
        // Earlier programs that run beside it recognize no device; their remembered devices are asked for the factor again.
        Step(number: 13, name: "recognized devices", oldestCompatible: 1, statements: devices),
        // An earlier program that runs beside it opens sessions without a key, and refuses the access tokens of bound ones.
        Step(
            number: 14, name: "keys of sessions", oldestCompatible: 1,
            statements: ["ALTER TABLE session ADD COLUMN bound_key text COLLATE \"C\""]),
        // An earlier program that runs beside it requires no assertion, and binds no session.
        Step(number: 15, name: "attested keys", oldestCompatible: 1, statements: appKeys),
        // Sign-ins at earlier programs that run beside it are not in the history.
        Step(number: 16, name: "history of sign-ins", oldestCompatible: 1, statements: signInHistory),
        // Earlier programs that run beside it derive from the encryption key, which is the store's key until that is changed.
        Step(number: 17, name: "keys of the store", oldestCompatible: 1, statements: storeKeys),
        // The lists of earlier programs that run beside it take longer.
        Step(number: 18, name: "lists of event deliveries", oldestCompatible: 1, statements: eventDeliveryLists),
    ]
}
