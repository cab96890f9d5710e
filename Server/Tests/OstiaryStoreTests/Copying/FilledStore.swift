import Foundation
import GRDB
import OstiaryEngine
@testable import OstiaryStore

/// An SQLite store with rows in every table, and with every kind of value that a column may hold.
enum FilledStore {
    /// Creates the store, closed, with that many accounts and more of everything else.
    static func make(at path: String, accounts: Int = 7) async throws {
        try await SQLiteStore(path: path, system: .system).close()
        let database = try DatabaseQueue(path: path)
        try await database.write { db in
            for number in 1...accounts { try add(number, to: db) }
            // A number that was assigned and is no longer in use.
            try db.execute(sql: "DELETE FROM session WHERE number = (SELECT max(number) FROM session)")
        }
        try database.close()
    }

    static func change(_ path: String, _ sql: String) async throws {
        let database = try DatabaseQueue(path: path)
        try await database.write { try $0.execute(sql: sql) }
        try database.close()
    }

    private static let names = ["ä\u{301}\u{1F469}", "\"quoted\" \\ back", "line\nfeed\u{1}\t", "", "O'Neil; --"]

    private static func add(_ number: Int, to db: Database) throws {
        let name = names[number % names.count]
        let blob = Data((0..<(number * 3)).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ number) } + [0, 255])
        try db.execute(
            sql: """
                INSERT INTO account VALUES (:n, 'vici', 'a' || :n, :n || '@example.com', NULL, NULL, :name, '$2b$10$hash',
                    '["admin"]', :n % 2, iif(:n % 3 = 0, 'oidc', 'local'), iif(:n % 3 = 0, 'https://i.example.com', NULL),
                    iif(:n % 3 = 0, 's' || :n, NULL), :n % 2, 3, 9007199254740993, -:n,
                    iif(:n % 2, 'sms', NULL), iif(:n % 2, :n, NULL), iif(:n % 3, :n % 2, NULL),
                    iif(:n % 2, json_object('plan', :name), '{}'));
                INSERT INTO account_name VALUES ('vici', :n || '@example.com', 'a' || :n);
                INSERT INTO account_counter VALUES ('app-' || :n, :n);
                INSERT INTO session (id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at,
                    generation, generation_issued_at, first_used_at, device_id, user_agent, revoked_at, revoke_reason)
                VALUES ('s' || :n, 'vici', 'a' || :n, 1, 2, 3, 4, 5, 6, 7, iif(:n % 2, 8, NULL), :name, :name,
                    iif(:n % 2, 9, NULL), iif(:n % 2, 'sign_out', NULL)), ('t' || :n, 'vici', 'a' || :n, 1, 2, 3, 4, 5, 6, 7,
                    NULL, NULL, NULL, NULL, NULL);
                INSERT INTO generation_use SELECT number, 0, 1 FROM session WHERE id = 's' || :n;
                INSERT INTO generation_use SELECT number, 5, 1 FROM session WHERE id = 's' || :n;
                INSERT INTO session_attachment SELECT number, :blob, 2 FROM session WHERE id = 's' || :n;
                INSERT INTO app_key VALUES ('vici', :blob, :blob, 'TEAM.' || :name, 4294967295, 1, 1800000000000);
                INSERT INTO session_app_key SELECT number, :blob FROM session WHERE id = 's' || :n;
                UPDATE session SET authentication = 'password:1 passkey:2:hardware' WHERE id = 's' || :n;
                INSERT INTO factor (
                    app, account_id, id, kind, name, material, credential_id, counter, created_at, last_used_at)
                VALUES ('vici', 'a' || :n, 'f' || :n, 'totp', :name, :blob, NULL, 9007199254740993, 1, NULL),
                    ('vici', 'a' || :n, 'p' || :n, 'passkey', :name, zeroblob(0), :blob, 0, 1, 2);
                INSERT INTO device (
                    app, account_id, id, hash, created_at, last_used_at, expires_at, presentations, platform, user_agent,
                    remembered_until, remembered_for)
                VALUES ('vici', 'a' || :n, 'd' || :n, :blob, 1, 2, 9007199254740993, 3, :name, :name,
                    iif(:n % 2, 4, NULL), iif(:n % 2, :blob, NULL));
                INSERT INTO recovery_code VALUES ('vici', 'a' || :n, :blob), ('vici', 'a' || :n, X'00');
                INSERT INTO code VALUES ('vici', :blob, 'c' || :n, :blob, 1800000000000, 5);
                INSERT INTO reset_token VALUES ('vici', :blob, :blob, iif(:n % 2, 'a' || :n, NULL), 1800000000000);
                INSERT INTO ticket VALUES ('vici', 'nonce', :blob, zeroblob(0), 1, NULL, NULL),
                    ('vici', 'browser', :blob, :blob, 1, 2, 's');
                INSERT INTO attempt VALUES ('sign_in:' || :name || :n, 1, 2, 3);
                INSERT INTO known_network VALUES (:blob, X'0100', 1800000000000);
                INSERT INTO audit_event (
                    happened_at, app, action, outcome, address, user_agent, method, factor, is_new_account, details)
                VALUES (1700000000000 + :n * 2678400000, 'vici', 'sign_in', 'ok', '192.0.2.1', :name,
                    iif(:n % 2, 'password', NULL), iif(:n % 3, 'totp', NULL), iif(:n % 2, TRUE, NULL),
                    iif(:n % 2, json_object('reason', :name), NULL));
                INSERT INTO statistic VALUES ('vici', :n * 3600000, 'sign_in', 'signIn', 'password', '', 'ok', 0, :n);
                INSERT INTO active_accounts VALUES ('vici', 'day', :n, 0, :n);
                INSERT INTO account_activity VALUES ('vici', 'a' || :n, iif(:n % 2, 1800000000000, NULL), :n);
                INSERT INTO sign_in_history VALUES ('vici', 'a' || :n, :blob, 1800000000000);
                INSERT INTO statistics_position VALUES ('audit_event', :n)
                ON CONFLICT (source) DO UPDATE SET position = excluded.position;
                INSERT INTO message (id, app, created_at, attempts, due_at, sealed, last_error)
                VALUES ('m' || :n, 'vici', 1, 0, 1, :blob, iif(:n % 2, :name, NULL));
                INSERT INTO message_record VALUES ('r' || :n, 'vici', 'email', 'password_reset', :name, :blob, 'failed', 2,
                    :name, 1, 2, 3, iif(:n % 2, :blob, NULL)),
                    ('u' || :n, 'vici', NULL, NULL, NULL, NULL, 'sent', 9007199254740993, NULL, 1, 2, 3, NULL);
                INSERT INTO role VALUES ('vici', 'role-' || :n, '["videos:*"]');
                UPDATE session SET actor = 'key:k' || :n WHERE id = 's' || :n AND :n % 2;
                INSERT INTO store_key VALUES ('key-' || :n, :blob, 1);
                INSERT INTO signing_key (app, kid, algorithm, sealed_private_key, created_at, retires_at)
                VALUES ('vici', 'k' || :n, 'ES256', :blob, 1, iif(:n % 2, 2, NULL));
                INSERT INTO service_key (id, name, hash, scopes, apps, networks, created_at, expires_at, last_used_at,
                    revoked_at)
                VALUES ('000000000000000' || :n, :name, :blob, 'audit:read', 'vici', '', 1, iif(:n % 2, 2, NULL), NULL,
                    iif(:n % 3, 3, NULL));
                INSERT INTO idempotent_request VALUES (:blob, X'01', 'c', 1, iif(:n % 2, :blob, NULL), 1800000000000);
                INSERT INTO account_event (id, app, type, account_id, session_id, actor, snapshot, details, created_at)
                VALUES ('e' || :n, 'vici', 'endpoint.test', iif(:n % 2, 'a' || :n, NULL), NULL, :name, '{}', '{}', 1);
                INSERT INTO event_delivery (
                    endpoint_id, event, app, order_key, state, attempts, created_at, due_at, finished_at)
                SELECT 'ep' || :n, number, app, account_id, iif(:n % 2, 'pending', 'failed'), '[]', 1, 0, iif(:n % 2, NULL, 2)
                FROM account_event WHERE id = 'e' || :n;
                INSERT INTO event_endpoint (
                    id, app, url, types, include, description, contact, state, secret, previous_secret, created_at)
                VALUES ('ep' || :n, 'vici', 'https://a.example.com/', ' a ', '', :name, NULL, 'disabled', :blob, NULL, 1);
                """, arguments: ["n": number, "name": name, "blob": blob])
    }
}
