import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// Sign-ins at a provider whose sign-ins this server assesses: the built-in one. See decision 94.
@Suite struct AssessedProviderTests {
    private func world(isAssessed: Bool) throws -> BrowserWorld {
        let description = ProviderDescription(
            name: "oidc", kind: "oidc", title: "OpenID", issuer: "https://idp.example.com", isAssessed: isAssessed)
        return try BrowserWorld(provider: ScriptedProvider(description))
    }

    private func signIn(_ world: BrowserWorld, at address: String) async throws {
        let ready = try await world.visit()
        _ = try await world.world.engine.serving(Caller(address: address, network: address)).perform(
            CompleteBrowserSignIn(
                authorizationCode: ready.code, state: ready.state, redirectURI: BrowserWorld.redirectURI))
    }

    @Test(arguments: [true, false])
    func `the app assesses a sign-in unless its provider did, and informs the owner once`(isAssessed: Bool) async throws
    {
        let world = try world(isAssessed: isAssessed)
        try await signIn(world, at: "192.0.2.1")
        world.world.clock.advance(by: .seconds(60))
        try await signIn(world, at: "198.51.100.1")
        #expect(world.world.signInNotices.count == (isAssessed ? 0 : 1))
        let details = try await world.world.lastEvent("completeBrowserSignIn")?.details
        #expect(details == (isAssessed ? [:] : ["risk_signals": "unrecognized_device", "risk_score": "30"]))
    }
}
