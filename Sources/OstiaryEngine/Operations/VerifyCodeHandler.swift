import Foundation
import OstiaryCore

extension VerifyCode: EngineOperation {
    var handler: VerifyCodeHandler { VerifyCodeHandler(call: self) }
}

/// Verifies a one-time code; the operation that the code is for redeems it.
struct VerifyCodeHandler: OperationHandler {
    let call: VerifyCode

    static let action = VerifyCode.kind
    var identifier: Identifier? { .phoneNumber(call.phoneNumber) }

    func perform(in engine: AuthEngine) async throws -> Outcome<CodeVerified> {
        let pending = try await engine.check(call.code, sentTo: call.phoneNumber, codeSession: call.codeSession)
        let proof = engine.ports.keys.digest(["verified", pending.id], for: .codes, app: engine.app.name)
        return Outcome(CodeVerified(verificationToken: Secret(proof.base64URL)))
    }
}
