import Foundation
import OstiaryEngine

/// A store of signing keys in memory.
actor SigningKeysInMemory: SigningKeyStore {
    private var keys: [StoredSigningKey]
    private(set) var reads = 0
    private var isInBackground = false
    private var leavesAfterAdd = false
    private var holds = 0
    private var held: [CheckedContinuation<Void, Never>] = []

    init(_ keys: [StoredSigningKey] = []) { self.keys = keys }

    func signingKeys(of app: AppName, at now: Date) async throws -> [StoredSigningKey] {
        reads += 1
        if isInBackground { throw Away() }
        // The oldest first, contrary to the port's documentation: no result may depend on the order.
        let found = keys.filter { $0.app == app && ($0.retiresAt.map { now < $0 } ?? true) }
        if holds > 0 {
            holds -= 1
            await withCheckedContinuation { held.append($0) }
        }
        return found
    }

    func add(
        _ key: StoredSigningKey, retiringOthersAt: Date, onlyIf condition: SigningKeyCondition
    ) async throws -> Bool {
        let others = keys.indices.filter { keys[$0].app == key.app }
        let isExcluded = others.contains { index in
            let other = keys[index]
            return switch condition {
            case .always: false
            case .isFirst: other.retiresAt.map { key.createdAt < $0 } ?? true
            case .followsKey(let start, let end):
                other.retiresAt == nil && other.createdAt > start && other.createdAt <= end
            }
        }
        guard !isExcluded else { return false }
        for index in others {
            keys[index].retiresAt = min(keys[index].retiresAt ?? .distantFuture, retiringOthersAt)
        }
        keys.append(key)
        isInBackground = isInBackground || leavesAfterAdd
        return true
    }

    struct Away: Error {}

    func goAway() { isInBackground = true }

    /// Makes every read after the next key fail.
    func goAwayAfterAdd() { leavesAfterAdd = true }

    func comeBack() { isInBackground = false }

    func change(_ change: (inout [StoredSigningKey]) -> Void) { change(&keys) }

    /// Makes the next read load the current keys, and return when it is released.
    func holdNextRead() { holds += 1 }

    func releaseReads() {
        for continuation in held { continuation.resume() }
        held = []
    }

    var isHolding: Bool { !held.isEmpty }
}
