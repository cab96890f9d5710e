import Foundation
import OstiaryCore

extension ChangePassword: EngineOperation {
    var handler: ChangePasswordHandler { ChangePasswordHandler(call: self) }
}

/// Replaces the password of a signed-in person, or sets the first one of an account with a passkey, and ends the account's
/// other sessions. Withdraws the session's earlier
/// refresh tokens, and the current one where the response carries its successor, so that stolen copies of them are
/// refused.
struct ChangePasswordHandler: OperationHandler {
    let call: ChangePassword

    static let action = ChangePassword.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PasswordChanged> {
        try engine.requireOwnPasswords()
        let bearer = try await engine.signedIn(call.accessToken)
        if bearer.account.passwordHash == nil, bearer.account.provider == "local" {
            try await engine.requireStepUp(bearer)
        } else {
            guard let password = call.currentPassword else { throw AuthError.invalid(.currentPassword, .missing) }
            try await engine.requireStepUp(bearer, confirming: .password)
            try await engine.confirm(password, of: bearer.account)
        }
        let claims = try await furtherClaims(of: bearer, in: engine)
        let changed = try await engine.setPassword(
            call.newPassword, in: .newPassword, of: bearer.account, by: .owner(bearer))
        // The password was reset since the check, perhaps because an attacker knows the one given.
        guard changed else { throw Refused(.wrongCredentials, account: bearer.account.id) }
        return Outcome(
            PasswordChanged(tokens: try await successors(of: bearer, with: claims, in: engine)),
            account: bearer.account.id, session: bearer.session.id)
    }

    /// Asks for the claims before the change, which withdraws the refresh token that the client has.
    private func furtherClaims(of bearer: AuthenticatedSession, in engine: AuthEngine) async throws -> TokenClaims {
        guard engine.app.passwordChangeRenewsTokens else { return .none }
        let state = SessionState(session: bearer.session, account: bearer.account)
        return try await engine.furtherClaims(of: state, at: engine.ports.system.now())
    }

    /// Returns the tokens that the session continues with; `nil` where the response has no place for them.
    private func successors(
        of bearer: AuthenticatedSession, with claims: TokenClaims, in engine: AuthEngine
    ) async throws -> Tokens? {
        guard engine.app.passwordChangeRenewsTokens else { return nil }
        let (id, now) = (bearer.session.id, engine.ports.system.now())
        guard let state = try await engine.ports.store.session(id, in: engine.app.name),
            state.session.revocation == nil
        else { throw Refused(.sessionRevoked, account: bearer.account.id, session: id) }
        return try await engine.tokens(for: state, at: now, with: claims)
    }
}
