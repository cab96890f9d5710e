import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

/// Keeps what is queued in front of a store; the notice of a changed password goes to the store with the password, unseen.
final class RecordingCourier: Courier, OutboxStore {
    private struct State {
        var sealed: [String: Notice] = [:]
        var notices: [Notice] = []
    }

    private let store: any OutboxStore
    private let surroundings: Surroundings
    private let state = Mutex(State())

    init(store: any OutboxStore, surroundings: Surroundings) {
        self.store = store
        self.surroundings = surroundings
    }

    func seal(_ notice: Notice, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        let message = QueuedMessage(id: UUID().uuidString, app: app, createdAt: surroundings.now(), sealed: [])
        state.withLock { $0.sealed[message.id] = notice }
        return message
    }

    func wake() {}

    func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal? {
        let refusal = try await store.enqueue(message, within: buckets, keeping: secret, at: now)
        if refusal == nil { state.withLock { $0.notices += [$0.sealed[message.id]].compactMap(\.self) } }
        return refusal
    }

    var notices: [Notice] { state.withLock { $0.notices } }

    /// The code that was sent last.
    func code() throws -> OneTimeCode {
        for case .oneTimeCode(let code, _) in notices.reversed() { return code }
        throw NothingSent()
    }

    /// The reset token that was sent last.
    func resetToken() throws -> Secret<String> {
        for case .passwordReset(let token, _) in notices.reversed() { return token }
        throw NothingSent()
    }

    /// The token that was sent last to finish a registration.
    func registrationToken() throws -> Secret<String> {
        for case .confirmRegistration(let token, _) in notices.reversed() { return token }
        throw NothingSent()
    }

    struct NothingSent: Error {}
}
