import OstiaryCore
import OstiaryEngine
import Synchronization

/// Keeps what was to be sent.
final class RecordingCourier: Courier {
    private let sent = Mutex<[(notice: Notice, recipient: Recipient)]>([])

    func send(_ notice: Notice, to recipient: Recipient, app: AppName) async throws {
        sent.withLock { $0.append((notice, recipient)) }
    }

    var notices: [Notice] { sent.withLock { $0.map(\.notice) } }

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
