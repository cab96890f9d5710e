package import Foundation
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int? {
        guard !buckets.isEmpty else { return nil }
        return try await count(buckets, at: now, as: WriteOperation(system))?.seconds
    }

    /// Locks the keys, decides and writes.
    ///
    /// - Parameter statements: Run only if all buckets allow the attempt, in the same commit. Idempotent: a repetition
    ///   does not run them again.
    func count(
        _ buckets: [AttemptBucket], at now: Date, and statements: [PostgresStatement] = [], as operation: WriteOperation
    ) async throws -> AttemptRefusal? {
        try await transaction { tx in
            switch try await tx.verdict(on: buckets, at: now, as: operation) {
            case .counted: return nil
            case .refused(let refusal): return refusal
            case .allowed(let counting):
                try await tx.commit(after: [counting] + statements)
                return nil
            }
        }
    }

    package func attempt(_ key: String) async throws -> AttemptRecord? {
        try await read("SELECT full_at, failures, next_at FROM attempt WHERE name = $1", [key])
            .value { try $0.attemptRecord() }
    }

    package func wait(for bucket: AttemptBucket, at now: Date) async throws -> Int? {
        let record = try await read("SELECT full_at, failures, next_at FROM attempt WHERE name = $1", [bucket.key])
            .value { try $0.attemptRecord() }
        return bucket.rule.verdict(record, now: now).waitSeconds
    }

    package func forgive(_ forgiveness: CountReversal, at now: Date) async throws {
        try await forgive(forgiveness, as: WriteOperation(system))
    }

    func forgive(_ forgiveness: CountReversal, as operation: WriteOperation) async throws {
        let deletions = forgiveness.forgotten.map { key in
            (key: key, statement: PostgresStatement("DELETE FROM attempt WHERE name = $1", [key]))
        }
        // The operation's mark keeps a repetition from refunding twice. Where another operation counted in between, a
        // repetition refunds one attempt too many, which does not justify an operation row for every sign-in.
        let refunds = forgiveness.refunded.map { bucket in
            (
                key: bucket.key,
                statement: PostgresStatement(
                    """
                    UPDATE attempt SET
                        full_at = full_at - $2, failures = greatest(failures - $3, 0), counted_by = $4::uuid
                    WHERE name = $1 AND counted_by IS DISTINCT FROM $4::uuid
                    """,
                    [bucket.key, bucket.refundMilliseconds, bucket.rule.refund.failures, operation.id])
            )
        }
        // In the order of the names, in which they are also counted.
        let statements = (deletions + refunds).sorted { $0.key < $1.key }.map(\.statement)
        try await write(statements + (forgiveness.network?.remembering ?? []))
    }

    package func isKnown(_ network: KnownNetwork, at now: Date) async throws -> Bool {
        try await read(
            "SELECT 1 FROM known_network WHERE subject = $1 AND network = $2 AND expires_at > $3",
            [network.subject, network.network, now.milliseconds]
        ).value { try $0.integer() } != nil
    }

    package func forgetNetworks(of subject: [UInt8]) async throws {
        try await write("DELETE FROM known_network WHERE subject = $1", [subject])
    }
}

extension KnownNetwork {
    fileprivate var remembering: [PostgresStatement] {
        [
            PostgresStatement(
                """
                INSERT INTO known_network (subject, network, expires_at) VALUES ($1, $2, $3)
                ON CONFLICT (subject, network) DO UPDATE SET expires_at = excluded.expires_at
                """, [subject, network, expiresAt.milliseconds]),
            // Rows that another transaction has locked are skipped: two that remember networks of one subject must not
            // wait for each other.
            PostgresStatement(
                """
                DELETE FROM known_network WHERE subject = $1 AND network = ANY (ARRAY (
                    SELECT network FROM known_network WHERE subject = $1 AND network = ANY (ARRAY (
                        SELECT network FROM known_network WHERE subject = $1
                        ORDER BY expires_at DESC, network OFFSET $2))
                    FOR UPDATE SKIP LOCKED))
                """, [subject, Self.limit]),
        ]
    }
}

/// The verdict of buckets whose keys are locked.
enum LockedVerdict {
    /// The operation was counted before: its commit is repeated.
    case counted
    /// A bucket refuses.
    case refused(AttemptRefusal)
    /// All buckets allow the attempt, which the statement counts.
    case allowed(counting: PostgresStatement)
}

extension PostgresTransaction {
    /// Locks the keys of buckets in the order of their names, against deadlocks between two calls, and decides.
    func verdict(
        on buckets: [AttemptBucket], at now: Date, as operation: WriteOperation
    ) async throws -> LockedVerdict {
        let names = Set(buckets.map(\.key)).sorted()
        let locked = try await run([
            // The condition is never true and changes nothing, but the row then exists and is locked. A new row's
            // time is 1970, not now: rounded to the millisecond that could be later than now.
            PostgresStatement(
                """
                INSERT INTO attempt (name, full_at, sweep_at)
                SELECT name, 0, $2 FROM unnest($1) WITH ORDINALITY AS k (name, place) ORDER BY place
                ON CONFLICT (name) DO UPDATE SET full_at = excluded.full_at WHERE FALSE
                """, [names, now.milliseconds]),
            PostgresStatement(
                """
                SELECT counted_by IS NOT DISTINCT FROM $2::uuid, name, full_at, failures, next_at FROM attempt
                WHERE name = ANY ($1)
                """, [names, operation.id]),
        ])
        let rows = try locked[1].values { row in
            (isCounted: try row.bool(), name: try row.text(), record: try row.attemptRecord())
        }
        guard !rows.contains(where: \.isCounted) else { return .counted }
        var records = Dictionary(rows.map { ($0.name, $0.record) }, uniquingKeysWith: { first, _ in first })
        var longest: AttemptRefusal?
        for bucket in buckets {
            switch bucket.rule.verdict(records[bucket.key], now: now) {
            case .allowed(let next): records[bucket.key] = next
            case .wait(let seconds) where seconds > longest?.seconds ?? 0:
                longest = AttemptRefusal(seconds: seconds, key: bucket.key)
            case .wait: break
            }
        }
        if let longest { return .refused(longest) }
        let counted = names.map { records[$0] ?? AttemptRecord(fullAt: now) }
        return .allowed(
            counting: PostgresStatement(
                """
                UPDATE attempt SET
                    full_at = k.full_at, failures = k.failures, next_at = k.next_at, counted_by = $5::uuid
                FROM unnest($1, $2, $3, $4) AS k (name, full_at, failures, next_at) WHERE attempt.name = k.name
                """,
                [
                    names, counted.map(\.fullAt.milliseconds), counted.map { Int64($0.failures) },
                    counted.map(\.nextAt.milliseconds), operation.id,
                ]))
    }
}
