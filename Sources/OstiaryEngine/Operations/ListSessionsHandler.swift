import OstiaryCore

extension ListSessions: EngineOperation {
    var handler: ListSessionsHandler { ListSessionsHandler(call: self) }
}

/// Lists the live sessions of the account.
struct ListSessionsHandler: OperationHandler {
    let call: ListSessions

    static let action = ListSessions.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<[SessionSummary]> {
        let bearer = try await engine.signedIn(call.accessToken)
        let sessions = try await engine.ports.store.sessions(
            of: bearer.account.id, in: engine.app.name, at: engine.ports.system.now())
        return Outcome(
            engine.located(sessions).map { session in
                SessionSummary(
                    id: session.id, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
                    isCurrent: session.id == bearer.session.id, device: session.device, address: session.address,
                    country: session.country, userAgent: session.userAgent, actor: session.actor)
            })
    }
}

extension AuthEngine {
    /// Returns sessions with the countries of their addresses, where the server knows them.
    func located(_ sessions: [Session]) -> [Session] {
        guard let locator = ports.networkLocator else { return sessions }
        return sessions.map { session in
            var session = session
            session.country = session.address.flatMap { locator.location(of: $0).country }
            return session
        }
    }
}
