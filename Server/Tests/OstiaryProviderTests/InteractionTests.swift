import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryProvider

/// A client whose identity nothing assures gets no code without the user (OA-35). Source: RFC 8252 §8.6.
@Suite struct InteractionTests {
    private static let unassured = [
        "app://callback", "com.example.app:/callback", "http://127.0.0.1:49152/callback", "http://[::1]:49152/callback",
        "https://localhost/callback", "https://127.0.0.1/callback", "https://app.localhost/callback",
        "https://0.0.0.0/callback", "https://[::]/callback", "https://127.1/callback", "https://intranet/callback",
    ]
    private static let assured = "https://app.example.com/callback"
    private static let redirectURIs = RedirectURIs(unassured + [assured])

    /// A world with a public client and a client with a secret, both of the provider's operator.
    private static func world() async throws -> World {
        try await World { settings in
            settings.clients += [
                ProviderClient(id: "app", name: "App", redirectURIs: redirectURIs, isFirstParty: true),
                ProviderClient(
                    id: "site", name: "Site", secret: Secret("the secret of the site"), redirectURIs: redirectURIs,
                    isFirstParty: true),
            ]
        }
    }

    private static func request(
        _ redirectURI: String = "app://callback", client: String = "app", changing changes: [String: String] = [:]
    ) -> [String: String] {
        World.request.merging(["client_id": client, "redirect_uri": redirectURI]) { $1 }.merging(changes) { $1 }
    }

    private func isConfirmation(_ step: AuthorizationStep) -> Bool {
        if case .confirmation = step { true } else { false }
    }

    /// The parameters with which the browser continues a request after a sign-in as a step of it.
    private func continued(
        _ request: [String: String], in world: World, after cookie: Secret<String>
    ) async throws -> [String: String] {
        let asked = try #require(world.provider.request(request))
        let query = await world.provider.query(of: asked, afterSignIn: cookie)
        return parameters("x:?\(query)")
    }

    @Test(arguments: unassured)
    func `a session gives a public client no code at a redirect URI that another program can use`(uri: String)
        async throws
    {
        let world = try await Self.world()
        let cookie = try await world.person()
        let request = Self.request(uri)
        guard case .confirmation(let asked, let account, let tag) = try await world.step(of: request, session: cookie)
        else {
            Issue.record("no confirmation was required")
            return
        }
        #expect(asked.client.id == "app" && asked.redirectURI == uri)
        #expect(try account.email == EmailAddress("ada@example.com"))
        let silent = try await world.step(["prompt": "none"], of: request, session: cookie)
        let refusal = parameters(try #require(redirect(silent)))
        #expect(refusal["error"] == "interaction_required" && refusal["code"] == nil)
        #expect(refusal["state"] == "a state")
        let agreed = try await world.provider.consent(request, by: tag, session: cookie, from: world.caller)
        #expect(parameters(try #require(redirect(agreed)))["code"] != nil)
        // Not remembered: another program would have the same request.
        #expect(isConfirmation(try await world.step(of: request, session: cookie)))
    }

    @Test func `a public client with a claimed https redirect URI gets its code at once, silently too`() async throws {
        let world = try await Self.world()
        let cookie = try await world.person()
        for prompt in ["", "none"] {
            let step = try await world.step(["prompt": prompt], of: Self.request(Self.assured), session: cookie)
            #expect(parameters(try #require(redirect(step)))["code"] != nil)
        }
    }

    @Test(arguments: unassured)
    func `a client with a secret gets its code at once, at every redirect URI`(uri: String) async throws {
        let world = try await Self.world()
        let step = try await world.step(of: Self.request(uri, client: "site"), session: try await world.person())
        #expect(parameters(try #require(redirect(step)))["code"] != nil)
    }

    @Test func `a confirmation holds for its session and its request alone`() async throws {
        let world = try await Self.world()
        let cookie = try await world.person()
        guard case .confirmation(_, _, let tag) = try await world.step(of: Self.request(), session: cookie) else {
            Issue.record("no confirmation was required")
            return
        }
        let challenge = CodeChallenge.s256(of: Secret("another-verifier-of-forty-three-characters-or-more"))
        for (request, session) in [
            (Self.request(), try await world.signIn()), (Self.request(), try await world.person("grace@example.com")),
            (Self.request("com.example.app:/callback"), cookie),
            (Self.request(changing: ["code_challenge": challenge]), cookie),
            (Self.request(changing: ["state": "another state"]), cookie),
        ] {
            let step = try await world.provider.consent(request, by: tag, session: session, from: world.caller)
            #expect(isConfirmation(step))
        }
    }

    @Test func `a sign-in as a step of the request is the interaction`() async throws {
        let world = try await Self.world()
        let cookie = try await world.person()
        let request = Self.request(changing: ["prompt": "login"])
        guard case .signIn = try await world.step(of: request, session: cookie) else {
            Issue.record("no sign-in was required")
            return
        }
        let again = try await world.signIn()
        let step = try await world.step(of: try await continued(request, in: world, after: again), session: again)
        #expect(parameters(try #require(redirect(step)))["code"] != nil)
    }

    @Test func `the proof of a sign-in holds for its session and its request, for ten minutes`() async throws {
        let world = try await Self.world()
        let cookie = try await world.person()
        let proven = try await continued(Self.request(), in: world, after: cookie)
        let proof = try #require(proven["interaction"])
        for changes in [["state": "another state"], ["redirect_uri": "com.example.app:/callback"]] {
            #expect(isConfirmation(try await world.step(changes, of: proven, session: cookie)))
        }
        let end = try #require(Int(proof.prefix { $0 != "." }))
        for forged in ["\(end + 1)\(proof.dropFirst("\(end)".count))", "\(end)", "+\(proof)", ".", "made up"] {
            #expect(isConfirmation(try await world.step(["interaction": forged], of: proven, session: cookie)))
        }
        #expect(isConfirmation(try await world.step(of: proven, session: try await world.signIn())))
        let other = try await world.person("grace@example.com")
        #expect(isConfirmation(try await world.step(of: proven, session: other)))
        world.clock.advance(by: .seconds(Double(OpenIDProvider.codeSeconds) - 1))
        #expect(redirect(try await world.step(of: proven, session: cookie)) != nil)
        world.clock.advance(by: .seconds(1))
        #expect(isConfirmation(try await world.step(of: proven, session: cookie)))
    }

    @Test func `a sign-in gives no consent, and no proof to a client that needs none`() async throws {
        let world = try await Self.world()
        let cookie = try await world.person()
        for request in [World.strangersRequest, Self.request(changing: ["prompt": "consent"])] {
            let proven = try await continued(request, in: world, after: cookie)
            #expect(proven["interaction"] != nil)
            guard case .consent = try await world.step(of: proven, session: cookie) else {
                Issue.record("consent was not required")
                continue
            }
        }
        for request in [World.request, Self.request(Self.assured)] {
            #expect(try await continued(request, in: world, after: cookie)["interaction"] == nil)
        }
    }
}
