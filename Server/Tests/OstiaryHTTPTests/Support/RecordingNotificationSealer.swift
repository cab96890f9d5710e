import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import Synchronization

/// Seals nothing, and records the notifications whose messages a ``RecordingStore`` queued.
final class RecordingNotificationSealer: NotificationSealer {
    private struct State {
        var sealed: [String: NotificationContent] = [:]
        var notices: [NotificationContent] = []
    }

    private let system: SystemDependencies
    private let state = Mutex(State())

    init(system: SystemDependencies) { self.system = system }

    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        let message = QueuedMessage(id: UUID().uuidString, app: app, createdAt: system.now(), sealed: [])
        state.withLock { $0.sealed[message.id] = notice }
        return message
    }

    func describe(_ message: QueuedMessage) throws -> MessageDescription? { nil }

    func wake() {}

    fileprivate func noteQueued(_ id: String) {
        state.withLock { $0.notices += [$0.sealed[id]].compactMap(\.self) }
    }

    var notices: [NotificationContent] { state.withLock { $0.notices } }

    /// Returns the code that was sent last.
    func code() throws -> OneTimeCode {
        for case .oneTimeCode(let code, _) in notices.reversed() { return code }
        throw NothingSent()
    }

    /// Returns the reset token that was sent last.
    func resetToken() throws -> Secret<String> {
        for case .passwordReset(let token, _) in notices.reversed() { return token }
        throw NothingSent()
    }

    /// Returns the token that was sent last to recover an account.
    func recoveryToken() throws -> Secret<String> {
        for case .accountRecovery(let recovery, _, _) in notices.reversed() { return recovery.token }
        throw NothingSent()
    }

    /// Returns the token of the device link that was sent last.
    func deviceLinkToken() throws -> Secret<String> {
        for case .deviceLink(let token, _) in notices.reversed() { return token }
        throw NothingSent()
    }

    /// Returns the token that was sent last to complete a registration.
    func registrationToken() throws -> Secret<String> {
        for case .registrationConfirmation(let token, _) in notices.reversed() { return token }
        throw NothingSent()
    }

    /// Returns the content of the last notice about second factors.
    func factorNotice() throws -> FactorChangeNotice {
        for case .factorsChanged(let notice) in notices.reversed() { return notice }
        throw NothingSent()
    }

    /// Returns the content of the last notice about a sign-in.
    func signInNotice() throws -> UnusualSignInNotice {
        for case .unusualSignIn(let notice) in notices.reversed() { return notice }
        throw NothingSent()
    }

    struct NothingSent: Error {}
}

/// Reports to a notification sealer which messages were queued. The notification about a changed password is stored
/// with the password and is not recorded.
struct RecordingStore: ForwardingStore {
    let base: any Store
    let notificationSealer: RecordingNotificationSealer

    func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal? {
        let refusal = try await base.enqueue(message, within: buckets, keeping: secret, at: now)
        if refusal == nil { notificationSealer.noteQueued(message.id) }
        return refusal
    }

    func enrol(_ enrolment: FactorEnrolment) async throws -> EnrolmentOutcome {
        let outcome = try await base.enrol(enrolment)
        if case .enrolled = outcome, let notice = enrolment.notice { notificationSealer.noteQueued(notice.id) }
        return outcome
    }
}
