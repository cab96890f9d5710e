package import Foundation
import GRDB
package import OstiaryEngine

extension SQLiteStore {
    package func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int? {
        try await write { try $0.count(buckets, at: now)?.seconds }
    }

    package func attempt(_ key: String) async throws -> AttemptRecord? {
        try await read { try $0.attemptRecord(key) }
    }

    package func wait(for bucket: AttemptBucket, at now: Date) async throws -> Int? {
        let record = try await read { try $0.attemptRecord(bucket.key) }
        return bucket.rule.verdict(record, now: now).waitSeconds
    }

    package func forgive(_ forgiveness: CountReversal, at now: Date) async throws {
        try await write { try $0.forgive(forgiveness) }
    }

    package func isKnown(_ network: KnownNetwork, at now: Date) async throws -> Bool {
        try await read { try $0.isKnown(network, at: now) }
    }

    package func forgetNetworks(of subject: [UInt8]) async throws {
        _ = try await write { try $0.run("DELETE FROM known_network WHERE subject = ?1", [Data(subject)]) }
    }
}

extension Database {
    /// Implements ``SQLiteStore/count(_:at:)``.
    func count(_ buckets: [AttemptBucket], at now: Date) throws -> AttemptRefusal? {
        var records: [String: AttemptRecord] = [:]
        var longest: AttemptRefusal?
        for bucket in buckets {
            let before = try records[bucket.key] ?? attemptRecord(bucket.key)
            switch bucket.rule.verdict(before, now: now) {
            case .allowed(let next): records[bucket.key] = next
            case .wait(let seconds) where seconds > longest?.seconds ?? 0:
                longest = AttemptRefusal(seconds: seconds, key: bucket.key)
            case .wait: break
            }
        }
        guard longest == nil else { return longest }
        for (key, record) in records {
            try run(
                """
                INSERT INTO attempt (name, full_at, failures, next_at) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (name) DO UPDATE SET
                    full_at = excluded.full_at, failures = excluded.failures, next_at = excluded.next_at
                """, [key, record.fullAt.milliseconds, record.failures, record.nextAt.milliseconds])
        }
        return nil
    }

    func attemptRecord(_ key: String) throws -> AttemptRecord? {
        try row(
            "SELECT full_at, failures, next_at FROM attempt WHERE name = ?1", [key], read: { try $0.attemptRecord() })
    }

    func isKnown(_ network: KnownNetwork, at now: Date) throws -> Bool {
        try row(
            "SELECT 1 FROM known_network WHERE subject = ?1 AND network = ?2 AND expires_at > ?3",
            [Data(network.subject), Data(network.network), now.milliseconds], read: { try $0.integer() }) != nil
    }

    /// Implements ``SQLiteStore/forgive(_:at:)``.
    fileprivate func forgive(_ forgiveness: CountReversal) throws {
        for key in forgiveness.forgotten { try run("DELETE FROM attempt WHERE name = ?1", [key]) }
        for bucket in forgiveness.refunded {
            try run(
                "UPDATE attempt SET full_at = full_at - ?2, failures = max(failures - ?3, 0) WHERE name = ?1",
                [bucket.key, bucket.refundMilliseconds, bucket.rule.refund.failures])
        }
        guard let network = forgiveness.network else { return }
        try run(
            """
            INSERT INTO known_network (subject, network, expires_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (subject, network) DO UPDATE SET expires_at = excluded.expires_at
            """, [Data(network.subject), Data(network.network), network.expiresAt.milliseconds])
        try run(
            """
            DELETE FROM known_network WHERE subject = ?1 AND network IN (
                SELECT network FROM known_network WHERE subject = ?1
                ORDER BY expires_at DESC, network LIMIT -1 OFFSET ?2)
            """, [Data(network.subject), KnownNetwork.limit])
    }
}
