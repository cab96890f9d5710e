import Foundation
import OstiaryCore

extension GetSocialConfiguration: EngineOperation {
    var handler: ReadingSocialConfiguration { ReadingSocialConfiguration(call: self) }
}

extension BeginSocialSignIn: EngineOperation {
    var handler: BeginningSocialSignIn { BeginningSocialSignIn(call: self) }
}

extension CompleteSocialSignIn: EngineOperation {
    var handler: OpeningSession<CompletingSocialSignIn> { OpeningSession(step: CompletingSocialSignIn(call: self)) }
}

/// Returns the public settings of the social provider.
struct ReadingSocialConfiguration: Step {
    let call: GetSocialConfiguration
    static let action = GetSocialConfiguration.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<SocialConfiguration> {
        guard let configuration = engine.ports.identities.socialConfiguration else { throw AuthError.notConfigured }
        return Outcome(configuration)
    }
}

/// Returns the URL to which the app sends the browser.
struct BeginningSocialSignIn: Step {
    let call: BeginSocialSignIn
    static let action = BeginSocialSignIn.kind

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
        // The request comes from the app, not the browser, which is bound when it opens the address.
        let id = engine.newState()
        let url = URLQuery.append([(name: "id", value: id.reveal())], to: try engine.browserPage("start"))
        flow.networkBucket = engine.unfinishedBucketOfNetwork
        try await engine.addUnfinished(
            flow.ticket(.browserStart, engine.ticketHash(id), in: engine.app.name, until: engine.browserDeadline),
            of: flow)
        return Outcome(BrowserDestination(url: url))
    }
}

/// Completes a social sign-in.
struct CompletingSocialSignIn: AuthenticatingStep {
    let call: CompleteSocialSignIn
    static let action = CompleteSocialSignIn.kind

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        guard !engine.ports.identities.providers.isEmpty else { throw AuthError.notConfigured }
        // Every URL that this server issues carries a state: a code without one was not requested here.
        guard let state = call.state else { throw AuthError.authorizationRefused }
        let session = try engine.newSessionID()
        let flow = try await engine.spendFlow(of: state, with: call.authorizationCode, for: session)
        // A sign-in that is bound to a browser is completed only after that browser returned.
        guard flow.purpose == .social, (flow.browserHash == nil) == (flow.codeHash == nil) else {
            throw AuthError.authorizationRefused
        }
        return try await engine.redeem(call.authorizationCode, state: state, of: flow, opening: session)
    }
}
