import Foundation
import OstiaryCore
package import OstiaryEngine

/// The courier: seals what is to be said. The store keeps it, and ``DeliveryWorker`` takes it from there.
///
/// ``Notice/nothing`` takes the same way and the same room as a message, and is thrown away by the worker.
package struct Outbox: Courier {
    private let store: any DeliveryQueue
    private let keys: KeyRing
    private let surroundings: Surroundings
    private let signal: OutboxSignal
    private let capacity: Int

    /// - Parameter capacity: How many messages may wait; of changed passwords as many more. A dead mail server must not fill
    ///   the disk.
    package init(
        store: any DeliveryQueue, keys: KeyRing, surroundings: Surroundings, signal: OutboxSignal,
        capacity: Int = 10_000
    ) {
        self.store = store
        self.keys = keys
        self.surroundings = surroundings
        self.signal = signal
        self.capacity = capacity
    }

    /// - Throws: ``AuthError/busy(retryAfterSeconds:)`` when the outbox is full, which it is for ``Notice/passwordChanged`` when
    ///   twice as many wait; whatever the store throws.
    package func seal(_ notice: Notice, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        // Passwords can be changed while codes and links find no room, and nobody changes one unseen.
        let room = notice == .passwordChanged || notice == .refreshTokenReused ? 2 * capacity : capacity
        guard try await store.count() < room else { throw AuthError.busy(retryAfterSeconds: 30) }
        let id = surroundings.randomBytes(16).hexadecimal
        let sealed = try Letter(notice: notice, to: recipient).sealed(with: keys, id: id, app: app)
        return QueuedMessage(id: id, app: app, createdAt: surroundings.now(), sealed: sealed)
    }

    package func wake() { signal.wake() }
}

extension Sequence<UInt8> {
    /// Two lower-case digits a byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
