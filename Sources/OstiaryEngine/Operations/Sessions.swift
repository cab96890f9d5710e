import OstiaryCore

extension ListSessions: EngineOperation {
    var handler: ListingSessions { ListingSessions(call: self) }
}

extension EndSession: EngineOperation {
    var handler: EndingSession { EndingSession(call: self) }
}

/// Lists the live sessions of the account.
struct ListingSessions: Step {
    let call: ListSessions

    static let action = ListSessions.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<[SessionSummary]> {
        let bearer = try await engine.signedIn(call.accessToken)
        let sessions = try await engine.ports.store.sessions(
            of: bearer.account.id, in: engine.app.name, at: engine.ports.surroundings.now())
        return Outcome(
            sessions.map { session in
                SessionSummary(
                    id: session.id, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt,
                    isCurrent: session.id == bearer.session.id, device: session.device, address: session.address,
                    userAgent: session.userAgent)
            })
    }
}

/// Ends one of the account's sessions.
struct EndingSession: Step {
    let call: EndSession

    static let action = EndSession.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let account = try await engine.signedIn(call.accessToken).account
        let state = try await engine.ports.store.session(call.sessionID, in: engine.app.name)
        // Another account's session is reported as not found.
        guard let state, state.account.id == account.id else { throw AuthError.notFound }
        _ = try await engine.end(call.sessionID, .endedByOwner)
        return Outcome(Done(), account: account.id, session: call.sessionID)
    }
}
