package import Foundation
package import OstiaryCore
package import OstiaryEngine

/// A message with its text, ready for a message sender.
package struct OutgoingMessage: Sendable {
    /// The message's id, the same for every attempt, so that a receiver can detect duplicates.
    package var id: String
    package var app: AppName
    package var recipient: Recipient
    package var sentAt: Date
    /// The language of subject and text. Source: RFC 5646.
    package var language: String
    /// Nil for an SMS.
    package var subject: String?
    package var text: Secret<String>
    /// The one-time code or the link in the text, for tools that read the development inbox.
    package var code: OneTimeCode?
    package var link: Secret<String>?

    package init(
        id: String, app: AppName, recipient: Recipient, sentAt: Date, language: String, subject: String?,
        text: Secret<String>, code: OneTimeCode? = nil, link: Secret<String>? = nil
    ) {
        self.id = id
        self.app = app
        self.recipient = recipient
        self.sentAt = sentAt
        self.language = language
        self.subject = subject
        self.text = text
        self.code = code
        self.link = link
    }

    /// Creates the message of a payload; nil if its content is ``NotificationContent/nothing``.
    package init?(
        _ payload: NotificationPayload, of queued: QueuedMessage, presentedBy app: AppPresentation, at now: Date
    ) {
        var code: OneTimeCode?
        var link: String?
        let content: MessageContent
        switch payload.notice {
        case .nothing: return nil
        case .oneTimeCode(let sent, let lifetimeSeconds):
            code = sent
            content = .oneTimeCode(code: sent.reveal(), lifetimeSeconds: lifetimeSeconds)
        case .passwordReset(let token, let lifetimeSeconds):
            let resetLink = app.link(to: "reset-password", token: token.reveal())
            link = resetLink
            content = .passwordReset(token: token.reveal(), link: resetLink, lifetimeSeconds: lifetimeSeconds)
        case .accountRecovery(let recovery, let reset, let lifetimeSeconds):
            let recoveryLink = app.link(to: "recover-passkey", token: recovery.token.reveal())
            let resetLink = app.link(to: "reset-password", token: reset.reveal())
            link = recovery.hasRecoveryCodes ? resetLink : recoveryLink
            content = .accountRecovery(
                token: recovery.token.reveal(), link: recoveryLink,
                opensAt: queued.createdAt.addingTimeInterval(Double(PasskeyRecovery.waitSeconds)),
                reset: recovery.hasRecoveryCodes
                    ? MessageContent.Reset(token: reset.reveal(), link: resetLink, lifetimeSeconds: lifetimeSeconds)
                    : nil)
        case .registrationConfirmation(let token, let lifetimeSeconds):
            let confirmationLink = app.link(to: "confirm-registration", token: token.reveal())
            link = confirmationLink
            content = .registrationConfirmation(
                token: token.reveal(), link: confirmationLink, lifetimeSeconds: lifetimeSeconds)
        case .invitation(let token, let lifetimeSeconds):
            let invitationLink = app.link(to: "reset-password", token: token.reveal())
            link = invitationLink
            content = .invitation(token: token.reveal(), link: invitationLink, lifetimeSeconds: lifetimeSeconds)
        case .deviceLink(let token, let lifetimeSeconds):
            let deviceLink = app.link(to: "recognize-device", token: token.reveal())
            link = deviceLink
            content = .deviceLink(token: token.reveal(), link: deviceLink, lifetimeSeconds: lifetimeSeconds)
        case .emailChanged: content = .emailChanged
        case .passwordChanged: content = .passwordChanged
        case .passwordCompromised: content = .passwordCompromised
        case .unusualSignIn(let notice):
            let denialLink = app.link(to: "deny-sign-in", token: notice.denialToken.reveal())
            link = denialLink
            content = .unusualSignIn(notice, link: denialLink)
        case .factorsChanged(let notice):
            link = notice.undoToken.map { app.link(to: "undo-factor-change", token: $0.reveal()) }
            content = .factorsChanged(notice, at: queued.createdAt, link: link)
        case .refreshTokenReused: content = .refreshTokenReused
        case .registrationAttempted: content = .registrationAttempted
        case .eventEndpointDisabled(let host): content = .eventEndpointDisabled(host: host)
        }
        let subject: String?
        let text: String
        switch payload.recipient {
        case .email:
            let words = app.texts.email(content, app.displayName)
            (subject, text) = (words.subject, words.body)
        case .phoneNumber:
            (subject, text) = (nil, app.texts.sms(content, app.displayName))
        }
        self.init(
            id: queued.id, app: queued.app, recipient: payload.recipient, sentAt: now, language: app.texts.language,
            subject: subject, text: Secret(text), code: code, link: link.map(Secret.init))
    }
}
