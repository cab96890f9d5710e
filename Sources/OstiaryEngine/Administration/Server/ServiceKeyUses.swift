import Foundation
import Synchronization

/// The last uses of service keys that are being recorded (write-behind), at most one a minute for each key.
public final class ServiceKeyUses: Sendable {
    private struct Use {
        var at: Date
        var recording: Task<Void, Never>
    }

    private static let interval: TimeInterval = 60
    private let uses = Mutex<[ServiceKeyID: Use]>([:])

    /// Creates the record of a server that has just started.
    public init() {}

    /// Records the use of a key, unless one was recorded within the last minute. Returns at once: a failed record is
    /// lost, and the next one is due after a minute.
    func note(_ key: ServiceKey, at now: Date, in store: any Store) {
        if let last = key.lastUsedAt, (0..<Self.interval).contains(now.timeIntervalSince(last)) { return }
        uses.withLock { uses in
            if let use = uses[key.id], (0..<Self.interval).contains(now.timeIntervalSince(use.at)) { return }
            uses[key.id] = Use(at: now, recording: Task { try? await store.noteUse(of: key.id, at: now) })
        }
    }

    /// Returns once every noted use is recorded or lost.
    public func finish() async {
        for recording in uses.withLock({ $0.values.map(\.recording) }) { await recording.value }
    }
}
