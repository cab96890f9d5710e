import Foundation
import OstiaryCore

/// Compares the passwords of successful sign-ins with the list of compromised ones: see decision 81.
extension AuthEngine {
    /// The time after which a password that was compared is compared again, in seconds: lists grow.
    private static let checkSeconds = 7.0 * 86_400
    /// The time within which an owner is informed once of a password, in seconds.
    private static let noticeSeconds = 10 * 365 * 86_400

    /// Compares the password of a sign-in in the background, if it was not compared lately. The sign-in does not wait.
    func checkInBackground(_ authentication: Authentication) {
        let account = authentication.account
        guard let list = ports.compromisedPasswords, let password = authentication.password,
            let hash = account.passwordHash
        else { return }
        let key = passwordKey(of: hash, of: account.id)
        // The history that the assessment has read need not be read again.
        if let history = authentication.risk?.history, wasChecked(key, in: history) { return }
        passwordChecks.run {
            do { try await check(password, key, of: account, in: list) } catch { _ = ports.report(error) }
        }
    }

    /// Returns `true` if the password of that keyed hash was compared lately, or found to be compromised.
    private func wasChecked(_ key: [UInt8], in history: SignInHistory) -> Bool {
        guard let last = history.passwordCheck, last.password == key else { return false }
        return last.isCompromised || ports.system.now().asStored.timeIntervalSince(last.at) < Self.checkSeconds
    }

    private func check(
        _ password: Secret<String>, _ key: [UInt8], of account: Account, in list: any CompromisedPasswords
    ) async throws {
        let now = ports.system.now().asStored
        let stored = try await ports.store.signInHistory(of: account.id, in: app.name, at: now)
        guard !wasChecked(key, in: open(stored.sealed, of: account.id)) else { return }
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
