package import OstiaryCore
package import OstiaryEngine
import OstiaryTokens

/// The built-in OpenID provider: a directory of accounts, and the tokens and claims that it issues to clients.
///
/// Its users are the accounts of a dedicated app, served by an engine like those of any other app; its sessions, in the
/// browser and at clients, are sessions of those accounts, so that revoking a session takes effect here too.
///
/// Made by ``ProviderDirectory``. Source: OpenID Connect Core 1.0, OpenID Connect Discovery 1.0, RFC 6749, RFC 7636,
/// RFC 9700.
package struct OpenIDProvider: Sendable {
    package let settings: ProviderSettings
    /// The directory's engine: users sign in, register and sign out with it; its sessions are those of browsers.
    package let engine: AuthEngine
    /// The engine for clients, on the same accounts: its sessions are clients' grants. Its tokens are of another kind,
    /// so that a browser's cookie is not valid as a client's token, nor the other way round.
    let grants: AuthEngine
    /// The engine for the operator's console, on the same accounts; see ``ConsoleSession``.
    let console: AuthEngine
    let idTokens: IDTokens
    /// The keys of ID tokens and of access tokens.
    let keys: [SigningKeys]

    /// The lifetime of an authorization code, in seconds. Source: RFC 9700 §4.5.3 (short).
    package static let codeSeconds = AppSettings.usualBrowserSeconds
    /// The lifetime of an ID token, in seconds.
    package static let idTokenSeconds = 3600

    init(
        settings: ProviderSettings, engine: AuthEngine, grants: AuthEngine, console: AuthEngine, idTokens: IDTokens,
        keys: [SigningKeys]
    ) {
        self.settings = settings
        self.engine = engine
        self.grants = grants
        self.console = console
        self.idTokens = idTokens
        self.keys = keys
    }

    var ports: Ports { engine.ports }
    var app: AppName { engine.app.name }

    /// Returns the user who is signed in in a browser, by the value of its session cookie; nil if there is none.
    ///
    /// - Throws: ``AuthError/unavailable(incident:)``.
    package func bearer(ofSession cookie: Secret<String>?, from caller: Caller) async throws(AuthError)
        -> AuthenticatedSession?
    {
        guard let cookie else { return nil }
        do throws(AuthError) {
            return try await engine.serving(caller).bearer(of: cookie)
        } catch {
            if case .unavailable = error { throw error }
            return nil
        }
    }

    /// Registers an account, if registration is open, and signs its owner in.
    ///
    /// - Throws: The errors of ``AuthEngine/register(_:)``; ``AuthError/notFound`` if registration is closed.
    package func register(_ call: Register, from caller: Caller) async throws(AuthError) -> SignedIn {
        guard settings.isRegistrationOpen else { throw .notFound }
        return try await engine.serving(caller).perform(call)
    }

    /// `true` if the sessions of clients are bound to a key where the client proves one.
    package var bindsTokens: Bool { grants.app.dpop.requirement != .off }

    /// The nonce that a client's next proof should carry.
    package var dpopNonce: String { grants.dpopNonce }

    func newSessionID() throws -> SessionID { try SessionID(ports.system.randomSessionID()) }
}
