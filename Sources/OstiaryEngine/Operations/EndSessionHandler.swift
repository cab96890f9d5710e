import OstiaryCore

extension EndSession: EngineOperation {
    var handler: EndSessionHandler { EndSessionHandler(call: self) }
}

/// Ends one of the account's sessions.
struct EndSessionHandler: OperationHandler {
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
