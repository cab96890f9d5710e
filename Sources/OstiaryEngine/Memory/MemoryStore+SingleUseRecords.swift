public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Adds a single-use record.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is one of the same app, kind and hash that has not expired.
    public func add(_ record: SingleUseRecord) throws {
        let now = system.now()
        try transaction { tables throws in
            try tables.checkNew(record, at: now)
            tables.keep(record)
        }
    }

    /// Counts a single-use record against every bucket and adds it, or does neither if a bucket refuses.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``, as without buckets.
    public func add(_ record: SingleUseRecord, within buckets: [AttemptBucket], at now: Date) throws -> AttemptRefusal?
    {
        try transaction { tables throws in
            let verdict = tables.verdict(on: buckets, at: now)
            if let refusal = verdict.refusal { return refusal }
            try tables.checkNew(record, at: now)
            tables.note(verdict.records)
            tables.keep(record)
            return nil
        }
    }

    /// Returns a single-use record that is not redeemed and has not expired at `now`; `nil` if there is none.
    public func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date)
        -> SingleUseRecord?
    {
        transaction { tables in
            guard let row = tables.singleUseRecords[SingleUseRecordKey(app: app, kind: kind, hash: hash)], !row.isSpent,
                row.record.expiresAt > now.asStored
            else { return nil }
            return row.record
        }
    }

    /// Redeems a single-use record, and adds its successor.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if a single-use record with the successor's hash exists.
    public func spend(
        _ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: SingleUseRecord?
    ) throws -> Redemption {
        try transaction { tables throws in
            let key = SingleUseRecordKey(app: app, kind: kind, hash: hash)
            guard let row = tables.singleUseRecords[key], row.record.expiresAt > now.asStored else { return .unknown }
            guard !row.isSpent else { return .replayed(row.record, session: row.session) }
            if let successor { try tables.checkNew(successor, at: now) }
            tables.singleUseRecords[key] = SingleUseRecordRow(record: row.record, isSpent: true, session: session)
            if let successor { tables.keep(successor) }
            return .spent(row.record)
        }
    }
}

extension MemoryTables {
    /// Returns `true` if there is a record that is not redeemed and has not expired.
    func isUnspent(_ key: SingleUseRecordKey, at now: Date) -> Bool {
        singleUseRecords[key].map { !$0.isSpent && $0.record.expiresAt > now.asStored } ?? false
    }

    /// - Throws: ``StoreRefusal/alreadySpent`` if there is one that has not expired.
    func checkNew(_ record: SingleUseRecord, at now: Date) throws(StoreRefusal) {
        guard let known = singleUseRecords[record.key] else { return }
        guard known.record.expiresAt <= now.asStored else { throw .alreadySpent }
    }

    /// Adds a single-use record, or replaces one with an earlier end.
    mutating func replaceEarlier(_ record: SingleUseRecord) {
        if let known = singleUseRecords[record.key], known.record.expiresAt >= record.expiresAt.asStored { return }
        keep(record)
    }

    /// Adds a single-use record that was checked in the same transaction.
    mutating func keep(_ record: SingleUseRecord) {
        var record = record
        record.expiresAt = record.expiresAt.asStored
        singleUseRecords[record.key] = SingleUseRecordRow(record: record)
    }
}
