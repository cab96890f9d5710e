import Foundation
import OstiaryCore

/// Compares the passwords of successful sign-ins with the list of compromised ones: see decision 81.
extension AuthEngine {
    /// The time after which a password that was compared is compared again, in seconds: lists grow.
    private static let checkSeconds = 7.0 * 86_400
    /// The time within which an owner is informed once of a password, in seconds.
    private static let noticeSeconds = 10 * 365 * 86_400

    /// Compares the password of a sign-in in the background, if it was not compared lately. The sign-in does not wait.
    func checkInBackground(_ password: Secret<String>, of account: Account) {
        guard let list = ports.compromisedPasswords, let hash = account.passwordHash else { return }
        passwordChecks.run {
            do { try await check(password, hash, of: account, in: list) } catch { _ = ports.report(error) }
        }
    }

    private func check(
        _ password: Secret<String>, _ hash: String, of account: Account, in list: any CompromisedPasswords
    ) async throws {
        let (now, key) = (ports.system.now().asStored, passwordKey(of: hash, of: account.id))
        let stored = try await ports.store.signInHistory(of: account.id, in: app.name, at: now)
        if let last = open(stored.sealed, of: account.id).passwordCheck, last.password == key,
            last.isCompromised || now.timeIntervalSince(last.at) < Self.checkSeconds
        {
            return
        }
        let isCompromised = await list.contains(password)
        if isCompromised {
            try await ports.store.append(
                AuditEvent(
                    at: now, app: app.name, action: "checkPassword", outcome: "password_compromised",
                    account: account.id, address: caller.address, userAgent: caller.userAgent))
            try await sendCompromisedNotice(to: account, key)
        }
        await updateHistory(of: account.id) {
            $0.passwordCheck = SignInHistory.PasswordCheck(password: key, isCompromised: isCompromised, at: now)
        }
    }

    /// Informs the owner once of each password. Counts against no cap of messages.
    private func sendCompromisedNotice(to account: Account, _ key: [UInt8]) async throws {
        guard let email = account.email else { return }
        let message = try await ports.notificationSealer.seal(
            .passwordCompromised, to: .email(email), app: app.name)
        let once = AttemptBucket(
            key: self.key(.codeRequest, "compromised-password", "\(account.id.text) \(key.base64URL)"),
            limit: RateLimit(attempts: 1, perSeconds: Self.noticeSeconds))
        guard
            try await ports.store.enqueue(message, within: [once], keeping: nil, at: ports.system.now()) == nil
        else { return }
        ports.notificationSealer.wake()
    }
}
