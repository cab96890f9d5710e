import Foundation
import OstiaryCore
package import OstiaryEngine

/// A notification and its recipient: the content of a sealed outbox entry.
package struct NotificationPayload: Hashable, Sendable {
    package var notice: NotificationContent
    package var recipient: Recipient
    /// The request that the message is for, which its delivery continues.
    package var trace: TraceContext?

    package init(notice: NotificationContent, to recipient: Recipient) {
        self.notice = notice
        self.recipient = recipient
    }

    /// The useful life of the message, in seconds. Afterwards it is no longer sent.
    package var usefulSeconds: Int {
        switch notice {
        case .oneTimeCode(_, let lifetimeSeconds), .passwordReset(_, let lifetimeSeconds),
            .registrationConfirmation(_, let lifetimeSeconds), .invitation(_, let lifetimeSeconds),
            .deviceLink(_, let lifetimeSeconds):
            lifetimeSeconds
        case .accountRecovery, .passwordChanged, .passwordCompromised, .emailChanged, .unusualSignIn, .factorsChanged,
            .refreshTokenReused, .registrationAttempted, .eventEndpointDisabled, .nothing:
            24 * 3600
        }
    }

    /// Seals the payload. Padding to a multiple of 512 bytes hides the kind of content, and the result can be decrypted
    /// only with the same id and app.
    package func sealed(with keys: KeyRing, id: String, app: AppName) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var plain = Array(try encoder.encode(Form(self)))
        let block = 512
        plain += Array(repeating: UInt8(ascii: " "), count: (block - plain.count % block) % block)
        return try keys.seal(plain, for: .outbox, context: Self.context(id: id, app: app))
    }

    package init(opening message: QueuedMessage, with keys: KeyRing) throws {
        let plain = try keys.open(
            message.sealed, for: .outbox, context: Self.context(id: message.id, app: message.app))
        self = try JSONDecoder().decode(Form.self, from: Data(plain)).payload()
    }

    /// Returns the description of the message, for administration.
    func description(in app: AppName, _ keys: KeyRing) -> MessageDescription {
        let channel: MessageChannel =
            switch recipient {
            case .email: .email
            case .phoneNumber: .sms
            }
        return MessageDescription(
            channel: channel, kind: Form(self).notice.rawValue, recipient: recipient.masked,
            recipientHash: keys.messageRecipient(recipient, app: app))
    }

    private static func context(id: String, app: AppName) -> String {
        SealedValue.Kind.message.context(app.text, id)
    }
}

/// The JSON inside the seal. Stored messages outlive an update of the server, so its names never change.
private struct Form: Codable {
    var notice: Kind
    var secret: String?
    var lifetime: Int?
    var email: String?
    var phone: String?
    /// The raw value of a ``FactorChange``.
    var change: String?
    /// The raw value of a ``Factor/Kind``.
    var factor: String?
    /// The address that a change was made from; the host of an endpoint.
    var origin: String?
    /// The country of a sign-in.
    var country: String?
    /// The time of a sign-in.
    var at: Date?
    /// The token that recovers an account.
    var recovery: String?
    /// The request's `traceparent`.
    var trace: String?
    var hasRecoveryCodes: Bool?

    enum Kind: String, Codable {
        case oneTimeCode = "one_time_code"
        case passwordReset = "password_reset"
        case accountRecovery = "account_recovery"
        case registrationConfirmation = "confirm_registration"
        case invitation
        case deviceLink = "device_link"
        case emailChanged = "email_changed"
        case passwordChanged = "password_changed"
        case passwordCompromised = "password_compromised"
        case unusualSignIn = "unusual_sign_in"
        case factorsChanged = "factors_changed"
        case refreshTokenReused = "refresh_token_reused"
        case registrationAttempted = "registration_attempted"
        case eventEndpointDisabled = "event_endpoint_disabled"
        case nothing
    }

    struct Unreadable: Error {}

    init(_ payload: NotificationPayload) {
        switch payload.notice {
        case .oneTimeCode(let code, let lifetimeSeconds):
            (notice, secret, lifetime) = (.oneTimeCode, code.reveal(), lifetimeSeconds)
        case .passwordReset(let token, let lifetimeSeconds):
            (notice, secret, lifetime) = (.passwordReset, token.reveal(), lifetimeSeconds)
        case .accountRecovery(let recovered, let reset, let lifetimeSeconds):
            (notice, secret, lifetime) = (.accountRecovery, reset.reveal(), lifetimeSeconds)
            (recovery, hasRecoveryCodes) = (recovered.token.reveal(), recovered.hasRecoveryCodes)
        case .registrationConfirmation(let token, let lifetimeSeconds):
            (notice, secret, lifetime) = (.registrationConfirmation, token.reveal(), lifetimeSeconds)
        case .invitation(let token, let lifetimeSeconds):
            (notice, secret, lifetime) = (.invitation, token.reveal(), lifetimeSeconds)
        case .deviceLink(let token, let lifetimeSeconds):
            (notice, secret, lifetime) = (.deviceLink, token.reveal(), lifetimeSeconds)
        case .emailChanged: notice = .emailChanged
        case .passwordChanged: notice = .passwordChanged
        case .passwordCompromised: notice = .passwordCompromised
        case .unusualSignIn(let unusual):
            (notice, secret, origin) = (.unusualSignIn, unusual.denialToken.reveal(), unusual.address)
            (country, at) = (unusual.country, unusual.at)
        case .factorsChanged(let changed):
            (notice, change, factor) = (.factorsChanged, changed.change.rawValue, changed.kind?.rawValue)
            (origin, secret) = (changed.address, changed.undoToken?.reveal())
        case .refreshTokenReused: notice = .refreshTokenReused
        case .registrationAttempted: notice = .registrationAttempted
        case .eventEndpointDisabled(let host): (notice, origin) = (.eventEndpointDisabled, host)
        case .nothing: notice = .nothing
        }
        switch payload.recipient {
        case .email(let address): email = address.text
        case .phoneNumber(let number): phone = number.e164
        }
        trace = payload.trace?.traceparent
    }

    func payload() throws -> NotificationPayload {
        var payload = NotificationPayload(notice: try readNotice(), to: try readRecipient())
        payload.trace = trace.flatMap { TraceContext(traceparent: [$0]) }
        return payload
    }

    private func readNotice() throws -> NotificationContent {
        switch notice {
        case .oneTimeCode:
            guard let secret, let lifetime else { throw Unreadable() }
            return .oneTimeCode(try OneTimeCode(secret), lifetimeSeconds: lifetime)
        case .passwordReset:
            guard let secret, let lifetime else { throw Unreadable() }
            return .passwordReset(token: Secret(secret), lifetimeSeconds: lifetime)
        case .accountRecovery:
            guard let secret, let lifetime, let recovery, let hasRecoveryCodes else { throw Unreadable() }
            return .accountRecovery(
                PasskeyRecovery(token: Secret(recovery), hasRecoveryCodes: hasRecoveryCodes),
                passwordReset: Secret(secret), lifetimeSeconds: lifetime)
        case .registrationConfirmation:
            guard let secret, let lifetime else { throw Unreadable() }
            return .registrationConfirmation(token: Secret(secret), lifetimeSeconds: lifetime)
        case .invitation:
            guard let secret, let lifetime else { throw Unreadable() }
            return .invitation(token: Secret(secret), lifetimeSeconds: lifetime)
        case .deviceLink:
            guard let secret, let lifetime else { throw Unreadable() }
            return .deviceLink(token: Secret(secret), lifetimeSeconds: lifetime)
        case .emailChanged: return .emailChanged
        case .passwordChanged: return .passwordChanged
        case .passwordCompromised: return .passwordCompromised
        case .unusualSignIn:
            guard let secret, let at else { throw Unreadable() }
            return .unusualSignIn(
                UnusualSignInNotice(at: at, address: origin, country: country, denialToken: Secret(secret)))
        case .factorsChanged:
            guard let change = change.flatMap(FactorChange.init) else { throw Unreadable() }
            return .factorsChanged(
                FactorChangeNotice(
                    change, kind: factor.flatMap(Factor.Kind.init), address: origin,
                    undoToken: secret.map { Secret($0) }))
        case .refreshTokenReused: return .refreshTokenReused
        case .registrationAttempted: return .registrationAttempted
        case .eventEndpointDisabled:
            guard let origin else { throw Unreadable() }
            return .eventEndpointDisabled(host: origin)
        case .nothing: return .nothing
        }
    }

    private func readRecipient() throws -> Recipient {
        if let email { return .email(try EmailAddress(email)) }
        if let phone { return .phoneNumber(try PhoneNumber(phone)) }
        throw Unreadable()
    }
}
