public import Foundation
import GRDB
public import OstiaryEngine

extension SQLiteStore {
    public func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int? {
        try await write { try $0.count(buckets, at: now) }
    }

    public func forgive(_ keys: [String]) async throws {
        guard !keys.isEmpty else { return }
        try await write { db in
            for key in keys { try db.run("DELETE FROM attempt WHERE name = ?1", [key]) }
        }
    }
}

extension Database {
    /// ``SQLiteStore/count(_:at:)``.
    func count(_ buckets: [AttemptBucket], at now: Date) throws -> Int? {
        var fullAt: [String: Date] = [:]
        var longestWait: Int?
        for bucket in buckets {
            let before =
                try fullAt[bucket.key]
                ?? row("SELECT full_at FROM attempt WHERE name = ?1", [bucket.key], read: { try $0.date() })
            switch bucket.limit.verdict(fullAt: before, now: now) {
            case .allowed(let next): fullAt[bucket.key] = next
            case .wait(let seconds): longestWait = max(longestWait ?? 0, seconds)
            }
        }
        guard longestWait == nil else { return longestWait }
        for (key, date) in fullAt {
            try run(
                """
                INSERT INTO attempt (name, full_at) VALUES (?1, ?2)
                ON CONFLICT (name) DO UPDATE SET full_at = excluded.full_at
                """, [key, date.milliseconds])
        }
        return nil
    }
}
