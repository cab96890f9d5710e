import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The caps on unfinished browser sign-ins.
@Suite struct UnfinishedSignInTests {
    private func begin(_ scene: BrowserWorld, from network: String) async -> AuthError? {
        await refusal {
            try await scene.world.engine.serving(
                Caller(network: network, browser: Secret("browser-one"), baseURL: BrowserWorld.base)
            ).perform(BeginBrowserSignIn(redirectURI: BrowserWorld.redirectURI))
        }
    }

    @Test func `PT-21: lets one network leave a hundred unfinished, and others begin`() async throws {
        let scene = try BrowserWorld()
        for _ in 0..<100 { #expect(await begin(scene, from: "198.51.100.1") == nil) }
        #expect(await begin(scene, from: "198.51.100.1")?.code == "too_many_attempts")
        #expect(await begin(scene, from: "192.0.2.1") == nil)
        scene.world.clock.advance(by: .seconds(600))
        #expect(await begin(scene, from: "198.51.100.1") == nil)
    }

    @Test func `PT-21: lets the whole server have so many`() async throws {
        let scene = try BrowserWorld { $0.browserSignIns = BrowserSignInCaps(perNetwork: 100, perServer: 5) }
        for host in 0..<5 { #expect(await begin(scene, from: "198.51.100.\(host)") == nil) }
        #expect(await begin(scene, from: "198.51.100.6")?.code == "too_many_attempts")
    }

    @Test func `PT-21: gives a finished one back`() async throws {
        let scene = try BrowserWorld { $0.browserSignIns = BrowserSignInCaps(perNetwork: 2, perServer: 2) }
        for _ in 0..<10 { _ = try await scene.signIn() }
    }

    @Test func `PT-21: gives none back that ends at the provider without a person`() async throws {
        let scene = try BrowserWorld { $0.browserSignIns = BrowserSignInCaps(perNetwork: 2, perServer: 100) }
        for _ in 0..<2 { try await scene.goBack(scene.begin().state, error: "access_denied") }
        #expect(await begin(scene, from: "192.0.2.1")?.code == "too_many_attempts")
    }

    @Test func `PT-21: keeps nothing of one too many`() async throws {
        let scene = try BrowserWorld { $0.browserSignIns = BrowserSignInCaps(perNetwork: 1, perServer: 100) }
        _ = try await scene.begin()
        _ = await begin(scene, from: "192.0.2.1")
        let state = try #require(scene.provider.requests.last?.state)
        await #expect(throws: AuthError.authorizationRefused) { try await scene.goBack(state, error: "access_denied") }
    }

    @Test func `PT-21: counts social sign-ins that the app begins`() async throws {
        let scene = try BrowserWorld("viewvault", .viewvault, provider: .named("google")) {
            $0.redirectURIs = RedirectURIs(["viewvault://oauth/callback"])
            $0.browserSignIns = BrowserSignInCaps(perNetwork: 2, perServer: 100)
        }
        for _ in 0..<5 { _ = try await scene.completeSocial(scene.visitSocial()) }
        for _ in 0..<2 { _ = try await scene.beginSocial("google") }
        #expect(await refusal { try await scene.beginSocial("google") }?.code == "too_many_attempts")
    }
}
