import Foundation
import OstiaryEngine
import PostgresServer
import Testing

@testable import OstiaryStore

/// Attempts that are counted on two nodes.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PostgresAttemptTests
{
    @Test func `RL-08 allows as many attempts at two nodes as at one`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            for round in 0..<10 {
                let bucket = AttemptBucket(key: "k\(round)", limit: RateLimit(attempts: 7, perSeconds: 60))
                let waits = try await inParallel(50) { try await nodes[$0 % 2].count([bucket], at: noon) }
                #expect(waits.count { $0 == nil } == 7)
            }
        }
    }

    /// ``PostgresServer`` checks for deadlocks at the end.
    @Test func `counts the same keys in any order without waiting for itself`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let limit = RateLimit(attempts: 1000, perSeconds: 60)
            let keys = (0..<6).map { "k\($0)" }
            _ = try await inParallel(100) { index in
                let rotated = (0..<6).map { keys[($0 * 5 + index) % 6] }
                _ = try await nodes[index % 2].count(
                    rotated.prefix(2 + index % 5).map { AttemptBucket(key: $0, limit: limit) }, at: noon)
                if index % 10 == 0 { try await nodes[index % 2].forgive(rotated) }
            }
        }
    }

    @Test func `counts an attempt once that is repeated`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let buckets = ["a", "b"].map { AttemptBucket(key: $0, limit: RateLimit(attempts: 1, perSeconds: 60)) }
            let operation = WriteOperation(.system)
            var waits: [Int?] = []
            for node in nodes { waits.append(try await node.count(buckets, at: noon, as: operation)?.seconds) }
            waits.append(try await nodes[0].count(buckets, at: noon))
            #expect(waits == [nil, nil, 60])
        }
    }
}
