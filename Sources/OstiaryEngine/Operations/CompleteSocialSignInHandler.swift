import Foundation
import OstiaryCore

extension CompleteSocialSignIn: EngineOperation {
    var handler: SessionOpeningHandler<CompleteSocialSignInHandler> {
        SessionOpeningHandler(authenticator: CompleteSocialSignInHandler(call: self))
    }
}

/// Completes a social sign-in.
struct CompleteSocialSignInHandler: AuthenticationHandler {
    let call: CompleteSocialSignIn
    static let action = CompleteSocialSignIn.kind

    func attribution(in engine: AuthEngine) -> AttemptAttribution {
        AttemptAttribution(method: engine.unknownProviderMethod)
    }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        guard !engine.ports.identities.providers.isEmpty else { throw AuthError.notConfigured }
        // Every URL that this server issues carries a state: a code without one was not requested here.
        guard let state = call.state else { throw AuthError.authorizationRefused }
        let session = try engine.newSessionID()
        let flow = try await engine.spendFlow(of: state, with: call.authorizationCode, for: session)
        // A sign-in that is bound to a browser is completed only after that browser returned.
        guard flow.purpose == .social, (flow.browserHash == nil) == (flow.codeHash == nil),
            flow.isFromDevice(with: call.appVerifier)
        else { throw Refused(.authorizationRefused, attribution: engine.attribution(of: flow)) }
        return try await engine.redeem(call.authorizationCode, state: state, of: flow, opening: session)
    }
}
