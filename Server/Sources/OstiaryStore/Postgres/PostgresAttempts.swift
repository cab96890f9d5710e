public import Foundation
public import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    public func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int? {
        guard !buckets.isEmpty else { return nil }
        return try await count(buckets, at: now, as: WriteOperation(surroundings))
    }

    /// Locks the keys in the order of their names, so that no two calls wait for each other; judges; writes.
    ///
    /// - Parameter statements: What is done only if all allow it, in the same commit. A repetition does it no second time.
    func count(
        _ buckets: [AttemptBucket], at now: Date, and statements: [PostgresStatement] = [], as operation: WriteOperation
    ) async throws -> Int? {
        let names = Set(buckets.map(\.key)).sorted()
        return try await transaction { tx in
            let locked = try await tx.run([
                // A condition that never holds changes nothing, but the row is locked, and it is there. A new one says 1970, not
                // now: rounded to the millisecond that could be later than now.
                PostgresStatement(
                    """
                    INSERT INTO attempt (name, full_at, sweep_at)
                    SELECT name, 0, $2 FROM unnest($1) WITH ORDINALITY AS k (name, place) ORDER BY place
                    ON CONFLICT (name) DO UPDATE SET full_at = excluded.full_at WHERE FALSE
                    """, [names, now.milliseconds]),
                PostgresStatement(
                    """
                    SELECT name, full_at, counted_by IS NOT DISTINCT FROM $2::uuid FROM attempt
                    WHERE name = ANY ($1)
                    """, [names, operation.id]),
            ])
            let rows = try locked[1].values { row in
                (name: try row.text(), fullAt: try row.date(), isCounted: try row.bool())
            }
            guard !rows.contains(where: \.isCounted) else { return nil }
            var fullAt = Dictionary(rows.map { ($0.name, $0.fullAt) }, uniquingKeysWith: { first, _ in first })
            var longestWait: Int?
            for bucket in buckets {
                switch bucket.limit.verdict(fullAt: fullAt[bucket.key], now: now) {
                case .allowed(let next): fullAt[bucket.key] = next
                case .wait(let seconds): longestWait = max(longestWait ?? 0, seconds)
                }
            }
            guard longestWait == nil else { return longestWait }
            let counting = PostgresStatement(
                """
                UPDATE attempt SET full_at = k.full_at, counted_by = $3::uuid
                FROM unnest($1, $2) AS k (name, full_at) WHERE attempt.name = k.name
                """,
                [names, names.map { (fullAt[$0] ?? now).milliseconds }, operation.id])
            try await tx.commit(after: [counting] + statements)
            return nil
        }
    }

    public func forgive(_ keys: [String]) async throws {
        guard !keys.isEmpty else { return }
        try await write(
            Set(keys).sorted().map { PostgresStatement("DELETE FROM attempt WHERE name = $1", [$0]) })
    }
}
