import Foundation
import OstiaryCore
package import OstiaryEngine

/// Seals notifications for delivery. The store keeps them, and ``DeliveryWorker`` sends them from there.
///
/// ``NotificationContent/nothing`` is stored like a message and takes the same space; the worker discards it.
package struct Outbox: NotificationSealer {
    private let store: any DeliveryQueue
    private let keys: KeyRing
    private let system: SystemDependencies
    private let signal: OutboxSignal
    private let capacity: Int

    /// - Parameter capacity: The maximum number of waiting messages; doubled for security notices. It keeps an
    ///   unreachable mail server from filling the disk.
    package init(
        store: any DeliveryQueue, keys: KeyRing, system: SystemDependencies, signal: OutboxSignal,
        capacity: Int = 10_000
    ) {
        self.store = store
        self.keys = keys
        self.system = system
        self.signal = signal
        self.capacity = capacity
    }

    /// Seals a notification for the outbox.
    ///
    /// - Throws: ``AuthError/busy(retryAfterSeconds:)`` if the outbox is full, which for security notices it is at twice
    ///   the capacity; the error of the store.
    package func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws
        -> QueuedMessage
    {
        // Reserves room for security notices beyond that for codes and links, so that no credential changes unnoticed.
        let room = notice.isSecurityNotice ? 2 * capacity : capacity
        guard try await store.count() < room else { throw AuthError.busy(retryAfterSeconds: 30) }
        let id = system.randomBytes(16).hexadecimal
        var payload = NotificationPayload(notice: notice, to: recipient)
        payload.trace = RequestTrace.current?.context
        let sealed = try payload.sealed(with: keys, id: id, app: app)
        return QueuedMessage(id: id, app: app, createdAt: system.now(), sealed: sealed)
    }

    package func describe(_ message: QueuedMessage) throws -> MessageDescription? {
        let payload = try NotificationPayload(opening: message, with: keys)
        return payload.notice == .nothing ? nil : payload.description(in: message.app, keys)
    }

    package func wake() { signal.wake() }
}

extension Sequence<UInt8> {
    /// The bytes as two lower-case hexadecimal digits each.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension NotificationContent {
    /// `true` for a message about a change that an attacker may have made.
    fileprivate var isSecurityNotice: Bool {
        switch self {
        case .passwordChanged, .passwordCompromised, .unusualSignIn, .factorsChanged, .refreshTokenReused,
            .emailChanged:
            true
        case .oneTimeCode, .passwordReset, .invitation, .accountRecovery, .deviceLink, .registrationConfirmation,
            .registrationAttempted, .eventEndpointDisabled, .nothing:
            false
        }
    }
}
