import OstiaryCore

extension RequestCode: EngineOperation {
    var handler: RequestCodeHandler { RequestCodeHandler(call: self) }
}

/// Sends a one-time code; answers alike whether or not the number has an account.
struct RequestCodeHandler: OperationHandler {
    let call: RequestCode

    static let action = RequestCode.kind
    var identifier: Identifier? { .phoneNumber(call.phoneNumber) }

    func perform(in engine: AuthEngine) async throws -> Outcome<CodeRequested> {
        let (id, number) = (engine.newCodeSession(), call.phoneNumber)
        let cooldown = engine.cooldown("code", number.e164, seconds: engine.app.codes.resendAfterSeconds)
        try await engine.sendCode(
            id, keptFor: number.e164, to: .phoneNumber(number), within: [cooldown])
        return Outcome(CodeRequested(codeSession: id))
    }
}
