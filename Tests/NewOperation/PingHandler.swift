import OstiaryCore

extension Ping: EngineOperation {
    var handler: PingHandler { PingHandler(call: self) }
}

/// Reports that the session is active.
struct PingHandler: OperationHandler {
    let call: Ping

    static let action = Ping.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let bearer = try await engine.signedIn(call.accessToken)
        return Outcome(Done(), account: bearer.account.id, session: bearer.session.id)
    }
}
