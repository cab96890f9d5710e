public import Foundation
public import OstiaryCore

/// The recovery of an account whose only credentials are lost passkeys: a mailed link adds another passkey, a day after it
/// was requested. See decisions 58 and 115.
public struct PasskeyRecovery: Hashable, Sendable {
    /// The token in the link.
    public var token: Secret<String>
    /// `true` if the account has recovery codes, with which a reset of the password is the faster way.
    public var hasRecoveryCodes: Bool

    /// Creates a recovery from its parts.
    public init(token: Secret<String>, hasRecoveryCodes: Bool) {
        self.token = token
        self.hasRecoveryCodes = hasRecoveryCodes
    }

    /// The time between the request and the use of the link, in seconds. An owner who did not request it has that time to
    /// sign in with a passkey, which makes the link void.
    public static let waitSeconds = 86_400
    /// The lifetime of the link, including the wait.
    public static let lifetimeSeconds = 7 * 86_400
}

extension AuthEngine {
    /// Returns the recovery of an account.
    ///
    /// The store is read for no account too, so that the request takes as long.
    ///
    /// - Returns: Nil for an account with another credential than passkeys, and for no account.
    func passkeyRecovery(of account: Account?) async throws -> PasskeyRecovery? {
        guard (try? passkeyAccountSettings()) != nil else { return nil }
        let (system, now) = (ports.system, ports.system.now())
        let id = try account?.id ?? AccountID(system.randomBytes(16).base64URL)
        let enrolled = try await ports.store.factors(of: id, in: app.name)
        guard let account, account.passwordHash == nil, account.hasOnlyPasskeys(of: enrolled) else { return nil }
        let pending = PendingPasskeyRecovery(
            account: account.id.text, credentialVersion: account.credentialVersion, factors: hash(of: enrolled),
            requestedAt: now)
        let token = ChallengeToken(
            .passkeyRecovery(pending), id: system.randomBytes(16), lifetimeSeconds: PasskeyRecovery.lifetimeSeconds,
            at: now)
        return PasskeyRecovery(token: try token.sealed(in: self), hasRecoveryCodes: enrolled.recoveryCodesLeft > 0)
    }

    /// Returns the time from which a link recovers its account. Redeems nothing: mail scanners open every link.
    ///
    /// - Throws: `AuthError.challengeRefused` for a link that is unknown, used or expired, for one that a sign-in or a change of
    ///   the account has made void, and for an account that is disabled or deleted; `AuthError.notFound` for an app without
    ///   passkeys; `AuthError.appAssertionRequired` where the app requires App Attest, which no page can give;
    ///   `AuthError.tooManyAttempts(retryAfterSeconds:)`; `AuthError.unavailable(incident:)`.
    public func passkeyRecoveryOpening(_ token: Secret<String>) async throws(AuthError) -> Date {
        try await run(PasskeyRecoveryLookupHandler(token: token))
    }

    /// Returns the options with which a page adds a passkey by the link of a recovery.
    ///
    /// - Throws: As `BeginPasskeyRegistration`; `AuthError.challengeRefused` for the token of anything else.
    public func passkeyRecoveryOptions(_ token: Secret<String>) async throws(AuthError) -> PasskeyOptions {
        try requireRecovery(token)
        return try await perform(BeginPasskeyRegistration(accessToken: token))
    }

    /// Adds a passkey with the link of a recovery on a page. No session is opened, because the person signs in in the app and
    /// not in the browser that shows the page.
    ///
    /// - Throws: As `RegisterPasskey`; `AuthError.challengeRefused` for the token of anything else.
    public func recover(
        _ token: Secret<String>, passkeyToken: Secret<String>, credential: String, name: FactorName
    ) async throws(AuthError) {
        try requireRecovery(token)
        let call = RegisterPasskey(accessToken: token, passkeyToken: passkeyToken, credential: credential, name: name)
        _ = try await run(
            RegisterPasskeyHandler(call: call, opensSession: false),
            needsAppAssertion: RegisterPasskey.description.needsAppAssertion)
    }

    private func requireRecovery(_ token: Secret<String>) throws(AuthError) {
        guard case .recovery? = try ChallengeToken.addition(presentedAs: token, in: self) else {
            throw .challengeRefused
        }
    }

    /// Authenticates the holder of a link.
    ///
    /// - Throws: ``AuthError/challengeRefused``; ``AuthError/tooManyAttempts(retryAfterSeconds:)`` before the link is open.
    func owner(recoveredBy pending: PendingPasskeyRecovery) async throws -> FactorOwner {
        let (account, enrolled) = try await recoverable(pending)
        let wait = pending.opensAt.timeIntervalSince(ports.system.now())
        guard wait <= 0 else {
            throw Refused(.tooManyAttempts(retryAfterSeconds: Int(wait.rounded(.up))), account: account.id)
        }
        return .recovering(account, enrolled)
    }

    /// Returns the account of a link and its factors.
    ///
    /// - Throws: ``AuthError/challengeRefused`` if the account was used or changed since the request: its owner has not lost
    ///   the passkey, or has recovered the account already. A password that the same mailbox has set is no such change: an owner
    ///   without a recovery code may have tried that first.
    fileprivate func recoverable(_ pending: PendingPasskeyRecovery) async throws -> (Account, EnrolledFactors) {
        _ = try passkeyAccountSettings()
        guard let account = try await ports.store.account(AccountID(pending.account), in: app.name), account.isActive
        else { throw AuthError.challengeRefused }
        try countFlood(.other, "account", account.id.text)
        let enrolled = try await ports.store.factors(of: account.id, in: app.name)
        let resets = account.passwordHash != nil && account.passwordResetChannel == .email ? 1 : 0
        let isUsed = enrolled.factors.contains { $0.lastUsedAt.map { $0 > pending.requestedAt } ?? false }
        guard account.credentialVersion == pending.credentialVersion + resets, !isUsed,
            account.hasOnlyPasskeys(of: enrolled),
            constantTimeEqual(Array(pending.factors), Array(hash(of: enrolled)))
        else { throw Refused(.challengeRefused, account: account.id) }
        return (account, enrolled)
    }

    /// A keyed hash of the ids of an account's factors.
    private func hash(of enrolled: EnrolledFactors) -> Data {
        Data(digest(of: enrolled, after: ["recovery"], for: .challenges))
    }
}

extension Account {
    /// Returns `true` if the account has no identity provider, and its factors are passkeys, at least one.
    fileprivate func hasOnlyPasskeys(of enrolled: EnrolledFactors) -> Bool {
        provider == "local" && !enrolled.factors.isEmpty && enrolled.factors.allSatisfy { $0.kind == .passkey }
    }
}

/// The recovery of an account, until the link of its mail is used.
struct PendingPasskeyRecovery: Codable {
    var account: String
    var credentialVersion: Int
    /// A keyed hash of the ids of the account's factors.
    var factors: Data
    var requestedAt: Date

    var opensAt: Date { requestedAt.addingTimeInterval(Double(PasskeyRecovery.waitSeconds)) }
}

/// Checks whether the link of a mail is still valid. Counts only against the flood limits, as the lookup of every mailed link.
private struct PasskeyRecoveryLookupHandler: OperationHandler {
    let token: Secret<String>

    static let action = OperationKind.registerPasskey
    static let name = "lookUpPasskeyRecovery"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Date> {
        try engine.refusePagesIfAssertionRequired()
        guard case .recovery(let pending)? = try ChallengeToken.addition(presentedAs: token, in: engine) else {
            throw AuthError.challengeRefused
        }
        _ = try await engine.recoverable(pending)
        return Outcome(pending.opensAt)
    }
}
