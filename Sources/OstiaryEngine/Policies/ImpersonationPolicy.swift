import OstiaryCore

/// The operations that an administrator may perform who acts for an account.
///
/// Everything that is not listed is the owner's alone, so that an operation that is added later is refused until this list
/// names it: credentials, factors, identifiers, sessions, signing keys and the account itself.
enum ImpersonationPolicy {
    /// The longest session, in seconds.
    static let maximumSeconds = 900

    static func permits(_ operation: OperationKind) -> Bool {
        switch operation {
        case .currentUser, .updateProfile, .listSessions, .listDevices, .listFactors, .listPermissions,
            .checkPermission:
            true
        default: false
        }
    }
}

extension AuthEngine {
    /// Checks what is done in a session in which an administrator acts for the account; returns at once for the owner's.
    ///
    /// The account may have become an administrator's since the session was opened. The session is revoked then, so that it does
    /// not continue when the account loses the role.
    ///
    /// - Throws: ``AuthError/impersonated`` for an operation that is the owner's alone; ``AuthError/sessionRevoked``.
    func requirePermitted(_ session: Session, of account: Account) async throws {
        guard let actor = session.actor else { return }
        if let operation, !ImpersonationPolicy.permits(operation) {
            throw Refused(.impersonated, account: account.id, session: session.id, actor: actor)
        }
        guard try await !isAdministrator(account) else {
            try await end(session.id, .actorRevoked)
            throw AuthError.sessionRevoked
        }
    }
}
