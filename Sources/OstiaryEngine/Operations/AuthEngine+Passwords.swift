import Foundation
import OstiaryCore

/// The party that sets a password.
enum PasswordSetter {
    /// The owner, whose session continues.
    case owner(AuthenticatedSession)
    /// The holder of a single-use secret that was sent to the account.
    case reset(SingleUseSecret)
    /// An administrator.
    case administrator

    var reason: Revocation.Reason {
        if case .reset = self { .passwordReset } else { .passwordChanged }
    }

    /// The session that continues; nil for none.
    var session: AuthenticatedSession? {
        if case .owner(let session) = self { session } else { nil }
    }

    /// Returns the credential version that the account must still have; nil for any.
    func credentialVersion(of account: Account) -> Int? {
        switch self {
        case .owner(let session): session.account.credentialVersion
        // The account may be disabled, or get another number, while the password is hashed.
        case .reset: account.credentialVersion
        case .administrator: nil
        }
    }

    /// The secret that the change redeems; nil for none.
    var secret: SingleUseSecret? {
        if case .reset(let secret) = self { secret } else { nil }
    }
}

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
    /// - Parameter audit: Records that the password, which is acceptable, will be set.
    /// - Returns: `false` if the account is deleted, or its credentials have changed since the owner was authenticated.
    /// - Throws: ``StoreRefusal/alreadySpent``.
    func setPassword(
        _ password: Secret<String>, in field: Field, of account: Account, by setter: PasswordSetter,
        audit: () async throws -> Void = {}
    ) async throws -> Bool {
        if let problem = await problem(withNew: password, own: account.ownNames) {
            throw AuthError.invalid(field, problem)
        }
        try await audit()
        // A change by the owner, who stays signed in. The others are limited by the messages that allow them.
        if setter.session != nil { try await countChange(of: account) }
        let hash = try await ports.passwords.hash(password)
        var notice: QueuedMessage?
        if let email = account.email {
            notice = try await ports.notificationSealer.seal(.passwordChanged, to: .email(email), app: app.name)
        }
        let changed = try await ports.store.setPassword(
            PasswordChange(
                app: app.name, account: account.id, hash: hash, spending: setter.secret,
                credentialVersion: setter.credentialVersion(of: account), reason: setter.reason,
                keeping: setter.session?.session.id, renewsKept: app.passwordChangeRenewsTokens, notice: notice,
                at: ports.system.now()))
        guard changed else { return false }
        ports.notificationSealer.wake()
        // A person who knew the previous password may be the one the owner locks out now; the caller has just proved to
        // be the owner.
        await forgetNetworks(of: account)
        await rememberNetwork(for: account)
        if setter.secret != nil { await recordReset(of: account) }
        return true
    }

    func hash(resetToken: String) -> [UInt8] {
        ports.keys.digest([resetToken], for: .resetTokens, app: app.name)
    }
}
