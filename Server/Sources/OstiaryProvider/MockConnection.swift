package import OstiaryCore
package import OstiaryEngine

/// The simulation of social providers, for development: name and address are accepted without proof.
enum MockConnection {
    /// The simulated connections, by Auth0's names.
    static let connections = ["google-oauth2", "github", "apple"]
}

extension OpenIDProvider {
    /// Signs in the user of the given name and address. The same address at the same connection is the same account.
    ///
    /// - Throws: ``AuthError/notConfigured`` outside development, and for an unknown connection;
    ///   ``AuthError/wrongCredentials`` for a disabled account; ``AuthError/unavailable(incident:)``.
    package func mockSignIn(
        as name: PersonName?, _ email: EmailAddress, at connection: String, from caller: Caller
    ) async throws(AuthError) -> SignedIn {
        guard settings.mocksConnections, MockConnection.connections.contains(connection) else { throw .notConfigured }
        let digest = ports.keys.digest(["stand-in", connection, email.canonical], for: .provider, app: app)
        let identity = ProviderIdentity(
            issuer: "urn:ostiary:stand-in:\(connection)",
            subject: digest.prefix(10).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), email: email,
            isEmailVerified: true, fullName: name)
        do {
            let account = try await ports.store.account(
                of: ProviderAccountUpsert(
                    app: app, idKind: engine.app.rules.accountIDs, kind: connection, identity: identity,
                    at: ports.system.now()))
            return try await engine.serving(caller).openClientSession(
                of: account,
                context: AuthenticationContext([
                    AuthenticationContext.Event(method: .federated, at: ports.system.now())
                ]), isChallengeAnswered: false, recognizesDevice: true, session: try newSessionID())
        } catch {
            if let refusal = error as? AuthError { throw refusal }
            throw .unavailable(incident: ports.report(error))
        }
    }
}
