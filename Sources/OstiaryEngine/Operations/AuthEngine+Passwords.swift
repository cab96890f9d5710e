import Foundation
import OstiaryCore

extension AuthEngine {
    /// Checks that this server verifies the app's passwords.
    ///
    /// - Throws: ``AuthError/notConfigured`` where an external credential provider does.
    func requireOwnPasswords() throws(AuthError) {
        if ports.identities.credentialProvider != nil { throw .notConfigured }
    }

    /// Verifies the password of a signed-in person again. A wrong one counts like a failed sign-in.
    func confirm(_ password: Secret<String>, of account: Account) async throws {
        let counted = try await countGuess(
            at: guessSubject(of: account), as: "session", alsoAgainst: addressBucket(.signIn))
        try await countingGuess(counted) {
            guard try await ports.passwords.check(password, against: account.passwordHash) != .differs else {
                throw Refused(.wrongCredentials, account: account.id)
            }
        }
    }

    /// Checks and sets a password, ends sessions, and informs the owner.
    ///
    /// - Returns: `false` if the account is deleted, or its credential version is no longer `version`.
    /// - Throws: ``StoreRefusal/alreadySpent``.
    func setPassword(
        _ password: Secret<String>, in field: Field, of account: Account, reason: Revocation.Reason,
        spending secret: SingleUseSecret? = nil, ifCredentialsAre version: Int? = nil, keeping session: SessionID? = nil
    ) async throws -> Bool {
        if let problem = await problem(withNew: password, own: account.ownNames) {
            throw AuthError.invalid(field, problem)
        }
        // A change by the owner, who stays signed in. The others are limited by the messages that allow them.
        if session != nil { try await countChange(of: account) }
        let hash = try await ports.passwords.hash(password)
        var notice: QueuedMessage?
        if let email = account.email {
            notice = try await ports.notificationSealer.seal(.passwordChanged, to: .email(email), app: app.name)
        }
        let changed = try await ports.store.setPassword(
            PasswordChange(
                app: app.name, account: account.id, hash: hash, spending: secret, credentialVersion: version,
                reason: reason, keeping: session, renewsKept: app.passwordChangeRenewsTokens, notice: notice,
                at: ports.system.now()))
        guard changed else { return false }
        ports.notificationSealer.wake()
        // A person who knew the previous password may be the one the owner locks out now; the caller has just proved to
        // be the owner.
        await forgetNetworks(of: account)
        await rememberNetwork(for: account)
        if reason == .passwordReset { await recordReset(of: account) }
        return true
    }

    func hash(resetToken: String) -> [UInt8] {
        ports.keys.digest([resetToken], for: .resetTokens, app: app.name)
    }
}
