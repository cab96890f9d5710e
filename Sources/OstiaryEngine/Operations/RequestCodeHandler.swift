import Foundation
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
        let policy = engine.app.codes
        let system = engine.ports.system
        let now = system.now()
        let (app, number) = (engine.app.name, call.phoneNumber)
        let test = policy.testNumbers[number].flatMap { now < $0.until ? $0 : nil }
        if test == nil { try engine.requireCallingCode(of: number) }
        let id = engine.newCodeSession()
        let code = try test?.code ?? OneTimeCode(system.randomDigits(policy.digits))
        let pending = PendingCode(
            id: id, app: app, recipient: engine.recipientKey(number.e164), codeHash: engine.hash(code, id: id),
            expiresAt: now.addingTimeInterval(Double(policy.lifetimeSeconds)), triesLeft: policy.tries)
        if test != nil {
            try await engine.ports.store.replace(with: pending)
        } else {
            let wait = try await engine.send(
                .oneTimeCode(code, lifetimeSeconds: policy.lifetimeSeconds), to: .phoneNumber(number),
                once: engine.cooldown("code", number.e164, seconds: policy.resendAfterSeconds), keeping: .code(pending))
            if let wait { throw AuthError.tooManyAttempts(retryAfterSeconds: wait) }
        }
        return Outcome(CodeRequested(codeSession: id))
    }
}
