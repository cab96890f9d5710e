import Foundation
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Counts the distinct members of groups within the last hour, in memory.
///
/// Groups and members are kept as 64 bits of a hash under a random key, which is nowhere else and is replaced every half
/// hour together with the counts of the half hour before the last. Bounded: under a flood the groups with one member are
/// deleted first, then all of them.
final class DistinctCounter: Sendable {
    /// The counts of half an hour.
    private struct Generation {
        let key: SymmetricKey
        var groups: [UInt64: Set<UInt64>] = [:]
        var size = 0

        func hash(_ text: String) -> UInt64 {
            let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
            return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }

        func count(_ group: String) -> Int { groups[hash(group)]?.count ?? 0 }

        func contains(_ member: String, in group: String) -> Bool {
            groups[hash(group)]?.contains(hash(member)) ?? false
        }

        mutating func remove(_ member: String, from group: String) {
            let (group, member) = (hash(group), hash(member))
            if groups[group]?.remove(member) != nil { size -= 1 }
        }

        mutating func insert(_ member: String, into group: String, capacity: Int) {
            let (group, member) = (hash(group), hash(member))
            guard groups[group, default: []].insert(member).inserted else { return }
            size += 1
            guard size > capacity else { return }
            groups = groups.filter { $0.value.count > 1 }
            size = groups.reduce(0) { $0 + $1.value.count }
            if size > capacity / 2 { (groups, size) = ([:], 0) }
        }
    }

    private struct State {
        var current: Generation
        var previous: Generation
        var since: Date
    }

    static let generationSeconds = 1800.0

    private let limit: Int
    private let capacity: Int
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let state: Mutex<State?>

    /// - Parameters:
    ///   - limit: The number of members that are kept of one group.
    ///   - capacity: The number of members that are kept of all groups in half an hour.
    init(limit: Int, capacity: Int = 100_000, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.limit = limit
        self.capacity = capacity
        self.randomBytes = randomBytes
        state = Mutex(nil)
    }

    /// Returns this counter, or one with another limit that begins with the members of this one.
    func limited(to limit: Int) -> DistinctCounter {
        guard limit != self.limit else { return self }
        let other = DistinctCounter(limit: limit, capacity: capacity, randomBytes: randomBytes)
        let kept = state.withLock { $0 }
        other.state.withLock { $0 = kept }
        return other
    }

    /// Adds a member to a group that is not full.
    func add(_ member: String, to group: String, at now: Date) {
        withState(at: now) { state in
            guard state.current.count(group) + state.previous.count(group) < limit else { return }
            // A member counts once, in the generation that saw it last.
            state.previous.remove(member, from: group)
            state.current.insert(member, into: group, capacity: capacity)
        }
    }

    /// Returns `true` if a group has a member.
    func contains(_ member: String, in group: String, at now: Date) -> Bool {
        withState(at: now) { $0.current.contains(member, in: group) || $0.previous.contains(member, in: group) }
    }

    /// Returns the number of members of a group.
    func count(_ group: String, at now: Date) -> Int {
        withState(at: now) { $0.current.count(group) + $0.previous.count(group) }
    }

    private func withState<Value>(at now: Date, _ body: (inout State) -> Value) -> Value {
        state.withLock { kept in
            var state = kept ?? State(current: generation(), previous: generation(), since: now)
            // So that the groups are changed in place: a copy of all would be made otherwise.
            kept = nil
            let age = now.timeIntervalSince(state.since)
            // A clock that jumped back begins anew.
            if age >= Self.generationSeconds || age < 0 {
                let isNext = age >= 0 && age < 2 * Self.generationSeconds
                state = State(
                    current: generation(), previous: isNext ? state.current : generation(), since: now)
            }
            defer { kept = state }
            return body(&state)
        }
    }

    private func generation() -> Generation { Generation(key: SymmetricKey(data: Data(randomBytes(32)))) }
}
