import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@testable import OstiaryProvider

/// `acr_values` and `max_age` at the authorization endpoint, and the claims `acr`, `amr` and `auth_time`.
@Suite struct AuthenticationLevelTests {
    @Test func `an ID token says how and when the person authenticated`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let signedInAt = world.seconds
        world.clock.advance(by: .seconds(40))
        let alone = try claims(try await world.redeem(try await world.code(session: cookie)).idToken)
        #expect(alone["acr"] == "aal1" && alone["amr"] == ["pwd"] && alone["auth_time"] == .integer(signedInAt))

        let person = try await world.enrol(cookie)
        let both = try claims(try await world.redeem(try await world.code(session: cookie)).idToken)
        #expect(both["acr"] == "aal2" && both["amr"] == ["mfa", "otp", "pwd"])
        // The older one of the two factors.
        #expect(both["auth_time"] == .integer(signedInAt))

        world.clock.advance(by: .seconds(60))
        let begun = world.seconds
        let other = try await world.signIn(with: person.authenticator, after: .seconds(7))
        let later = try claims(try await world.redeem(try await world.code(session: other)).idToken)
        #expect(later["acr"] == "aal2" && later["auth_time"] == .integer(begun))
    }

    @Test func `a client that requests aal2 gets a step-up of the session, then a code`() async throws {
        let world = try await World()
        let (cookie, authenticator) = try await world.personAtFirstLevel()
        #expect(parameters(try #require(redirect(try await world.step(session: cookie))))["code"] != nil)
        let asking = ["acr_values": "aal2"]
        guard case .stepUp(let request, let challenge) = try await world.step(asking, session: cookie) else {
            Issue.record("no step-up")
            return
        }
        #expect(request.client.id == "house" && challenge.methods == [.totp])
        let silent = try await world.step(asking.merging(["prompt": "none"]) { $1 }, session: cookie)
        #expect(parameters(try #require(redirect(silent)))["error"] == "login_required")

        let raised = try await world.answer(challenge, with: authenticator, session: cookie)
        let code = try await world.code(asking, session: raised)
        let claims = try claims(try await world.redeem(code).idToken)
        #expect(claims["acr"] == "aal2" && claims["amr"] == ["mfa", "otp", "pwd"])
    }

    @Test func `an account without a second factor is asked to add one, and may decline`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let asking = World.request.merging(["acr_values": "aal2"]) { $1 }
        guard case .enrol(let request) = try await world.step(of: asking, session: cookie) else {
            Issue.record("no enrolment")
            return
        }
        #expect(parameters("x:?\(request.query)")["acr_values"] == "aal2")
        let declined = parameters(try #require(redirect(world.provider.declineLevel(asking))))
        #expect(declined["error"] == "unmet_authentication_requirements" && declined["state"] == "a state")
        _ = try await world.enrol(cookie)
        #expect(redirect(try await world.step(of: asking, session: cookie)) != nil)
    }

    @Test func `where there are no second factors the client hears at once that the level cannot be met`() async throws
    {
        let world = try await World(adjusting: { $0.secondFactor.requirement = .off })
        let answer = try await world.step(["acr_values": "aal2"], session: try await world.person())
        #expect(parameters(try #require(redirect(answer)))["error"] == "unmet_authentication_requirements")
        #expect(world.provider.discovery["acr_values_supported"] == ["aal1"])
    }

    /// Source: OpenID Connect Core §5.5.1.1 (a level that is requested by `acr_values` is voluntary).
    @Test func `a level that the account cannot reach is not needed where the client lists another`() async throws {
        let world = try await World()
        let asking = ["acr_values": "aal2 aal1"]
        #expect(redirect(try await world.step(asking, session: try await world.person("a@example.com"))) != nil)
        let (cookie, _) = try await world.personAtFirstLevel()
        guard case .stepUp = try await world.step(asking, session: cookie) else {
            Issue.record("no step-up")
            return
        }
        let silent = try await world.code(asking.merging(["prompt": "none"]) { $1 }, session: cookie)
        #expect(try claims(try await world.redeem(silent).idToken)["acr"] == "aal1")
    }

    @Test(arguments: ["aal1 aal2", "aal1", "urn:mace:incommon:iap:silver", "aal3", "AAL2", "aal2x", "aal2\u{301}", " "])
    func `the first known level counts, and unknown ones do not`(values: String) async throws {
        let world = try await World()
        let (cookie, _) = try await world.personAtFirstLevel()
        #expect(redirect(try await world.step(["acr_values": values], session: cookie)) != nil)
    }

    @Test(arguments: ["phr aal2", "aal2 phr", "  aal2  ", "aal2 aal2"])
    func `a level is found among unknown ones`(values: String) async throws {
        let world = try await World()
        let (cookie, _) = try await world.personAtFirstLevel()
        guard case .stepUp = try await world.step(["acr_values": values], session: cookie) else {
            Issue.record("no step-up")
            return
        }
    }

    @Test func `the levels of a client stay in the request while the person signs in, and have a limit`() async throws {
        let world = try await World()
        guard case .signIn(let request) = try await world.step(["acr_values": "x aal2 aal1 aal2", "prompt": "login"])
        else {
            Issue.record("no sign-in")
            return
        }
        #expect(parameters("x:?\(request.query)")["acr_values"] == "aal2 aal1")
        #expect(parameters("x:?\(request.query)")["prompt"] == nil)
        let long = String(repeating: "aal1 ", count: 103)
        #expect(try await world.step(["acr_values": long]) == .refused(.malformedRequest))
    }

    @Test func `both factors must be as recent as the client requires`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let person = try await world.enrol(cookie)
        world.clock.advance(by: .seconds(400))
        let asking = ["acr_values": "aal2", "max_age": "300"]
        #expect(isSignIn(try await world.step(asking, session: cookie)))
        // One factor alone satisfies the age, and the other is asked for.
        guard case .stepUpRequired(let required)? = await world.refusal(ofStepUp: cookie),
            let challenge = required.challenge
        else {
            Issue.record("no challenge")
            return
        }
        let raised = try await world.answer(challenge, with: person.authenticator, session: cookie)
        #expect(redirect(try await world.step(["max_age": "300"], session: raised)) != nil)
        guard case .stepUp(_, let missing) = try await world.step(asking, session: raised) else {
            Issue.record("no step-up")
            return
        }
        #expect(missing.methods == [.password])
        _ = try await world.provider.engine.serving(world.caller).perform(
            AnswerChallenge(
                challengeToken: missing.token, answers: ["password": Secret(World.password)], accessToken: raised))
        #expect(redirect(try await world.step(asking, session: raised)) != nil)
    }

    @Test func `a recovery code does not meet a level, and the person may go back to the client`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let person = try await world.enrol(cookie)
        let recovered = try await world.signIn { challenge in
            ["recovery_code": person.codes[0]]
        }
        #expect(redirect(try await world.step(session: recovered)) != nil)
        guard case .stepUp(_, let challenge) = try await world.step(["acr_values": "aal2"], session: recovered) else {
            Issue.record("no step-up")
            return
        }
        #expect(challenge.methods == [.totp])
    }

    /// Source: OpenID Connect Core §12.2, RFC 9470 §6.
    @Test func `refreshed and introspected tokens keep the authentication of the code`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        _ = try await world.enrol(cookie)
        let signedInAt = world.seconds
        let first = try await world.redeem(
            try await world.code(["scope": "openid email offline_access"], session: cookie))
        world.clock.advance(by: .seconds(1000))
        for scope in ["", "openid"] {
            let fresh = try await world.refresh(first.refreshToken, ["scope": scope])
            let idToken = try claims(fresh.idToken), accessToken = try claims(fresh.accessToken)
            for claims in [idToken, accessToken] {
                #expect(claims["acr"] == "aal2" && claims["amr"] == ["mfa", "otp", "pwd"])
                #expect(claims["auth_time"] == .integer(signedInAt))
            }
            world.clock.advance(by: .seconds(60))
            let body = try await world.provider.introspect(
                ["token": fresh.accessToken.reveal(), "client_id": "house", "client_secret": World.secret],
                authorization: nil, from: world.caller)
            #expect(body["acr"] == "aal2" && body["auth_time"] == .integer(signedInAt))
            if scope.isEmpty { continue }
            #expect(accessToken["scope"] == "openid")
        }
    }

    @Test func `a session below the level that its account must have gets no code`() async throws {
        let world = try await World()
        let (cookie, _) = try await world.personAtFirstLevel()
        let strict = try await World(adjusting: { $0.secondFactor.requirement = .required })
        guard case .challenge(let name, let token)? = await strict.registration() else {
            Issue.record("no challenge")
            return
        }
        #expect(name == Challenge.enrollFactor)
        let recovered = try await strict.recovered(after: token)
        for changes in [[:], ["max_age": "3600"], ["acr_values": "aal1"]] {
            guard case .stepUp(_, let challenge) = try await strict.step(changes, session: recovered) else {
                Issue.record("no step-up")
                return
            }
            #expect(challenge.methods == [.totp])
        }
        let silent = try await strict.step(["prompt": "none"], session: recovered)
        #expect(parameters(try #require(redirect(silent)))["error"] == "login_required")
        #expect(redirect(try await world.step(session: cookie)) != nil)
    }

    @Test func `discovery lists the levels and the claims`() async throws {
        let document = try await World().provider.discovery
        #expect(document["acr_values_supported"] == ["aal1", "aal2"])
        guard case .array(let names)? = document["claims_supported"] else {
            Issue.record("no claims")
            return
        }
        for name: JSON in ["acr", "amr", "auth_time"] { #expect(names.contains(name)) }
    }

    private func isSignIn(_ step: AuthorizationStep) -> Bool {
        if case .signIn = step { true } else { false }
    }
}
