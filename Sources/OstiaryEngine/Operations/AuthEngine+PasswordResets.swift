import Foundation
import OstiaryCore

/// The messages by which an account's owner sets a password.
extension AuthEngine {
    /// The lifetime of an invitation, in seconds.
    static let invitationSeconds = 7 * 86_400

    /// `true` if this server verifies passwords of the app.
    var verifiesPasswords: Bool { ports.identities.credentialProvider == nil && app.rules.identifier != .subject }

    /// Sends a reset token to an address, with the token that recovers an account with nothing but passkeys; costs the same for
    /// no account.
    ///
    /// - Returns: Nil if the message is queued; otherwise the wait, in seconds.
    func sendPasswordReset(to account: Account?, at email: EmailAddress) async throws -> Int? {
        let (token, pending) = resetToken(for: account, at: email, seconds: app.resets.lifetimeSeconds)
        let recovery = try await passkeyRecovery(of: account)
        let seconds = app.resets.lifetimeSeconds
        let notice: NotificationContent =
            if account == nil {
                .nothing
            } else if let recovery {
                .accountRecovery(recovery, passwordReset: token, lifetimeSeconds: seconds)
            } else {
                .passwordReset(token: token, lifetimeSeconds: seconds)
            }
        return try await send(notice, to: email, keeping: pending)
    }

    /// Sends the owner who denied a sign-in the link that sets another password. It counts against no cap of messages: the
    /// previous password is unusable.
    ///
    /// - Returns: `false` if it could not be sent. The owner can request one.
    func sendPasswordReset(afterDenialTo account: Account, at email: EmailAddress) async -> Bool {
        let seconds = app.resets.lifetimeSeconds
        let (token, pending) = resetToken(for: account, at: email, seconds: seconds)
        do {
            let message = try await ports.notificationSealer.seal(
                .passwordReset(token: token, lifetimeSeconds: seconds), to: .email(email), app: app.name)
            let refusal = try await ports.store.enqueue(
                message, within: [], keeping: .resetToken(pending), at: ports.system.now())
            guard refusal == nil else { return false }
            ports.notificationSealer.wake()
            return true
        } catch {
            _ = ports.report(error)
            return false
        }
    }

    /// Sends an account's owner the link that sets the first password.
    ///
    /// - Returns: Nil if the message is queued; otherwise the wait, in seconds.
    func sendInvitation(to account: Account, at email: EmailAddress) async throws -> Int? {
        let (token, pending) = resetToken(for: account, at: email, seconds: Self.invitationSeconds)
        return try await send(
            .invitation(token: token, lifetimeSeconds: Self.invitationSeconds), to: email, keeping: pending)
    }

    /// Seals the invitation of an account that is created in the same transaction.
    func invitation(to email: EmailAddress) async throws -> QueuedInvitation {
        let (token, pending) = resetToken(for: nil, at: email, seconds: Self.invitationSeconds)
        let message = try await ports.notificationSealer.seal(
            .invitation(token: token, lifetimeSeconds: Self.invitationSeconds), to: .email(email), app: app.name)
        return QueuedInvitation(
            message: message, hash: pending.hash, recipient: pending.recipient, expiresAt: pending.expiresAt)
    }

    private func send(
        _ notice: NotificationContent, to email: EmailAddress, keeping pending: PendingReset
    ) async throws -> Int? {
        try await send(
            notice, to: .email(email),
            within: [cooldown("reset", Recipient.email(email).destination, seconds: app.resets.silentSeconds)],
            keeping: .resetToken(pending), reserve: .reset)
    }

    private func resetToken(
        for account: Account?, at email: EmailAddress, seconds: Int
    ) -> (token: Secret<String>, pending: PendingReset) {
        let token = ports.system.randomToken(bytes: 32)
        let pending = PendingReset(
            hash: hash(resetToken: token), app: app.name, recipient: recipientKey(email.canonical),
            account: account?.id, expiresAt: ports.system.now().addingTimeInterval(Double(seconds)))
        return (Secret(token), pending)
    }
}
