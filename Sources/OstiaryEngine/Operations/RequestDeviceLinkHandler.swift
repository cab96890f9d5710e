import Foundation
import OstiaryCore

extension RequestDeviceLink: EngineOperation {
    var handler: RequestDeviceLinkHandler { RequestDeviceLinkHandler(call: self) }
}

/// Sends a device link to the account's owner, if there is an account; costs the same if there is none.
struct RequestDeviceLinkHandler: OperationHandler {
    let call: RequestDeviceLink

    static let action = RequestDeviceLink.kind
    var identifier: Identifier? { call.identifier }
    var attempts: Attempts { Attempts(kind: .reset, identifier: call.identifier) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        try engine.requireOwnPasswords()
        let found = try await engine.ports.store.account(identifiedBy: call.identifier, in: engine.app.name)
        let account = found.flatMap { $0.isActive ? $0 : nil }
        let recipient = try account.flatMap { Recipient(of: $0) } ?? standIn(in: engine)
        var notice = NotificationContent.nothing
        if let account, Recipient(of: account) != nil {
            notice = .deviceLink(
                token: try DeviceLinkToken(for: account, in: engine).sealed(in: engine),
                lifetimeSeconds: engine.app.resets.lifetimeSeconds)
        }
        let wait = try await engine.send(
            notice, to: recipient,
            within: [engine.cooldown("device-link", recipient.destination, seconds: engine.app.resets.silentSeconds)])
        return Outcome(Done(), account: wait == nil ? account?.id : nil)
    }

    /// The recipient that the message for no account counts against.
    private func standIn(in engine: AuthEngine) throws -> Recipient {
        switch call.identifier {
        case .email(let email): return .email(email)
        case .phoneNumber(let number): return .phoneNumber(number)
        case .username(let username):
            let hash = engine.ports.keys.digest([username.canonical], for: .recipients, app: engine.app.name)
            let name = hash.prefix(16).map { String($0, radix: 16) }.joined(separator: "-")
            return .email(try EmailAddress("\(name)@device-link.invalid"))
        }
    }
}

extension Recipient {
    /// The address that links to an account's owner are sent to; nil for an account without one.
    fileprivate init?(of account: Account) {
        if let email = account.email {
            self = .email(email)
        } else if let number = account.phoneNumber {
            self = .phoneNumber(number)
        } else {
            return nil
        }
    }
}
