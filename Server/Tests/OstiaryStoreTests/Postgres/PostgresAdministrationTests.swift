import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

/// Writes of the administration whose answer was lost, and which a second node repeats.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresAdministrationTests {
    private let role: StoredRole

    init() throws {
        role = StoredRole(app: try .named(), name: "viewer", permissions: [try PermissionPattern("videos:read")])
    }

    @Test func `an addition of a role that is repeated succeeds again`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let operation = WriteOperation(.system)
            for node in nodes {
                let outcome = try await node.add(role, limit: 1, as: operation)
                #expect(outcome == .added)
            }
            let outcome = try await nodes[1].add(role, limit: 1)
            #expect(outcome == .exists)
        }
    }

    @Test func `a removal of a role that is repeated succeeds again`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            _ = try await nodes[0].add(role, limit: 1)
            let operation = WriteOperation(.system)
            for node in nodes { #expect(try await node.removeRole("viewer", in: .named(), as: operation)) }
            let other = WriteOperation(.system)
            for node in nodes { #expect(try await !node.removeRole("viewer", in: .named(), as: other)) }
        }
    }

    @Test func `a role that one node changes holds at the other`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            _ = try await nodes[0].add(role, limit: 1)
            #expect(try await nodes[1].roles(named: ["viewer"], in: .named()) == [role])
            var changed = role
            changed.permissions = [.all]
            #expect(try await nodes[0].replace(changed, from: nil))
            #expect(try await nodes[1].roles(named: ["viewer"], in: .named()) == [changed])
        }
    }

    @Test func `a revocation of a service key waits for the session that is being added`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let account = try await nodes[0].addAccount()
            let key = ServiceKey(
                id: try ServiceKeyID("0123456789abcdef"), name: "k", hash: [1], scopes: [], createdAt: noon)
            try await nodes[0].add(key)
            let session = Session(
                id: try SessionID("s"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 900,
                endsAt: noon.after(900), actor: "key:\(key.id.text)")
            let revoking = try await nodes[0].transaction { tx in
                try await tx.run(
                    PostgresStore.lockingActor(of: session)
                        + PostgresStore.adding(session, credentialVersion: 0, attachment: nil))
                let revoking = Task { try await nodes[1].revokeServiceKey(key.id, at: noon.after(1)) }
                // Not before the other node waits for the lock.
                var isWaiting = false
                while !isWaiting {
                    isWaiting =
                        try await nodes[0].read("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")
                        .value { try $0.bool() } ?? false
                }
                return revoking
            }
            _ = try await revoking.value
            #expect(try await nodes[0].state("s")?.session.revocation?.reason == .actorRevoked)
        }
    }

    private func failed(_ id: String) throws -> MessageRecord {
        MessageRecord(
            id: id, app: try .named(), description: nil, outcome: .failed, attempts: 1, createdAt: noon,
            settledAt: noon, usefulUntil: noon.after(60), sealed: [1, 2, 3])
    }

    @Test func `a message that is settled or returned to the queue again is there once`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            try await nodes[0].enqueue(.sample("a"))
            for node in nodes { try await node.settle(failed("a")) }
            #expect(try await nodes[0].messageRecord("a") == failed("a"))
            let operation = WriteOperation(.system)
            #expect(try await nodes[0].requeue("a", at: noon, as: operation) == .queued)
            try await nodes[0].remove("a")
            // Sent meanwhile: the repetition does not send it again.
            #expect(try await nodes[1].requeue("a", at: noon, as: operation) == .queued)
            #expect(try await nodes[0].count() == 0)
        }
    }
}
