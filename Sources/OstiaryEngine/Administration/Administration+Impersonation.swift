import Foundation
public import OstiaryCore

extension Administration {
    /// The longest lifetime of an impersonation, in seconds.
    public static let maximumImpersonationSeconds = ImpersonationPolicy.maximumSeconds
    /// The maximum length of a reason, in bytes.
    public static let maximumReasonBytes = AuditEvent.maximumDetailBytes

    /// Opens a session in which the administrator acts for an account. It is no sign-in of the account's owner: what it may do
    /// is in `ImpersonationPolicy`.
    ///
    /// - Parameters:
    ///   - reason: The reason, for the audit log.
    ///   - seconds: The lifetime, at most 900; it also ends with the administrator's service key.
    /// - Throws: ``AdministrationProblem`` for an account of the built-in provider or with all permissions, for a command,
    ///   if there is no such account or it is disabled, and for a malformed reason or lifetime.
    public func impersonate(
        _ id: AccountID, reason: String, seconds: Int = maximumImpersonationSeconds
    ) async throws -> Impersonation {
        try Self.check(reason: reason)
        guard (1...Self.maximumImpersonationSeconds).contains(seconds) else {
            throw AdministrationProblem.invalid(
                "expires_in", "out_of_range", "the lifetime is 1 to \(Self.maximumImpersonationSeconds) seconds")
        }
        let account = try await account(id)
        try await requireImpersonable(account)
        let opened = now.asStored
        var endsAt = opened.addingTimeInterval(Double(seconds))
        if let end = try await actorValidity(at: opened) { endsAt = min(endsAt, end.asStored) }
        let session = Session(
            id: try engine.newSessionID(), app: app.name, accountID: id, createdAt: opened,
            idleSeconds: ImpersonationPolicy.maximumSeconds, endsAt: endsAt, address: caller.address,
            userAgent: caller.userAgent, actor: actor.text)
        try await audit(
            "users.impersonate", id, session.id, details: ["reason": reason, "expires_in": String(seconds)])
        let state = SessionState(session: session, account: account)
        let claims = try await engine.furtherClaims(of: state, at: opened)
        guard try await ports.store.add(session, credentialVersion: account.credentialVersion) else {
            throw AdministrationProblem.conflict("account_changed", "the account has changed: try again")
        }
        do {
            // Read after the session was added: a revocation of the key either finds the session or is found here.
            _ = try await actorValidity(at: now)
        } catch {
            try await engine.end(session.id, .actorRevoked)
            throw error
        }
        let token = try await engine.onlyAccessToken(of: state, at: opened, with: claims)
        return Impersonation(
            accessToken: token, expiresInSeconds: Int(endsAt.timeIntervalSince(opened).rounded(.down)),
            session: session.id)
    }

    /// Returns `true` if an account has all permissions after a change.
    func forbidsImpersonations(of account: Account, after change: AccountChange) async throws -> Bool {
        var changed = account
        changed.assignments = change.assignments(after: account.assignments)
        return try await engine.isAdministrator(changed)
    }

    private static func check(reason: String) throws(AdministrationProblem) {
        let problem: FieldProblem?
        if reason.utf8.allSatisfy({ $0 == 0x20 }) {
            problem = .missing
        } else if reason.utf8.count > maximumReasonBytes {
            problem = .tooLong(maximum: maximumReasonBytes)
        } else {
            problem = reason.unicodeScalars.contains { $0.properties.generalCategory == .control } ? .malformed : nil
        }
        guard let problem else { return }
        throw .invalid("reason", problem.code, "the reason is one line of 1 to \(maximumReasonBytes) bytes")
    }

    private func requireImpersonable(_ account: Account) async throws {
        func forbidden(_ description: String) -> AdministrationProblem {
            AdministrationProblem(.forbidden, code: "impersonation_forbidden", description)
        }
        if case .commandLine = actor { throw forbidden("a command acts for no account") }
        if case .schedule = actor { throw forbidden("a schedule acts for no account") }
        guard app.name != .provider else { throw forbidden("nobody acts for an account of \(app.name)") }
        guard account.isActive else {
            throw AdministrationProblem.conflict("account_disabled", "the account is disabled")
        }
        guard try await !engine.isAdministrator(account) else {
            throw forbidden("the account has all permissions")
        }
        guard app.requestSigning != .required else {
            throw AdministrationProblem.conflict(
                "signing_required", "\(app.name) requires signed requests, and the session would have no signing key")
        }
    }

    /// Returns the time at which the administrator's service key expires; `nil` for none.
    ///
    /// - Throws: ``AdministrationProblem`` for a key that is revoked or has expired.
    private func actorValidity(at now: Date) async throws -> Date? {
        guard case .serviceKey(let text) = actor else { return nil }
        guard let id = try? ServiceKeyID(text), let key = try await ports.store.serviceKey(id), key.isValid(at: now)
        else {
            throw AdministrationProblem(
                .forbidden, code: "impersonation_forbidden", "the service key is revoked or has expired")
        }
        return key.expiresAt
    }
}
