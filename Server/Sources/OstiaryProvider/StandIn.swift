package import OstiaryCore
package import OstiaryEngine

/// Plays a social provider, for development: whoever types a name and an address is believed.
enum StandIn {
    /// By Auth0's names.
    static let connections = ["google-oauth2", "github", "apple"]
}

extension OpenIDProvider {
    /// Signs in whoever says they are somebody. The same address is the same person again.
    ///
    /// - Throws: ``AuthError/notConfigured`` outside development; ``AuthError/wrongCredentials`` for a disabled account;
    ///   ``AuthError/unavailable(incident:)``.
    package func standIn(
        as name: PersonName?, _ email: EmailAddress, at connection: String, from caller: Caller
    ) async throws(AuthError) -> SignedIn {
        guard settings.playsConnections, StandIn.connections.contains(connection) else { throw .notConfigured }
        let digest = ports.keys.digest(["stand-in", connection, email.canonical], for: .provider, app: app)
        let identity = ProviderIdentity(
            issuer: "urn:ostiary:stand-in:\(connection)",
            subject: digest.prefix(10).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), email: email,
            isEmailVerified: true, fullName: name)
        do {
            let account = try await ports.store.account(
                of: ProviderArrival(
                    app: app, idKind: engine.app.rules.accountIDs, kind: connection, identity: identity,
                    at: ports.surroundings.now()))
            return try await engine.serving(caller).openClientSession(of: account, session: try newSessionID())
        } catch {
            if let refusal = error as? AuthError { throw refusal }
            throw .unavailable(incident: ports.report(error))
        }
    }
}
