package import Foundation
package import OstiaryCore
package import OstiaryEngine

/// The contents of a person's account page.
package struct AccountOverview: Hashable, Sendable {
    package var account: Account
    /// Nil if the provider has no second factors.
    package var factors: FactorList?
    /// The browsers that are signed in, the most recently used first.
    package var browsers: [SessionSummary]
    /// The clients with a session of the account, the most recently used first.
    package var clients: [ConnectedClient]
    /// The devices that the account recognizes, the most recently used first.
    package var devices: [DeviceSummary] = []
}

/// A client with a session of an account.
package struct ConnectedClient: Hashable, Sendable {
    package var id: String
    /// The client's name; its id if it is no longer configured.
    package var name: String
    /// The scopes of all its sessions.
    package var scopes: [Scope]
    /// The beginning of its first session.
    package var since: Date
    package var lastUsedAt: Date
    /// The ids of its sessions.
    var sessions: [SessionID]
}

extension OpenIDProvider {
    /// Returns the contents of the account page.
    ///
    /// - Throws: The errors of ``OstiaryEngine/AuthEngine/bearer(of:)`` for a session that has ended.
    package func overview(
        session cookie: Secret<String>, from caller: Caller
    ) async throws(AuthError) -> AccountOverview {
        let engine = engine.serving(caller)
        var overview = AccountOverview(
            account: try await engine.bearer(of: cookie).account, factors: nil, browsers: [], clients: [])
        if engine.app.secondFactor.requirement != .off {
            overview.factors = try await engine.perform(ListFactors(accessToken: cookie))
        }
        overview.devices = try await engine.perform(ListDevices(accessToken: cookie)).devices
        for session in try await engine.perform(ListSessions(accessToken: cookie)) {
            let grant: Grant?
            do { grant = try await self.grant(of: session.id) } catch {
                throw .unavailable(incident: ports.report(error))
            }
            if let grant {
                overview.add(session, of: grant, name: client(grant.client)?.name)
            } else {
                overview.browsers.append(session)
            }
        }
        return overview
    }

    /// Ends the session of one of the account's browsers, and the clients' sessions that were granted in it.
    ///
    /// - Throws: ``AuthError/notFound`` for a session that is not one of the account's browsers.
    package func endBrowser(
        _ id: SessionID, session cookie: Secret<String>, from caller: Caller
    ) async throws(AuthError) {
        let engine = engine.serving(caller)
        let account = try await engine.bearer(of: cookie).account
        do {
            guard let state = try await ports.store.session(id, in: app), state.account.id == account.id,
                try await grant(of: id) == nil
            else { throw AuthError.notFound }
            _ = try await engine.perform(EndSession(accessToken: cookie, sessionID: id))
            try await endGrants(of: state)
        } catch let refusal as AuthError {
            throw refusal
        } catch {
            throw .unavailable(incident: ports.report(error))
        }
    }

    /// Ends the sessions of a client.
    ///
    /// - Throws: ``AuthError/notFound`` for a client without a session of the account.
    package func disconnect(
        _ client: String, session cookie: Secret<String>, from caller: Caller
    ) async throws(AuthError) {
        let clients = try await overview(session: cookie, from: caller).clients
        guard let connected = clients.first(where: { $0.id.utf8.elementsEqual(client.utf8) }) else { throw .notFound }
        for id in connected.sessions {
            _ = try await engine.serving(caller).perform(EndSession(accessToken: cookie, sessionID: id))
        }
    }
}

extension AccountOverview {
    fileprivate mutating func add(_ session: SessionSummary, of grant: Grant, name: String?) {
        guard let index = clients.firstIndex(where: { $0.id.utf8.elementsEqual(grant.client.utf8) }) else {
            clients.append(
                ConnectedClient(
                    id: grant.client, name: name ?? grant.client, scopes: grant.scopes, since: session.createdAt,
                    lastUsedAt: session.lastUsedAt, sessions: [session.id]))
            return
        }
        clients[index].scopes = Scope.allCases.filter { (clients[index].scopes + grant.scopes).contains($0) }
        clients[index].since = min(clients[index].since, session.createdAt)
        clients[index].lastUsedAt = max(clients[index].lastUsedAt, session.lastUsedAt)
        clients[index].sessions.append(session.id)
    }
}
