import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

/// A notification sealer that keeps the content of messages in memory; the store keeps which of them were queued.
final class TestNotificationSealer: NotificationSealer {
    private struct Sealed {
        var notice: NotificationContent
        var recipient: Recipient
    }

    private let system: SystemDependencies
    private let sealed = Mutex<[String: Sealed]>([:])

    init(_ system: SystemDependencies) { self.system = system }

    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        let id = Base64URL.encode(system.randomBytes(16))
        sealed.withLock { $0[id] = Sealed(notice: notice, recipient: recipient) }
        return QueuedMessage(id: id, app: app, createdAt: system.now(), sealed: [])
    }

    /// Returns `nil`: a test reads messages by ``message(_:)``.
    func describe(_ message: QueuedMessage) throws -> MessageDescription? { nil }

    func wake() {}

    /// Returns the message in a test's form; `nil` if the sealer has no content for it, or it is not meant for a
    /// person.
    func message(_ queued: QueuedMessage) -> TestMessage? {
        guard let sealed = sealed.withLock({ $0[queued.id] }), let content = TestMessage.Content(sealed.notice) else {
            return nil
        }
        let recipient: TestMessage.Recipient =
            switch sealed.recipient {
            case .email(let address): .email(address)
            case .phoneNumber(let number): .phoneNumber(number)
            }
        return TestMessage(to: recipient, content, at: queued.createdAt)
    }
}

extension TestMessage.Content {
    fileprivate init?(_ notice: NotificationContent) {
        switch notice {
        case .oneTimeCode(let code, _): self = .code(code)
        case .passwordReset(let token, _): self = .passwordReset(token)
        case .accountRecovery(let recovery, let reset, _): self = .accountRecovery(recovery.token, passwordReset: reset)
        case .invitation(let token, _): self = .invitation(token)
        case .deviceLink(let token, _): self = .deviceLink(token)
        case .emailChanged: self = .emailChanged
        case .passwordChanged: self = .passwordChanged
        case .passwordCompromised: self = .passwordCompromised
        case .unusualSignIn(let notice): self = .unusualSignIn(notice.denialToken)
        case .factorsChanged(let notice): self = .factorsChanged(notice.change.rawValue)
        case .refreshTokenReused: self = .refreshTokenReused
        case .registrationConfirmation(let token, _): self = .registrationConfirmation(token)
        case .registrationAttempted: self = .registrationAttempted
        case .eventEndpointDisabled, .nothing: return nil
        }
    }
}
