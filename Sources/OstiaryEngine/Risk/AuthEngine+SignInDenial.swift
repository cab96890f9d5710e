public import Foundation
public import OstiaryCore

/// The page "This was not me", which the link of a notice leads to: see decision 79.
extension AuthEngine {
    /// Returns the time of the sign-in that a link denies. Redeems nothing: mail scanners open every link.
    ///
    /// - Throws: `AuthError.notFound` for a link that is unknown, used or expired, for an account whose credentials have changed
    ///   since, and for one that is disabled or deleted; `AuthError.tooManyAttempts(retryAfterSeconds:)`;
    ///   `AuthError.unavailable(incident:)`.
    public func signIn(deniedBy token: Secret<String>) async throws(AuthError) -> Date {
        try await run(SignInDenialLookupHandler(token: token))
    }

    /// Ends all sessions of the account of a link, makes its password unusable, forgets its devices and networks, and mails the
    /// link that sets another password. Starts no session.
    ///
    /// - Returns: `true` if the link that sets a password was mailed.
    /// - Throws: As ``signIn(deniedBy:)``.
    public func denySignIn(_ token: Secret<String>) async throws(AuthError) -> Bool {
        try await run(SignInDenialHandler(token: token))
    }

    /// - Throws: ``AuthError/notFound``.
    fileprivate func deniable(_ token: Secret<String>) async throws -> (at: Date, account: Account) {
        let key = denialKey(of: token)
        guard
            let record = try await ports.store.singleUseRecord(
                key.kind, key.hash, in: app.name, at: ports.system.now())
        else { throw AuthError.notFound }
        let payload = try SignInDenial.payload(of: record, ports.keys)
        guard let account = try await ports.store.account(AccountID(payload.account), in: app.name), account.isActive,
            account.credentialVersion == payload.credentialVersion
        else { throw AuthError.notFound }
        return (payload.at, account)
    }

    /// Makes the password unusable, if there is one, ends all sessions and forgets all devices, in one transaction. The credential
    /// version, which that transaction compares and increments, makes it happen once and voids the link.
    fileprivate func endAccess(to account: Account) async throws {
        var hash: String?
        if account.passwordHash != nil {
            hash = try await ports.passwords.hash(Secret(ports.system.randomToken(bytes: 32)))
        }
        let changed = try await ports.store.setPassword(
            PasswordChange(
                app: app.name, account: account.id, hash: hash, credentialVersion: account.credentialVersion,
                reason: .deniedByOwner, at: ports.system.now()))
        guard changed else { throw Refused(.notFound, account: account.id) }
    }
}

/// Checks whether the link of a notice is still valid. Counts only against the flood limits, as the lookup of every mailed
/// link.
private struct SignInDenialLookupHandler: OperationHandler {
    let token: Secret<String>

    static let action = OperationKind.endSession
    static let name = "lookUpSignInDenial"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Date> { Outcome(try await engine.deniable(token).at) }
}

/// Ends what a sign-in that the owner denies gave access to.
private struct SignInDenialHandler: OperationHandler {
    let token: Secret<String>

    static let action = OperationKind.endSession
    static let name = "denySignIn"
    static let auditing = Auditing.always
    var attempts: Attempts { Attempts(kind: .reset, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Bool> {
        let account = try await engine.deniable(token).account
        try await engine.endAccess(to: account)
        await engine.forgetNetworks(of: account)
        var isSent = false
        if account.passwordHash != nil, engine.verifiesPasswords, let email = account.email {
            isSent = await engine.sendPasswordReset(afterDenialTo: account, at: email)
        }
        return Outcome(isSent, account: account.id)
    }
}
