import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryProvider

@Suite struct AuthorizingTests {
    @Test func `a browser that nobody is signed in with is asked to sign in, and a silent request is told so`()
        async throws
    {
        let world = try await World()
        #expect(isSignIn(try await world.step()))
        #expect(isSignIn(try await world.step(session: Secret("made up"))))
        let silent = try #require(redirect(try await world.step(["prompt": "none"])))
        #expect(parameters(silent)["error"] == "login_required")
    }

    @Test func `a first party gets its code at once, silently too`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        for change in [[:], ["prompt": "none"]] {
            let answer = parameters(try #require(redirect(try await world.step(change, session: cookie))))
            #expect(answer["code"]?.utf8.count == 43)
            #expect(answer["state"] == "a state")
            #expect(answer["iss"] == World.issuer)
        }
    }

    @Test func `two requests never get the same code`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        var codes: Set<String> = []
        for _ in 0..<50 { codes.insert(try await world.code(session: cookie)) }
        #expect(codes.count == 50)
    }

    @Test func `a stranger gets a code only after consent, and hears of a refusal`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let request = World.strangersRequest
        guard case .consent(let asked, let account, let tag) = try await world.step(of: request, session: cookie)
        else {
            Issue.record("nobody was asked for consent")
            return
        }
        #expect(asked.client.id == "stranger")
        #expect(try account.email == EmailAddress("ada@example.com"))

        let silent = try await world.step(["prompt": "none"], of: request, session: cookie)
        #expect(parameters(try #require(redirect(silent)))["error"] == "consent_required")

        let declined = try #require(redirect(world.provider.decline(request)))
        #expect(
            parameters(declined) == [
                "error": "access_denied", "state": "a state", "iss": World.issuer,
                "error_description": "The person declined.",
            ])

        let agreed = try await world.provider.consent(request, by: tag, session: cookie, from: world.caller)
        #expect(parameters(try #require(redirect(agreed)))["code"] != nil)
    }

    @Test func `the consent of another account, or of none, repeats the question`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let request = World.strangersRequest
        guard case .consent(_, _, let tag) = try await world.step(of: request, session: cookie) else {
            Issue.record("consent was not required")
            return
        }
        let other = try await world.person("grace@example.com")
        for tag in [tag, ""] {
            let step = try await world.provider.consent(request, by: tag, session: other, from: world.caller)
            guard case .consent(_, let asked, _) = step else {
                Issue.record("the consent of another account was accepted")
                continue
            }
            #expect(try asked.email == EmailAddress("grace@example.com"))
        }
    }

    @Test func `consent to another request, or in another session of the same account, repeats the question`()
        async throws
    {
        let world = try await World()
        let cookie = try await world.person()
        let request = World.strangersRequest
        guard case .consent(_, _, let tag) = try await world.step(of: request, session: cookie) else {
            Issue.record("consent was not required")
            return
        }
        let other = request.merging(["scope": "openid profile email offline_access"]) { $1 }
        for (request, session) in [(other, cookie), (request, try await world.signIn())] {
            let step = try await world.provider.consent(request, by: tag, session: session, from: world.caller)
            guard case .consent = step else {
                Issue.record("the consent was accepted for something else")
                continue
            }
        }
    }

    @Test func `consent of nobody who is signed in gives no code`() async throws {
        let world = try await World()
        #expect(
            isSignIn(
                try await world.provider.consent(World.strangersRequest, by: "", session: nil, from: world.caller)))
    }

    @Test func `a first party that asks for consent gets the question`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        guard case .consent = try await world.step(["prompt": "consent"], session: cookie) else {
            Issue.record("nobody was asked for consent")
            return
        }
    }

    @Test(arguments: [["prompt": "login"], ["prompt": "select_account"], ["max_age": "0"]])
    func `a client can ask for a fresh sign-in`(change: [String: String]) async throws {
        let world = try await World()
        #expect(isSignIn(try await world.step(change, session: try await world.person())))
    }

    @Test func `a sign-in that is older than the client allows does not count`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        world.clock.advance(by: .seconds(60))
        #expect(redirect(try await world.step(["max_age": "60"], session: cookie)) != nil)
        world.clock.advance(by: .seconds(1))
        #expect(isSignIn(try await world.step(["max_age": "60"], session: cookie)))
    }

    @Test func `a browser's session is over after a working day, at sign-out and when the account is disabled`()
        async throws
    {
        let world = try await World()
        let cookie = try await world.person()
        world.clock.advance(by: .seconds(Double(ProviderDirectory.browserSessionSeconds) - 1))
        #expect(redirect(try await world.step(session: cookie)) != nil)
        world.clock.advance(by: .seconds(1))
        #expect(isSignIn(try await world.step(session: cookie)))

        let other = try await world.person("grace@example.com")
        try await world.provider.signOut(session: other, from: world.caller)
        #expect(isSignIn(try await world.step(session: other)))

        let third = try await world.person("alan@example.com")
        let account = try await world.account(third)
        _ = try await world.store.change(
            account.id, in: account.app, AccountChange(isActive: false), at: world.clock.now)
        #expect(isSignIn(try await world.step(session: third)))
    }

    @Test func `where registration is closed nobody registers`() async throws {
        let world = try await World { $0.isRegistrationOpen = false }
        await #expect(throws: AuthError.notFound) { try await world.person() }
    }

    private func isSignIn(_ step: AuthorizationStep) -> Bool {
        if case .signIn = step { true } else { false }
    }
}
