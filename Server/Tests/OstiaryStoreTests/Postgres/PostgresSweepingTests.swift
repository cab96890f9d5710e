import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

/// Sweeping on two nodes, concurrently with everything else.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PostgresSweepingTests
{
    private func sweep(_ store: PostgresStore, at now: Date = noon, endedBefore horizon: Date = noon) async throws
        -> Int
    {
        try await store.sweep(at: now, endedBefore: horizon, auditBefore: .distantPast)
    }

    @Test func `passes over a row that somebody holds`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let account = try await nodes[0].addAccount()
            for id in ["held", "free"] { try await nodes[0].addSession(id, of: account, idleSeconds: 60) }
            try await nodes[0].transaction { tx in
                try await tx.run("SELECT 1 FROM session WHERE id = 'held' FOR UPDATE")
                #expect(try await sweep(nodes[1], endedBefore: noon.after(61)) == 1)
                #expect(try await nodes[1].state("held") != nil)
            }
            #expect(try await sweep(nodes[1], endedBefore: noon.after(61)) == 1)
        }
    }

    @Test func `shares the work among nodes that sweep at once`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            try await nodes[0].write(
                """
                INSERT INTO ticket (app, kind, hash, payload, expires_at)
                SELECT 'vici', 'request_nonce', decode(md5(n::text), 'hex'), '', n FROM generate_series(1, 5000) AS n
                """)
            let swept = try await inParallel(4) { try await sweep(nodes[$0 % 2]) }
            let last = try await sweep(nodes[0])
            #expect(swept.reduce(last, +) == 5000)
        }
    }

    @Test func `looks at a session again that went on, and forgets it when it is over`() async throws {
        try await PostgresServer.shared().withNodes(1) { nodes in
            let account = try await nodes[0].addAccount()
            try await nodes[0].addSession("s1", of: account, idleSeconds: 60)
            _ = try await nodes[0].rotate("s1", from: 0, at: noon.after(30))
            #expect(try await sweep(nodes[0], endedBefore: noon.after(61)) == 0)
            let next = { try await nodes[0].read("SELECT sweep_at FROM session").value { try $0.date() } }
            #expect(try await next() == noon.after(90))
            #expect(try await sweep(nodes[0], endedBefore: noon.after(91)) == 1)
        }
    }

    @Test func `looks at once at sessions that were copied from elsewhere`() async throws {
        try await PostgresServer.shared().withNodes(1) { nodes in
            let account = try await nodes[0].addAccount()
            for (id, idle) in [("short", 60), ("long", 6000)] {
                try await nodes[0].addSession(id, of: account, idleSeconds: idle)
            }
            try await nodes[0].addSession("revoked", of: account)
            _ = try await nodes[0].revoke(
                SessionID("revoked"), in: .named(), Revocation(reason: .signOut, at: noon.after(62)))
            try await nodes[0].write("UPDATE session SET sweep_at = 0")
            #expect(try await sweep(nodes[0], endedBefore: noon.after(61)) == 1)
            #expect(try await sweep(nodes[0], endedBefore: noon.after(63)) == 1)
            #expect(try await nodes[0].state("long") != nil)
        }
    }

    @Test func `looks at an attempt again that was counted since`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let bucket = AttemptBucket(key: "k", limit: RateLimit(attempts: 1, perSeconds: 60))
            for seconds in [0.0, 301] { _ = try await nodes[0].count([bucket], at: noon.after(seconds)) }
            // Five minutes after the bucket is full.
            #expect(try await sweep(nodes[1], at: noon.after(360)) == 0)
            #expect(try await nodes[0].count([bucket], at: noon.after(360)) == 1)
            #expect(try await sweep(nodes[1], at: noon.after(660)) == 0)
            #expect(try await sweep(nodes[1], at: noon.after(661)) == 1)
        }
    }

    @Test func `forgets operations after a day`() async throws {
        try await PostgresServer.shared().withNodes(1) { nodes in
            try await nodes[0].write(
                "INSERT INTO operation (id, done_at) VALUES (gen_random_uuid(), $1)", [noon.milliseconds])
            for (seconds, count) in [(86_399.0, Int64(1)), (86_400, 0)] {
                _ = try await sweep(nodes[0], at: noon.after(seconds))
                let left = try await nodes[0].read("SELECT count(*) FROM operation").value { try $0.integer() }
                #expect(left == count)
            }
        }
    }

    @Test func `refuses to open where statements would not see what committed before them`() async throws {
        try await PostgresServer.shared().withDatabase { database in
            try await database.administer(
                "ALTER DATABASE \(database.name) SET default_transaction_isolation = 'repeatable read'")
            // A pooler allows no settings at the start of a connection.
            let pooled = try PostgresSettings(url: database.url("pool_size=2&pooler=transaction"))
            await #expect(
                throws: StoreError.unsuitable(setting: "default_transaction_isolation", needs: "'read committed'")
            ) { try await PostgresStore.open(pooled, system: .system, log: .silent) }
            let direct = try PostgresSettings(url: database.url("pool_size=2"))
            try await PostgresStore.open(direct, system: .system, log: .silent).close()
        }
    }

    @Test func `is not ready where it may only read`() async throws {
        try await PostgresServer.shared().withSettings { settings in
            let node = try await PostgresStore.open(settings, system: .system, log: .silent)
            try await node.checkReadiness()
            try await node.write("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
            await #expect(throws: StoreError.postgres(.unreachable(.readOnly))) { try await node.checkReadiness() }
            await node.close()
        }
    }
}
