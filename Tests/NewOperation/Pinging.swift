import OstiaryCore

extension Ping: EngineOperation {
    var handler: Pinging { Pinging(call: self) }
}

/// Reports that the session is active.
struct Pinging: Step {
    let call: Ping

    static let action = Ping.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let bearer = try await engine.signedIn(call.accessToken)
        return Outcome(Done(), account: bearer.account.id, session: bearer.session.id)
    }
}
