import Foundation
import OstiaryCore

extension StepUp: EngineOperation {
    var handler: StepUpHandler { StepUpHandler(call: self) }
}

/// Returns the authentication of the session, or asks for what is missing.
struct StepUpHandler: OperationHandler {
    let call: StepUp

    static let action = StepUp.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<SessionAuthentication> {
        let bearer = try await engine.signedIn(call.accessToken)
        let context = engine.context(of: bearer.session, bearer.account)
        let requirement = AuthenticationRequirement(
            level: call.level ?? .aal1, maximumAgeSeconds: call.maximumAgeSeconds)
        let enrolled = try await engine.ports.store.factors(of: bearer.account.id, in: engine.app.name)
        try engine.require(requirement, of: context, bearer, enrolled)
        let time = context.time(for: call.level ?? context.level) ?? bearer.session.createdAt
        return Outcome(
            SessionAuthentication(level: context.level, time: time, methods: context.references),
            account: bearer.account.id, session: bearer.session.id)
    }
}
