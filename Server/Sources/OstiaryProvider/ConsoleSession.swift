import Foundation
package import OstiaryCore
package import OstiaryEngine

/// A session of the operator's console: a session of one of the provider's accounts, opened by the token endpoint for the
/// client ``ProviderDirectory/consoleClientID``.
///
/// Its token is sealed and valid for ``ProviderDirectory/consoleIdleSeconds``; requests replace it. The session itself is
/// in the store, so that its revocation, the state of the account and its roles hold on the next request.
package struct ConsoleSession: Sendable {
    let bearer: AuthenticatedSession
    /// A token that replaces the presented one; nil while that one is new.
    package var renewedToken: Secret<String>?

    /// The age at which a token is replaced, in seconds.
    static let renewalSeconds: TimeInterval = 60

    package var account: Account { bearer.account }
    package var session: Session { bearer.session }
}

extension OpenIDProvider {
    /// Authenticates a token of the console against the store.
    ///
    /// - Returns: Nil for a token that is no longer, or never was, one of a console session with two factors.
    /// - Throws: ``AuthError/unavailable(incident:)``.
    package func consoleSession(
        of token: Secret<String>, from caller: Caller
    ) async throws(AuthError) -> ConsoleSession? {
        let engine = console.serving(caller)
        let bearer: AuthenticatedSession
        do throws(AuthError) {
            bearer = try await engine.bearer(of: token)
            _ = try await engine.requireAuthentication(of: bearer, level: .aal2, maximumAgeSeconds: nil)
        } catch {
            if case .unavailable = error { throw error }
            return nil
        }
        do {
            return ConsoleSession(bearer: bearer, renewedToken: try await renewal(of: token, bearer, engine))
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Returns `true` if the person authenticated with two factors within a time.
    ///
    /// - Throws: ``AuthError/unavailable(incident:)``.
    package func isConsoleSession(
        _ session: ConsoleSession, authenticatedWithin seconds: Int, from caller: Caller
    ) async throws(AuthError) -> Bool {
        do throws(AuthError) {
            _ = try await console.serving(caller).requireAuthentication(
                of: session.bearer, level: .aal2, maximumAgeSeconds: seconds)
            return true
        } catch {
            if case .unavailable = error { throw error }
            return false
        }
    }

    /// Ends a console session, and the browser's session in which it was begun with all that was granted there: who signs
    /// out of the console on a shared machine must not leave a sign-in behind.
    ///
    /// Idempotent.
    package func endConsoleSession(_ token: Secret<String>, from caller: Caller) async throws(AuthError) {
        do {
            let now = ports.system.now()
            guard let claims = try await console.ports.accessTokens.read(token, at: now) else { return }
            let browser = try await grant(of: claims.session).flatMap { try? SessionID($0.session) }
            let revocation = Revocation(reason: .signOut, at: now)
            if let browser {
                _ = try await ports.store.revoke(browser, in: app, revocation)
                if let state = try await ports.store.session(browser, in: app) { try await endGrants(of: state) }
            }
            _ = try await console.serving(caller).perform(SignOut(accessToken: token))
        } catch let refusal as AuthError {
            throw refusal
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Ends the console session that another one of the same browser replaces.
    package func replaceConsoleSession(_ token: Secret<String>, from caller: Caller) async throws(AuthError) {
        _ = try await console.serving(caller).perform(SignOut(accessToken: token))
    }

    private func renewal(
        of token: Secret<String>, _ bearer: AuthenticatedSession, _ engine: AuthEngine
    ) async throws -> Secret<String>? {
        let now = ports.system.now()
        let idle = TimeInterval(ProviderDirectory.consoleIdleSeconds)
        guard let claims = try await engine.ports.accessTokens.read(token, at: now),
            claims.expiresAt.timeIntervalSince(now) < idle - ConsoleSession.renewalSeconds,
            claims.expiresAt < bearer.session.endsAt
        else { return nil }
        return try await engine.ports.accessTokens.issue(
            AccessTokenRequest(
                subject: claims.subject, session: bearer.session.id, generation: bearer.session.generation,
                issuedAt: now, expiresAt: min(now.addingTimeInterval(idle), bearer.session.endsAt)))
    }
}
