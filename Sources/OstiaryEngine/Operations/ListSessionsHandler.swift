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
            sessions.map { session in
                SessionSummary(
                    id: session.id, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
                    isCurrent: session.id == bearer.session.id, device: session.device, address: session.address,
                    userAgent: session.userAgent, actor: session.actor)
            })
    }
}
