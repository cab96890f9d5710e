import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Synchronization
import Testing

/// The questions to other systems, which an operation waits for.
@Suite struct HookTests {
    /// A hook that records its questions, and answers as the test says.
    final class ScriptedHook: Sendable {
        struct Down: Error {}

        private let asked = Mutex<[[UInt8]]>([])
        private let answering: Mutex<@Sendable () throws -> String>

        init(_ answer: String) { answering = Mutex({ answer }) }

        func answer(_ text: String) { answering.withLock { $0 = { text } } }
        func fail() { answering.withLock { $0 = { throw Down() } } }

        func hook(_ policy: Hook.FailurePolicy = .deny) -> Hook {
            Hook(onFailure: policy) { [self] question in
                asked.withLock { $0.append(question) }
                return Array(try answering.withLock { $0 }().utf8)
            }
        }

        var count: Int { asked.withLock { $0.count } }
        /// The last question.
        var question: [String: Any] {
            guard let last = asked.withLock({ $0.last }) else { return [:] }
            return (try? JSONSerialization.jsonObject(with: Data(last)) as? [String: Any]) ?? [:]
        }
    }

    private let registration = ScriptedHook(#"{"decision": "allow"}"#)
    private let claims = ScriptedHook(
        #"{"claims": {"plan": "pro", "seats": 3, "teams": ["a", {"b": null}]}}"#)

    private func world(
        registration policy: Hook.FailurePolicy = .deny, claims claimsPolicy: Hook.FailurePolicy? = nil,
        _ change: @escaping (inout AppSettings) -> Void = { _ in }
    ) throws -> World {
        try World(
            "vici", .vici,
            hooks: Hooks(
                beforeRegistration: registration.hook(policy),
                tokenClaims: claimsPolicy.map { claims.hook($0) })
        ) { app in
            app.limits = .generous
            change(&app)
        }
    }

    // MARK: Before a registration

    @Test func `is asked with the fields of the account, and decides`() async throws {
        let world = try world()
        let caller = world.engine.serving(Caller(address: "192.0.2.1", network: "192.0.2.1"))
        _ = try await caller.perform(
            Register(
                email: EmailAddress(ada), password: Secret(goodPassword), fullName: PersonName("Ada")))
        let question = registration.question
        #expect(question["app"] as? String == "vici" && question["method"] as? String == "password")
        #expect(question["email"] as? String == ada && question["full_name"] as? String == "Ada")
        #expect(question["address"] as? String == "192.0.2.1" && question["phone_number"] is NSNull)
        #expect(
            Set(question.keys) == [
                "app", "method", "email", "username", "phone_number", "full_name", "attributes", "address",
            ])
        registration.answer(#"{"decision": "deny", "message": "Ask your administrator."}"#)
        await #expect(throws: AuthError.rejected(status: 403, message: "Ask your administrator.")) {
            try await world.registered("al@example.com")
        }
        registration.answer(#"{"decision": "deny"}"#)
        await #expect(throws: AuthError.rejected(status: 403, message: "The registration was refused.")) {
            try await world.registered("al@example.com")
        }
        #expect(try await world.account("al@example.com") == nil)
        #expect(registration.count == 3)
    }

    @Test func `is asked when the owner of the address confirms, and not before`() async throws {
        let world = try world { $0.registersSafely = true }
        _ = await refusal { try await world.registered() }
        #expect(registration.count == 0)
        guard
            case .registrationConfirmation(let token, _)? = world.notificationSealer.messages.last?.notice
        else {
            throw World.NothingCame()
        }
        registration.answer(#"{"decision": "deny"}"#)
        await #expect(throws: AuthError.rejected(status: 403, message: "The registration was refused.")) {
            try await world.engine.perform(
                ConfirmRegistration(token: token, password: Secret(goodPassword)))
        }
        registration.answer(#"{"decision": "allow"}"#)
        _ = try await world.engine.perform(
            ConfirmRegistration(token: token, password: Secret(goodPassword)))
        #expect(registration.count == 2)
    }

    @Test func `is asked for a registration with a code, whose code stays valid`() async throws {
        let world = try World(
            "barqnet", .barqnet, hooks: Hooks(beforeRegistration: registration.hook())
        ) {
            $0.limits = .generous
        }
        let number = try PhoneNumber("+15551234567")
        let code = try await world.codeSent(to: number).code
        let register = Register(phoneNumber: number, password: Secret(goodPassword), code: code)
        registration.answer(#"{"decision": "deny"}"#)
        _ = await refusal { try await world.engine.perform(register) }
        registration.answer(#"{"decision": "allow"}"#)
        _ = try await world.engine.perform(register)
        #expect(registration.question["method"] as? String == "code")
        #expect(registration.question["phone_number"] as? String == number.e164)
    }

    @Test func `is asked at the first sign-in with a provider, and never again`() async throws {
        let scene = try BrowserWorld(hooks: Hooks(beforeRegistration: registration.hook()))
        registration.answer(#"{"decision": "deny"}"#)
        _ = await refusal { try await scene.signIn() }
        #expect(registration.question["method"] as? String == "oidc")
        registration.answer(#"{"decision": "allow"}"#)
        _ = try await scene.signIn()
        #expect(registration.count == 2)
        registration.fail()
        _ = try await scene.signIn()
        #expect(registration.count == 2)
    }

    @Test func `administration and import ask no hook`() async throws {
        let world = try world()
        registration.fail()
        var record = AccountRecord()
        record.email = ada
        _ = try await world.administration.create(record, password: nil)
        record.email = "al@example.com"
        _ = try await world.administration.importAccounts([record])
        for email in [ada, "al@example.com"] { #expect(try await world.account(email) != nil) }
        #expect(registration.count == 0)
    }

    @Test func `a failure denies the registration as an outage, or allows it`() async throws {
        let strict = try world()
        registration.fail()
        let incident = await refusal { try await strict.registered() }
        guard case .unavailable? = incident else {
            Issue.record("\(String(describing: incident))")
            return
        }
        #expect(try await strict.account() == nil)
        let lenient = try world(registration: .allow)
        try await lenient.registered()
        #expect(lenient.failures.reported.count == 1)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"decision": "maybe"}"#, #"{"decision": true}"#,
        #"{"decision": "deny", "message": 1}"#,
        "{\"decision\": \"deny\", \"message\": \"\(String(repeating: "x", count: 501))\"}",
        #"{"decision": "deny", "message": "a\u0000b"}"#,
        #"{"decision": "allow", "x": ""# + String(repeating: "x", count: 4096) + #""}"#,
    ])
    func `an answer that cannot be used is a failure`(answer: String) async throws {
        let world = try world()
        registration.answer(answer)
        guard case .unavailable? = await refusal(of: { try await world.registered() }) else {
            Issue.record("accepted")
            return
        }
    }

    // MARK: Claims of tokens

    @Test func `adds claims to the tokens of every way in, and of a refresh`() async throws {
        let world = try world(claims: .deny)
        let signedIn = try await world.registered()
        let expected: [String: ClaimValue] = [
            "plan": .string("pro"), "seats": .integer(3),
            "teams": .array([.string("a"), .object(["b": .null])]),
        ]
        #expect(world.accessTokens.grant(signedIn.tokens.accessToken)?.furtherClaims.values == expected)
        let question = claims.question
        #expect(
            question["app"] as? String == "vici"
                && question["account"] as? String == signedIn.user?.id.text)
        #expect(
            question["session"] as? String == (try await world.session(of: signedIn.tokens)?.id.text))
        #expect((question["claims"] as? [String: Any])?["sub"] as? String == signedIn.user?.id.text)
        claims.answer(#"{"claims": {"plan": "free"}}"#)
        let refreshed = try await world.refresh(signedIn.tokens)
        #expect(
            world.accessTokens.grant(refreshed.accessToken)?.furtherClaims.values == [
                "plan": .string("free")
            ])
        let again = try await world.signIn()
        #expect(
            world.accessTokens.grant(again.tokens.accessToken)?.furtherClaims.values == [
                "plan": .string("free")
            ])
        let changed = try await world.engine.perform(
            ChangePassword(
                accessToken: again.tokens.accessToken, currentPassword: Secret(goodPassword),
                newPassword: Secret(otherPassword)))
        let successor = try #require(changed.tokens)
        #expect(
            world.accessTokens.grant(successor.accessToken)?.furtherClaims.values == [
                "plan": .string("free")
            ])
    }

    @Test(arguments: [false, true])
    func `a failure at a refresh keeps the session, in the strict profile too`(isStrict: Bool)
        async throws
    {
        let world = try world(claims: .deny) { $0.replay.isStrict = isStrict }
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        claims.fail()
        for _ in 0..<3 {
            guard case .unavailable? = await refusal(of: { try await world.refresh(second) }) else {
                Issue.record("the refresh is no outage")
                return
            }
        }
        claims.answer(#"{"claims": {}}"#)
        let third = try await world.refresh(second)
        try await world.use(third)
    }

    @Test func `a failure at a sign-in opens no session, and at a change of password changes none`()
        async throws
    {
        let world = try world(claims: .deny)
        let tokens = try await world.registered().tokens
        let account = try #require(try await world.account())
        claims.fail()
        _ = await refusal { try await world.signIn() }
        _ = await refusal {
            try await world.engine.perform(
                ChangePassword(
                    accessToken: tokens.accessToken, currentPassword: Secret(goodPassword),
                    newPassword: Secret(otherPassword)))
        }
        #expect(
            try await world.store.sessions(of: account.id, in: account.app, at: world.clock.now).count
                == 1)
        #expect(try await world.account() == account)
        claims.answer(#"{"claims": {}}"#)
        _ = try await world.refresh(tokens)
    }

    @Test func `a failure at a registration leaves the account, and its owner signs in`() async throws {
        let world = try world(claims: .deny)
        claims.fail()
        guard case .unavailable? = await refusal(of: { try await world.registered() }) else {
            Issue.record("the registration is no outage")
            return
        }
        claims.answer(#"{"claims": {}}"#)
        #expect(await refusal { try await world.registered() } == .identifierTaken)
        _ = try await world.signIn()
    }

    @Test func `a failure that is allowed issues a token without further claims`() async throws {
        let world = try world(claims: .allow)
        claims.fail()
        let signedIn = try await world.registered()
        #expect(
            world.accessTokens.grant(signedIn.tokens.accessToken)?.furtherClaims == TokenClaims.none)
        #expect(world.failures.reported.count == 1)
    }

    @Test(arguments: [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "sid", "act", "cnf", "amr", "acr", "auth_time",
        "azp",
        "client_id", "scope", "roles", "permissions", "typ", "gen", "token_use", "auth_provider",
    ])
    func `a reserved claim is a failure`(name: String) async throws {
        let world = try world(claims: .deny)
        claims.answer("{\"claims\": {\"\(name)\": 1}}")
        guard case .unavailable? = await refusal(of: { try await world.registered() }) else {
            Issue.record("\(name) was accepted")
            return
        }
    }

    @Test func `accepts at most 2 KiB of claims`() async throws {
        let world = try world(claims: .deny)
        func answer(_ bytes: Int) -> String {
            "{\"claims\": {\"a\": \"\(String(repeating: "x", count: bytes - #"{"a":""}"#.utf8.count))\"}}"
        }
        claims.answer(answer(2048))
        _ = try await world.registered()
        claims.answer(answer(2049))
        guard case .unavailable? = await refusal(of: { try await world.signIn() }) else {
            Issue.record("2,049 bytes were accepted")
            return
        }
    }

    @Test(arguments: [
        "{}", "[]", #"{"claims": []}"#, #"{"claims": {"": 1}}"#, #"{"claims": {"a b": 1}}"#,
        #"{"claims": {"ä": 1}}"#,
        "{\"claims\": {\"\(String(repeating: "n", count: 65))\": 1}}",
        "{\"claims\": {\"a\": \(String(repeating: "[", count: 1500) + String(repeating: "]", count: 1500))}}",
    ])
    func `an answer that is no set of claims is a failure`(answer: String) async throws {
        let world = try world(claims: .deny)
        claims.answer(answer)
        guard case .unavailable? = await refusal(of: { try await world.registered() }) else {
            Issue.record("accepted")
            return
        }
    }
}
