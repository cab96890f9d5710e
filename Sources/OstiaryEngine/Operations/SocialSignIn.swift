import Foundation
import OstiaryCore

/// Tells the public settings of the social provider.
struct ReadingSocialConfiguration: Step {
    let call: GetSocialConfiguration
    static let action = OperationKind.socialConfiguration
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .browser, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<SocialConfiguration> {
        guard let configuration = engine.ports.identities.socialConfiguration else { throw AuthError.notConfigured }
        return Outcome(configuration)
    }
}

/// Tells the app where to send the browser.
struct BeginningSocialSignIn: Step {
    let call: BeginSocialSignIn
    static let action = OperationKind.beginSocialSignIn
    static let auditing = Auditing.refusals
    var attempts: Attempts { Attempts(kind: .browser, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<BrowserDestination> {
        let identities = engine.ports.identities
        guard !identities.providers.isEmpty, let redirectURI = engine.app.redirectURIs.registered.first else {
            throw AuthError.notConfigured
        }
        guard let (provider, connection) = identities.provider(offering: call.provider) else {
            throw AuthError.notFound
        }
        var flow = BrowserFlow(
            purpose: .social, provider: provider.description.name, connection: connection, redirectURI: redirectURI)
        guard !provider.description.returnsToApp else {
            flow.callbackURL = redirectURI
            return Outcome(try await engine.sendToProvider(provider, flow))
        }
        // The app asks, not the browser: that one is bound when it comes.
        let id = engine.newState()
        let url = URLQuery.append([(name: "id", value: id.reveal())], to: try engine.browserPage("start"))
        flow.networkBucket = engine.unfinishedBucketOfNetwork
        try await engine.addUnfinished(
            flow.ticket(.browserStart, engine.ticketHash(id), in: engine.app.name, until: engine.browserDeadline),
            of: flow)
        return Outcome(BrowserDestination(url: url))
    }
}

/// Finishes a social sign-in.
struct CompletingSocialSignIn: AuthenticatingStep {
    let call: CompleteSocialSignIn
    static let action = OperationKind.completeSocialSignIn
    var attempts: Attempts { Attempts(kind: .browser, identifier: nil) }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        guard !engine.ports.identities.providers.isEmpty else { throw AuthError.notConfigured }
        // Every address we give out carries a state: a code without one was made somewhere else.
        guard let state = call.state else { throw AuthError.authorizationRefused }
        let session = try engine.newSessionID()
        let flow = try await engine.spendFlow(of: state, with: call.authorizationCode, for: session)
        // Bound to a browser, it is finished only after that browser came back.
        guard flow.purpose == .social, (flow.browserHash == nil) == (flow.codeHash == nil) else {
            throw AuthError.authorizationRefused
        }
        return try await engine.redeem(call.authorizationCode, state: state, of: flow, opening: session)
    }
}
