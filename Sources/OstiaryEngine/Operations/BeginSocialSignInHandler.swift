import Foundation
import OstiaryCore

extension BeginSocialSignIn: EngineOperation {
    var handler: BeginSocialSignInHandler { BeginSocialSignInHandler(call: self) }
}

/// Returns the URL to which the app sends the browser.
struct BeginSocialSignInHandler: OperationHandler {
    let call: BeginSocialSignIn
    static let action = BeginSocialSignIn.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<BrowserDestination> {
        let identities = engine.ports.identities
        guard !identities.providers.isEmpty, let redirectURI = engine.app.redirectURIs.first else {
            throw AuthError.notConfigured
        }
        guard let (provider, connection) = identities.provider(offering: call.provider) else {
            throw AuthError.notFound
        }
        try BrowserFlow.checkForm(ofChallenge: call.appChallenge)
        var flow = BrowserFlow(
            purpose: .social, provider: provider.description.name, connection: connection, redirectURI: redirectURI,
            appChallenge: call.appChallenge)
        guard !provider.description.returnsToApp else {
            flow.callbackURL = redirectURI
            return Outcome(try await engine.sendToProvider(provider, flow))
        }
        // The request comes from the app, not the browser, which is bound when it opens the address.
        let id = engine.newState()
        let url = URLQuery.append([(name: "id", value: id.reveal())], to: try engine.browserPage("start"))
        flow.networkBucket = engine.unfinishedBucketOfNetwork
        try await engine.addUnfinished(
            flow.singleUseRecord(
                .browserStart, engine.recordHash(id), in: engine.app.name, until: engine.browserDeadline),
            of: flow)
        return Outcome(BrowserDestination(url: url))
    }
}
