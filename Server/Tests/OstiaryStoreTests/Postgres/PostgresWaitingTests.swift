import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
@testable import OstiaryStore
import PostgresServer
import Testing

/// The behaviour of a call that waited for another node's transaction: it began before that transaction committed.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PostgresWaitingTests
{
    private func withNode(_ body: (PostgresStore) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(1) { try await body($0[0]) }
    }

    /// Makes `call` wait for the locks of a statement, runs another statement, and then commits both.
    private func after<Value: Sendable>(
        _ node: PostgresStore, _ statement: PostgresStatement, then other: PostgresStatement? = nil,
        call: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let waiting = try await node.transaction { tx in
            try await tx.run([statement])
            let waiting = Task(operation: call)
            try await eventually("a call waits for a lock") {
                try await node.read(
                    """
                    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                    """
                ).value { try $0.integer() } != 0
            }
            if let other { try await tx.run([other]) }
            return waiting
        }
        return try await waiting.value
    }

    private func disabling(_ account: Account) -> PostgresStatement {
        PostgresStatement(
            "UPDATE account SET is_active = FALSE, credential_version = credential_version + 1 WHERE id = $1",
            [account.id.text])
    }

    private func deleting(_ account: Account) -> PostgresStatement {
        PostgresStatement("DELETE FROM account WHERE id = $1", [account.id.text])
    }

    private func session(of account: Account) throws -> Session {
        Session(
            id: try SessionID("s1"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
            endsAt: noon.after(60))
    }

    @Test func `RC-08 a sign-in fails that waited for the account to be disabled`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            let session = try session(of: account)
            let isAdded = try await after(node, disabling(account)) {
                try await node.add(session, credentialVersion: 0)
            }
            #expect(!isAdded)
        }
    }

    @Test(arguments: [Revocation.Reason.accountDisabled, .passwordChanged])
    func `RC-08 what ends sessions ends that of a sign-in that it waited for`(
        reason: Revocation.Reason
    ) async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            let session = try session(of: account)
            try await after(node, PostgresStore.adding(session, credentialVersion: 0)) {
                switch reason {
                case .accountDisabled:
                    _ = try await node.change(account.id, in: account.app, AccountChange(isActive: false), at: noon)
                default:
                    _ = try await node.setPassword(
                        PasswordChange(app: account.app, account: account.id, hash: "new", reason: reason, at: noon))
                }
            }
            #expect(try await node.state("s1")?.session.revocation?.reason == reason)
        }
    }

    @Test func `RC-08 a deletion takes the session of a sign-in along that it waited for`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            let session = try session(of: account)
            let isDeleted = try await after(node, PostgresStore.adding(session, credentialVersion: 0)) {
                try await node.delete(account.id, in: account.app, credentialVersion: 0)
            }
            #expect(isDeleted)
            #expect(try await node.state("s1") == nil)
        }
    }

    @Test func `a deletion is refused that waited for other credentials`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            let isDeleted = try await after(node, disabling(account)) {
                try await node.delete(account.id, in: account.app, credentialVersion: 0)
            }
            #expect(!isDeleted)
        }
    }

    @Test func `a change of roles keeps what it waited for`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            let changed = try await after(
                node, PostgresStatement(#"UPDATE account SET roles = '["a"]' WHERE id = $1"#, [account.id.text])
            ) {
                try await node.change(
                    account.id, in: account.app, AccountChange(addedRoles: try RoleAssignment.read(["b"])), at: noon)
            }
            #expect(changed?.roles == ["a", "b"])
        }
    }

    @Test func `a reset token is a stranger's that waited for its account to be deleted`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            try await after(node, deleting(account)) { try await node.replace(with: .sample(1, of: account)) }
            #expect(try await node.account(forResetToken: [1], in: .named(), at: noon) == nil)
        }
    }

    @Test(arguments: ["DELETE FROM code WHERE id = 'c1'", "UPDATE code SET id = 'c2' WHERE id = 'c1'"])
    func `a registration fails that waited for its code to be spent or replaced`(sql: String) async throws {
        try await withNode { node in
            try await node.replace(with: .sample("c1"))
            await #expect(throws: StoreRefusal.alreadySpent) {
                _ = try await after(node, PostgresStatement(sql)) {
                    try await node.add(.local(username: "jo"), spending: .code(id: "c1", app: .named()))
                }
            }
            #expect(try await node.account(identifiedBy: .username(Username("jo")), in: .named()) == nil)
        }
    }

    @Test func `a registration gets the address that somebody from a provider was just called by`() async throws {
        try await withNode { node in
            let social = try await node.add(.social(subject: "s1"), spending: nil)
            let taking = PostgresStatement(
                "INSERT INTO account_name (app, name, account_id) VALUES ('vici', 'jo@example.com', $1)",
                [social.id.text])
            let local = try await after(node, taking) {
                try await node.add(.local(email: "jo@example.com"), spending: nil)
            }
            let found = try await node.account(
                identifiedBy: .email(EmailAddress("jo@example.com")), in: .named())
            #expect(found == local)
        }
    }

    @Test func `a registration that waits for one name holds no name that sorts after it`() async throws {
        try await withNode { node in
            let other = try await node.add(.local(phone: "+15551234567"), spending: nil)
            let taking = ["a@example.com", "b@example.com"].map { name in
                PostgresStatement(
                    "INSERT INTO account_name (app, name, account_id) VALUES ('vici', $1, $2)", [name, other.id.text])
            }
            await #expect(throws: StoreRefusal.identifierTaken) {
                _ = try await after(node, taking[0], then: taking[1]) {
                    try await node.add(.local(email: "a@example.com", username: "b@example.com"), spending: nil)
                }
            }
        }
    }

    @Test func `a claim of an imported account that waited for another's makes a new one`() async throws {
        try await withNode { node in
            let imported = try await node.add(.social(subject: "s1"), spending: nil)
            let claiming = PostgresStatement(
                "UPDATE account SET provider_issuer = 'https://b.example' WHERE id = $1", [imported.id.text])
            let upsert = ProviderAccountUpsert(
                app: try .named(), idKind: .integer, kind: "auth0",
                identity: ProviderIdentity(issuer: "https://a.example", subject: "s1"), claimsImported: true, at: noon)
            let found = try await after(node, claiming) { try await node.account(of: upsert) }
            #expect(found.id != imported.id && found.providerIssuer == "https://a.example")
        }
    }

    @Test func `a claim gives way to an account that was just made for the same person`() async throws {
        try await withNode { node in
            let imported = try await node.add(.social(subject: "s1"), spending: nil)
            let making = PostgresStatement(
                """
                INSERT INTO account (app, id, roles, is_active, provider, provider_issuer, provider_subject,
                    is_email_verified, credential_version, created_at)
                VALUES ('vici', 'made', '[]', TRUE, 'auth0', 'https://a.example', 's1', FALSE, 0, 0)
                """)
            let upsert = ProviderAccountUpsert(
                app: try .named(), idKind: .integer, kind: "auth0",
                identity: ProviderIdentity(issuer: "https://a.example", subject: "s1"), claimsImported: true, at: noon)
            let found = try await after(node, making) { try await node.account(of: upsert) }
            #expect(found.id.text == "made")
            #expect(try await node.account(imported.id, in: .named())?.providerIssuer == nil)
        }
    }
}
