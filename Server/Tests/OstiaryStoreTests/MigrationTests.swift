import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore
import Testing

@Suite struct MigrationTests {
    @Test func `brings the first version's accounts, sessions and names along`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.database
            do {
                let database = try DatabaseQueue(path: path)
                try await database.write { db in
                    try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
                }
                try Schema.steps.migrate(
                    database, upTo: "0001 accounts, sessions, codes, attempts, audit, outbox, keys")
                try await database.write { try $0.execute(sql: Self.firstVersion) }
                try database.close()
            }
            let store = try SQLiteStore(path: path, system: .system)
            let jo = try #require(
                try await store.account(identifiedBy: .email(EmailAddress("jo@example.com")), in: .named()))
            #expect(jo.id.text == "7" && jo.passwordHash == "$2b$10$hash" && !jo.isEmailVerified)
            #expect(try await store.state("s1")?.account.id == jo.id)
            let imported = try #require(try await store.account(AccountID("8"), in: .named()))
            #expect(imported.providerSubject == "auth0|8" && imported.providerIssuer == nil)
            await #expect(throws: StoreRefusal.identifierTaken) {
                try await store.add(.social(subject: "auth0|8"), spending: nil)
            }
            let isDeleted = try await store.delete(jo.id, in: .named(), credentialVersion: nil)
            #expect(isDeleted)
            #expect(try await store.state("s1") == nil)
            try await store.close()
        }
    }

    @Test func `PT-03: brings the counts of the second version along`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.database
            do {
                let database = try DatabaseQueue(path: path)
                try await database.write { db in
                    try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
                }
                try Schema.steps.migrate(database, upTo: "0002 provider issuers, proven emails, tickets, attachments")
                try await database.write { db in
                    try db.execute(
                        sql: "INSERT INTO attempt (name, full_at) VALUES ('k', ?)",
                        arguments: [noon.after(60).milliseconds])
                }
                try database.close()
            }
            let store = try SQLiteStore(path: path, system: .system)
            let bucket = AttemptBucket(key: "k", limit: RateLimit(attempts: 1, perSeconds: 60))
            #expect(try await store.count([bucket], at: noon) == 60)
            let network = KnownNetwork(subject: [1], network: [2], expiresAt: noon.after(60))
            try await store.forgive(CountReversal(refunded: [bucket], network: network), at: noon)
            #expect(try await store.count([bucket], at: noon) == nil)
            #expect(try await store.isKnown(network, at: noon))
            try await store.close()
        }
    }

    @Test func `brings the sessions of the version before second factors along without authentication`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.database
            do {
                let database = try DatabaseQueue(path: path)
                try await database.write { db in
                    try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
                }
                try Schema.steps.migrate(database, upTo: "0005 consecutive failures, known networks")
                try await database.write { db in
                    try db.execute(
                        sql: """
                            INSERT INTO account (
                                app, id, roles, is_active, provider, is_email_verified, credential_version, created_at)
                            VALUES ('vici', '7', '[]', TRUE, 'local', FALSE, 0, 0);
                            INSERT INTO session (
                                id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at,
                                generation, generation_issued_at)
                            VALUES ('s1', 'vici', '7', 0, 0, 60, 60000, 60000, 0, 0);
                            """)
                }
                try database.close()
            }
            let store = try SQLiteStore(path: path, system: .system)
            let state = try #require(try await store.state("s1"))
            #expect(state.session.authentication == AuthenticationContext())
            #expect(try await store.factors(of: state.account.id, in: .named()) == EnrolledFactors())
            let outcome = try await store.enrol(
                .sample("f1", of: state.account, session: "s1", authentication: .sample(.password, .totp)))
            #expect(outcome == .enrolled(storedRecoveryCodes: true))
            #expect(try await store.state("s1")?.session.authentication == .sample(.password, .totp))
            try await store.close()
        }
    }

    @Test func `derives the roles of the accounts of the version before their search`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.database
            do {
                let database = try DatabaseQueue(path: path)
                try await database.write { db in
                    try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
                }
                try Schema.steps.migrate(database, upTo: "0007 channels of password resets")
                try await database.write { db in
                    try db.execute(
                        sql: """
                            INSERT INTO account (
                                app, id, email, roles, is_active, provider, is_email_verified, credential_version, created_at)
                            VALUES ('vici', '7', 'Jo@x.org', '["admin","editor@a"]', TRUE, 'local', FALSE, 0, 5),
                                ('vici', '8', 'ann@x.org', '[]', FALSE, 'local', FALSE, 0, 6);
                            """)
                }
                try database.close()
            }
            let store = try SQLiteStore(path: path, system: .system)
            for source in [AccountSource.role("admin"), .text(.email, prefix: "jo@")] {
                let found = try await store.accounts(from: source, in: .named(), after: nil, limit: 10)
                #expect(found.map(\.details.account.id.text) == ["7"])
                #expect(found.first?.details.updatedAt == Date(milliseconds: 5))
                #expect(found.first?.details.account.isPhoneNumberVerified == nil)
            }
            #expect(try await store.accounts(from: .role("editor"), in: .named(), after: nil, limit: 10).isEmpty)
            #expect(try await store.accounts(from: .disabled, in: .named(), after: nil, limit: 10).count == 1)
            try await store.close()
        }
    }

    @Test func `brings messages, audit events and sessions of the version before the admin API along`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.database
            do {
                let database = try DatabaseQueue(path: path)
                try await database.write { db in
                    try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
                }
                try Schema.steps.migrate(database, upTo: "0007 channels of password resets")
                try await database.write { db in
                    try db.execute(
                        sql: """
                            INSERT INTO account (
                                app, id, roles, is_active, provider, is_email_verified, credential_version, created_at)
                            VALUES ('vici', '7', '["editor"]', TRUE, 'local', FALSE, 0, 0);
                            INSERT INTO session (
                                id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at,
                                generation, generation_issued_at)
                            VALUES ('s1', 'vici', '7', 0, 0, 60, 60000, 60000, 0, 0);
                            INSERT INTO message (id, app, created_at, attempts, due_at, sealed)
                            VALUES ('m1', 'vici', 1000, 3, 2000, X'0102');
                            INSERT INTO audit_event (happened_at, app, action, outcome, account_id)
                            VALUES (1000, 'vici', 'signIn', 'ok', '7'), (2000, 'vici', 'signIn', 'wrong_credentials', NULL);
                            """)
                }
                try database.close()
            }
            let store = try SQLiteStore(path: path, system: .system)
            #expect(try await store.state("s1")?.session.actor == nil)
            let waiting = try #require(try await store.waitingMessage("m1"))
            #expect(waiting.message.attempts == 3 && waiting.lastError == nil)
            let events = try await store.events(
                AuditQuery(apps: [.named()], account: AccountID("7")), after: nil, limit: 9)
            #expect(events.page.map(\.event.action) == ["signIn"])
            #expect(events.page[0].event.details.isEmpty)
            let refused = try AuditQuery(apps: [.named()], outcome: "wrong_credentials")
            #expect(try await store.events(refused, after: nil, limit: 9).page.count == 1)
            #expect(try await store.roles(in: .named(), after: nil, limit: 9).isEmpty)
            try await store.close()
        }
    }

    @Test func `a file of every earlier step is brought up to date with its accounts and sessions`() async throws {
        // The first step has a test of its own.
        for identifier in Schema.steps.migrations.dropFirst().dropLast() {
            try await withTemporaryDirectory { directory in
                let path = directory.database
                let database = try DatabaseQueue(path: path)
                try await database.write { db in
                    try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
                }
                try Schema.steps.migrate(database, upTo: identifier)
                try await database.write { db in
                    for statement in EarlierSchema.rows { try db.execute(sql: statement) }
                }
                try database.close()
                let store = try SQLiteStore(path: path, system: .system)
                let state = try #require(try await store.state("s1"), "\(identifier)")
                #expect(state.account.id.text == "7" && state.account.passwordHash == "$2b$10$hash")
                try await store.checkReadiness()
                try await store.close()
            }
        }
    }

    private static let firstVersion = """
        INSERT INTO account (app, id, email, username, password_hash, roles, is_active, provider, provider_subject,
            credential_version, created_at)
        VALUES ('vici', '7', 'jo@example.com', NULL, '$2b$10$hash', '[]', TRUE, 'local', NULL, 0, 0),
            ('vici', '8', NULL, 'auth0|8', NULL, '[]', TRUE, 'auth0', 'auth0|8', 0, 0);
        INSERT INTO account_name (app, name, account_id) VALUES ('vici', 'jo@example.com', '7'), ('vici', 'auth0|8', '8');
        INSERT INTO session (id, app, account_id, created_at, last_used_at, idle_seconds, idle_ends_at, ends_at, generation,
            generation_issued_at)
        VALUES ('s1', 'vici', '7', 0, 0, 60, 60000, 60000, 0, 0);
        """
}
