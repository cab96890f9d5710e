import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryProvider

/// Source: OpenID Connect Core §3.1.2.1 (id_token_hint).
@Suite struct IDTokenHintTests {
    @Test func `a hint for who is signed in changes nothing, long after it expired`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let hint = try await world.redeem(try await world.code(session: cookie)).idToken.reveal()
        world.clock.advance(by: .seconds(2 * Double(OpenIDProvider.idTokenSeconds)))
        for prompt in ["", "none"] {
            let step = try await world.step(["id_token_hint": hint, "prompt": prompt], session: cookie)
            #expect(parameters(try #require(redirect(step)))["code"] != nil)
        }
    }

    @Test func `a hint for somebody else asks for a sign-in, and is silently refused`() async throws {
        let world = try await World()
        let hint = try await world.tokens().idToken.reveal()
        let other = try await world.person("grace@example.com")
        let silent = try await world.step(["id_token_hint": hint, "prompt": "none"], session: other)
        #expect(parameters(try #require(redirect(silent)))["error"] == "login_required")

        let loud = try await world.step(["id_token_hint": hint], session: other)
        guard case .signIn(let request) = loud else {
            Issue.record("nobody was asked to sign in")
            return
        }
        // The request that comes back from the page still gives another account nothing, and the right one a code.
        let again = parameters("https://x.example/?" + request.query)
        guard case .signIn = try await world.step([:], of: again, session: other) else {
            Issue.record("somebody else got an answer")
            return
        }
        let right = try await world.step([:], of: again, session: try await world.signIn())
        #expect(parameters(try #require(redirect(right)))["code"] != nil)
    }

    @Test func `consent does not make up for being somebody else, and nobody else is offered to be`() async throws {
        let world = try await World()
        let hint = try await world.tokens().idToken.reveal()
        let request = World.strangersRequest.merging(["id_token_hint": hint]) { $1 }
        let other = try await world.person("grace@example.com")
        guard case .consent = try await world.step(of: World.strangersRequest, session: other) else {
            Issue.record("no account was asked for consent")
            return
        }
        let grace = try #require(try await world.provider.bearer(ofSession: other, from: world.caller))
        let tag = world.provider.consentTag(
            of: grace.session.id, for: try #require(world.provider.request(request)))
        guard case .signIn = try await world.provider.consent(request, by: tag, session: other, from: world.caller)
        else {
            Issue.record("somebody else could consent")
            return
        }
        guard case .consent(let asked, _, _) = try await world.step(of: request, session: try await world.signIn())
        else {
            Issue.record("no account was asked for consent")
            return
        }
        #expect(asked.queryForAnotherAccount == nil)
        #expect(world.provider.request(World.strangersRequest)?.queryForAnotherAccount != nil)
    }

    @Test(arguments: ["a.b.c", "made up", String(repeating: "h", count: 4097)])
    func `a hint that is not ours is told to the client`(hint: String) async throws {
        let world = try await World()
        let cookie = try await world.person()
        let step = try await world.step(["id_token_hint": hint], session: cookie)
        #expect(parameters(try #require(redirect(step)))["error"] == "invalid_request")
    }

    @Test func `a hint that was altered, or of another issuer, is told to the client`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let hint = try await world.redeem(try await world.code(session: cookie)).idToken.reveal()
        let parts = hint.split(separator: ".")
        let altered = "\(parts[0]).\(parts[1].dropLast(4))AAAA.\(parts[2])"
        let step = try await world.step(["id_token_hint": altered], session: cookie)
        #expect(parameters(try #require(redirect(step)))["error"] == "invalid_request")
        let other = try await World { $0.issuer = "https://auth.example.com/other" }
        let foreign = try await other.step(["id_token_hint": hint], session: try await other.person())
        #expect(parameters(try #require(redirect(foreign)))["error"] == "invalid_request")
    }
}
