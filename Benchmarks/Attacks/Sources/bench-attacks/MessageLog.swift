import OstiaryCore
import OstiaryEngine
import Synchronization

/// The messages that the server sends, by recipient, without their content.
final class MessageLog: NotificationSealer {
    private let system: SystemDependencies
    private let notices = Mutex<[Recipient: Int]>([:])
    private let links = Mutex<[Recipient: Secret<String>]>([:])

    init(system: SystemDependencies) { self.system = system }

    /// The messages that inform an owner without being asked for.
    func noticeCount(of recipient: Recipient) -> Int { notices.withLock { $0[recipient] ?? 0 } }

    /// The token of the last device link that a recipient got.
    func deviceLink(of recipient: Recipient) -> Secret<String>? { links.withLock { $0[recipient] } }

    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        switch notice {
        case .deviceLink(let token, _): links.withLock { $0[recipient] = token }
        // What the person asks for, or has to read to go on.
        case .oneTimeCode, .passwordReset, .accountRecovery, .invitation, .registrationConfirmation, .nothing: break
        default: notices.withLock { $0[recipient, default: 0] += 1 }
        }
        return QueuedMessage(id: system.uuid(), app: app, createdAt: system.now(), sealed: [])
    }

    func describe(_ message: QueuedMessage) throws -> MessageDescription? { nil }
    func wake() {}
}
