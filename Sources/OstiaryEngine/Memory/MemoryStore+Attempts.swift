public import Foundation

extension MemoryStore {
    /// Counts one attempt against every bucket, or against none if one of them refuses; returns the longest wait, if
    /// any.
    public func count(_ buckets: [AttemptBucket], at now: Date) -> Int? {
        transaction { tables in
            let verdict = tables.verdict(on: buckets, at: now)
            if verdict.refusal == nil { tables.note(verdict.records) }
            return verdict.refusal?.seconds
        }
    }

    /// Returns the record of a key, also one that has expired; `nil` if there is none.
    public func attempt(_ key: String) -> AttemptRecord? { transaction { $0.attempts[key] } }

    /// Returns the wait of an attempt, in seconds, without counting it; `nil` if the bucket allows one.
    public func wait(for bucket: AttemptBucket, at now: Date) -> Int? {
        transaction { $0.verdict(on: [bucket], at: now).refusal?.seconds }
    }

    /// Reverts the counts of a successful attempt, and remembers its network.
    public func forgive(_ forgiveness: CountReversal, at now: Date) {
        transaction { tables in
            for key in forgiveness.forgotten { tables.attempts[key] = nil }
            for bucket in forgiveness.refunded {
                guard var record = tables.attempts[bucket.key] else { continue }
                record.fullAt = Date(milliseconds: record.fullAt.milliseconds - bucket.refundMilliseconds)
                record.failures = max(record.failures - bucket.rule.refund.failures, 0)
                tables.attempts[bucket.key] = record
            }
            if let network = forgiveness.network { tables.remember(network) }
        }
    }

    /// Returns `true` if the network was remembered and has not expired at `now`.
    public func isKnown(_ network: KnownNetwork, at now: Date) -> Bool {
        transaction { tables in
            tables.knownNetworks[network.subject]?[network.network].map { $0 > now.asStored } ?? false
        }
    }

    /// Deletes every network that was remembered for a subject.
    public func forgetNetworks(of subject: [UInt8]) { transaction { $0.knownNetworks[subject] = nil } }
}

extension MemoryTables {
    /// Returns the verdict on one attempt against every bucket: the records to keep if all allow it, or the longest
    /// wait.
    func verdict(
        on buckets: [AttemptBucket], at now: Date
    ) -> (records: [String: AttemptRecord], refusal: AttemptRefusal?) {
        var records: [String: AttemptRecord] = [:]
        var longest: AttemptRefusal?
        for bucket in buckets {
            switch bucket.rule.verdict(records[bucket.key] ?? attempts[bucket.key], now: now) {
            case .allowed(let next): records[bucket.key] = next
            case .wait(let seconds) where seconds > longest?.seconds ?? 0:
                longest = AttemptRefusal(seconds: seconds, key: bucket.key)
            case .wait: break
            }
        }
        return (records, longest)
    }

    mutating func note(_ records: [String: AttemptRecord]) {
        for (key, record) in records {
            attempts[key] = AttemptRecord(
                fullAt: record.fullAt.asStored, failures: record.failures, nextAt: record.nextAt.asStored)
        }
    }

    fileprivate mutating func remember(_ network: KnownNetwork) {
        var known = knownNetworks[network.subject] ?? [:]
        known[network.network] = network.expiresAt.asStored
        if known.count > KnownNetwork.limit {
            let newest = known.sorted { one, other in
                one.value == other.value ? one.key.lexicographicallyPrecedes(other.key) : one.value > other.value
            }
            known = Dictionary(uniqueKeysWithValues: newest.prefix(KnownNetwork.limit).map { ($0.key, $0.value) })
        }
        knownNetworks[network.subject] = known
    }
}
