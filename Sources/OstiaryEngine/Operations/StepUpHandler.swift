import OstiaryCore

extension StepUp: EngineOperation {
    var handler: StepUpHandler { StepUpHandler(call: self) }
}

/// Returns the authentication of the session, or asks for what is missing.
struct StepUpHandler: OperationHandler {
    let call: StepUp

    static let action = StepUp.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<SessionAuthentication> {
        let bearer = try await engine.signedIn(call.accessToken, requiringFactor: false)
        let authentication = try await engine.qualified(
            bearer, level: call.level, maximumAgeSeconds: call.maximumAgeSeconds)
        return Outcome(authentication, account: bearer.account.id, session: bearer.session.id)
    }
}
