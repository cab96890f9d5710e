/// The endpoints of other systems, the events that are sent to them, and the triggers that record the events.
///
/// Triggers and not statements of each call, so that no change of an account can omit its event. Without an endpoint that
/// receives the type a trigger reads one row of a small table.
extension Schema {
    static var events: [String] { [eventTables] + eventTriggers }

    private static let eventTables = """
        CREATE TABLE event_endpoint (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            app TEXT NOT NULL,
            url TEXT NOT NULL,
            -- The names of the types, each between spaces; empty for all.
            types TEXT NOT NULL,
            include TEXT NOT NULL,
            description TEXT,
            contact TEXT,
            state TEXT NOT NULL,
            secret BLOB NOT NULL,
            previous_secret BLOB,
            previous_expires_at INTEGER,
            created_at INTEGER NOT NULL,
            last_success_at INTEGER,
            failing_since INTEGER
        );
        CREATE INDEX event_endpoint_app ON event_endpoint (app, state);

        CREATE TABLE account_event (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL,
            app TEXT NOT NULL,
            type TEXT NOT NULL,
            account_id TEXT,
            session_id TEXT,
            actor TEXT,
            -- JSON objects: see EventSnapshot and EventDetails.
            snapshot TEXT NOT NULL,
            details TEXT NOT NULL,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX account_event_refusal ON account_event (app, account_id, created_at)
        WHERE type = 'sign_in.refused';

        CREATE TABLE event_delivery (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            endpoint_id TEXT NOT NULL,
            event INTEGER NOT NULL,
            app TEXT NOT NULL,
            -- The account whose deliveries are in order; null for a delivery in no order with others.
            order_key TEXT,
            state TEXT NOT NULL,
            attempts TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            finished_at INTEGER
        );
        CREATE INDEX event_delivery_due ON event_delivery (due_at, number) WHERE state = 'pending';
        CREATE INDEX event_delivery_order ON event_delivery (endpoint_id, order_key, number) WHERE state = 'pending';
        CREATE INDEX event_delivery_endpoint ON event_delivery (endpoint_id, number);
        CREATE INDEX event_delivery_event ON event_delivery (event);
        CREATE INDEX event_delivery_failed ON event_delivery (number) WHERE state = 'failed';
        CREATE INDEX event_delivery_end ON event_delivery (finished_at) WHERE finished_at IS NOT NULL;
        """

    /// The indexes of the lists of deliveries, which replace those of lists by endpoint and of failed deliveries.
    static let eventDeliveryLists = """
        DROP INDEX event_delivery_endpoint;
        DROP INDEX event_delivery_failed;
        CREATE INDEX event_delivery_of_app ON event_delivery (app, state, number);
        CREATE INDEX event_delivery_of_endpoint ON event_delivery (endpoint_id, state, number);
        """

    // MARK: Triggers

    /// The milliseconds since 1970.
    static let now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    /// The condition that an enabled endpoint of the app receives the type.
    static func isWanted(_ type: String, in app: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM event_endpoint
            WHERE app = \(app) AND state = 'enabled' AND (types = '' OR instr(types, ' \(type) ') > 0))
        """
    }

    /// The JSON of an account's row.
    static func snapshot(of row: String) -> String {
        let fields = EventColumn.fields { column in
            let value = "\(row).\(column.name)"
            return switch column.form {
            case .text: value
            case .boolean: "json(CASE WHEN \(value) THEN 'true' ELSE 'false' END)"
            case .optionalBoolean: "json(CASE \(value) WHEN TRUE THEN 'true' WHEN FALSE THEN 'false' ELSE 'null' END)"
            case .json: "json(\(value))"
            }
        }
        return "json_object(\(fields))"
    }

    private static let changedFields: String = {
        let fields = EventColumn.all.map { "SELECT '\($0.field)' AS field WHERE NEW.\($0.name) IS NOT OLD.\($0.name)" }
        return "(SELECT json_group_array(field) FROM (\(fields.joined(separator: " UNION ALL "))))"
    }()

    private static let isChanged =
        EventColumn.all.map { "NEW.\($0.name) IS NOT OLD.\($0.name)" }.joined(separator: " OR ")

    /// - Parameters:
    ///   - name: The trigger's name without its prefix; nil for that of the type.
    ///   - event: The change of a table that fires the trigger.
    ///   - row: The row, `NEW` or `OLD`.
    ///   - account: The row of the account; nil for the one that `row` belongs to.
    private static func trigger(
        _ type: String, named name: String? = nil, after event: String, on row: String, account: String? = nil,
        when condition: String = "TRUE",
        session: String = "NULL", details: String = "'{}'"
    ) -> String {
        let source = account == nil ? "FROM account a WHERE a.app = \(row).app AND a.id = \(row).account_id" : ""
        let name = name ?? type.replacing(".", with: "_")
        return """
            CREATE TRIGGER event_\(name) AFTER \(event)
            WHEN (\(condition)) AND \(isWanted(type, in: "\(row).app"))
            BEGIN
                INSERT INTO account_event (
                    id, app, type, account_id, session_id, actor, snapshot, details, created_at)
                SELECT lower(hex(randomblob(16))), \(row).app, '\(type)', \(row).\(account == nil ? "account_id" : "id"),
                    \(session), NULL, \(snapshot(of: account ?? "a")), \(details), \(now) \(source);
            END
            """
    }

    private static var eventTriggers: [String] {
        [
            trigger(
                "account.created", after: "INSERT ON account", on: "NEW", account: "NEW",
                details: "json_object('provider', NEW.provider)"),
            trigger(
                "account.updated",
                after: "UPDATE OF \(EventColumn.names) ON account", on: "NEW",
                account: "NEW", when: isChanged, details: "json_object('changed', \(changedFields))"),
            trigger(
                "account.disabled", after: "UPDATE OF is_active ON account", on: "NEW", account: "NEW",
                when: "OLD.is_active AND NOT NEW.is_active"),
            trigger(
                "account.enabled", after: "UPDATE OF is_active ON account", on: "NEW", account: "NEW",
                when: "NEW.is_active AND NOT OLD.is_active"),
            trigger("account.deleted", after: "DELETE ON account", on: "OLD", account: "OLD"),
            trigger(
                "password.changed", after: "UPDATE OF password_hash ON account", on: "NEW", account: "NEW",
                // A hash of the same password with a higher cost changes no version.
                when: "NEW.password_hash IS NOT OLD.password_hash AND NEW.credential_version <> OLD.credential_version"),
            trigger(
                "identity.unlinked", after: "UPDATE OF provider_subject ON account", on: "NEW", account: "NEW",
                when: "OLD.provider_subject IS NOT NULL AND NEW.provider_subject IS NOT OLD.provider_subject",
                details: "json_object('provider', OLD.provider)"),
            trigger(
                "identity.linked", after: "UPDATE OF provider_subject ON account", on: "NEW", account: "NEW",
                when: "NEW.provider_subject IS NOT NULL AND NEW.provider_subject IS NOT OLD.provider_subject",
                details: "json_object('provider', NEW.provider)"),
            trigger("session.created", after: "INSERT ON session", on: "NEW", session: "NEW.id"),
            trigger(
                "session.revoked", after: "UPDATE OF revoked_at ON session", on: "NEW",
                // A session that expired before is marked too.
                when: "OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL AND NEW.idle_ends_at > NEW.revoked_at",
                session: "NEW.id", details: "json_object('reason', NEW.revoke_reason)"),
            trigger(
                "factor.added", after: "INSERT ON factor", on: "NEW",
                details: "json_object('factor', json_object('id', NEW.id, 'type', NEW.kind))"),
            // Those of a deleted account have no account any more.
            trigger(
                "factor.removed", after: "DELETE ON factor", on: "OLD",
                details: "json_object('factor', json_object('id', OLD.id, 'type', OLD.kind))"),
            trigger("password.reset_requested", after: "INSERT ON reset_token", on: "NEW"),
            trigger(
                "password.reset_requested", named: "password_reset_requested_again",
                after: "UPDATE OF hash ON reset_token", on: "NEW", when: "NEW.hash IS NOT OLD.hash"),
            """
            CREATE TRIGGER event_queued AFTER INSERT ON account_event WHEN NEW.type <> 'endpoint.test'
            BEGIN
                INSERT INTO event_delivery (endpoint_id, event, app, order_key, state, attempts, created_at, due_at)
                SELECT id, NEW.number, app, NEW.account_id, 'pending', '[]', NEW.created_at, 0 FROM event_endpoint
                WHERE app = NEW.app AND state = 'enabled'
                    AND (types = '' OR instr(types, ' ' || NEW.type || ' ') > 0);
            END
            """,
            """
            CREATE TRIGGER event_forgotten AFTER DELETE ON event_delivery
            WHEN NOT EXISTS (SELECT 1 FROM event_delivery WHERE event = OLD.event)
            BEGIN DELETE FROM account_event WHERE number = OLD.event; END
            """,
        ]
    }
}
