import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Passkeys as second factor and as the way in. What a response must contain is in OstiaryWebAuthnTests.
@Suite struct PasskeyTests {
    private let world: World
    private let device = TestPasskeys()

    init() throws { world = try .passkeys() }

    @Test func `the options name the relying party, the account and a random handle`() async throws {
        let tokens = try await world.registered().tokens
        let given = try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        let options = try PasskeyRegistrationOptions(json: Data(given.publicKey.utf8))
        #expect(options.relyingPartyID == "example.com" && options.userName == ada)
        #expect(options.challenge.count == 32 && options.userID.count == 32)
        #expect(options.userVerification == .required && options.excludedCredentials.isEmpty)
        let again = try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        #expect(try PasskeyRegistrationOptions(json: Data(again.publicKey.utf8)).challenge != options.challenge)
    }

    @Test func `adding a passkey raises this session, ends the others and informs the owner`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        let added = try await world.addPasskey(to: second, on: device)
        #expect(added.factor.type == .passkey && added.factor.name == "Passkey" && added.recoveryCodes?.count == 10)
        #expect(await refusal { try await world.use(first) } == .sessionRevoked)
        let session = try await world.session(of: second)
        #expect(session?.authentication.level == .aal2)
        #expect(session?.authentication.references == ["mfa", "pwd", "swk", "user"])
        #expect(world.notificationSealer.messages.last?.notice.factorChange == .added)
    }

    @Test func `an account has one user handle, and no authenticator holds two passkeys of it`() async throws {
        let tokens = try await world.registered().tokens
        try await world.addPasskey(to: tokens, on: device)
        let given = try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        let options = try PasskeyRegistrationOptions(json: Data(given.publicKey.utf8))
        #expect(options.excludedCredentials.count == 1)
        await #expect(throws: ClientError.self) { try await device.register(options) }
        let other = TestPasskeys()
        let second = try await world.addPasskey(to: tokens, on: other)
        #expect(second.recoveryCodes == nil)
        let handles = try await world.factors().map { try PasskeyMaterial($0).userHandle }
        #expect(handles.count == 2 && Set(handles).count == 1)
    }

    @Test(arguments: [false, true])
    func `a credential id is unique among the apps of an RP ID`(isShared: Bool) async throws {
        let other = try AppName("other")
        let world = try World.passkeys { $0.passkeys?.otherApps = isShared ? [other] : [] }
        let tokens = try await world.registered().tokens
        let options = try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        let copy = NewPasskey(
            id: try FactorID("copied"), name: "Copy", material: [], credentialID: Array(made.credentialID), counter: 0)
        _ = try await world.store.add(
            NewAccount(
                app: other, idKind: .integer, email: EmailAddress("mallory@example.com"), passkey: copy,
                createdAt: world.clock.now), spending: nil)
        let registration = RegisterPasskey(
            accessToken: tokens.accessToken, passkeyToken: options.token ?? Secret(""),
            credential: String(decoding: made.json, as: UTF8.self))
        let refused = await refusal { _ = try await world.engine.perform(registration) }
        #expect(refused == (isShared ? .credentialRefused : nil))
    }

    @Test func `a passkey signs in alone, with both kinds of factors`() async throws {
        let tokens = try await world.registered().tokens
        try await world.addPasskey(to: tokens, on: device)
        let signedIn = try await world.signIn(with: device)
        #expect(signedIn.user?.email?.text == ada)
        let authentication = try #require(try await world.session(of: signedIn.tokens)).authentication
        #expect(authentication.level == .aal2 && authentication.references == ["mfa", "swk", "user"])
        #expect(try await world.factors()[0].lastUsedAt != nil)
    }

    @Test func `a passkey answers the challenge after the password`() async throws {
        let tokens = try await world.registered().tokens
        try await world.addPasskey(to: tokens, on: device)
        let challenge = try await world.challenged()
        #expect(challenge.methods == [.passkey, .recoveryCode])
        let signedIn = try await world.answer(challenge, with: device)
        let references = try await world.session(of: signedIn.tokens)?.authentication.references
        #expect(references == ["mfa", "pwd", "swk", "user"])
        // A challenge is answered once.
        #expect(await refusal { try await world.answer(challenge, with: device) } == .challengeRefused)
    }

    @Test func `a passkey of another account answers no challenge`() async throws {
        try await world.addPasskey(to: try await world.registered().tokens, on: device)
        let other = TestPasskeys()
        try await world.addPasskey(to: try await world.registered("eve@example.com").tokens, on: other)
        let challenge = try await world.challenged()
        let asked = try await world.engine.perform(BeginPasskeyChallenge(challengeToken: challenge.token))
        var options = try PasskeyAssertionOptions(json: Data(asked.publicKey.utf8))
        #expect(options.allowedCredentials.count == 1)
        options.allowedCredentials = []
        let credential = String(decoding: try await other.assert(options).json, as: UTF8.self)
        let refused = await refusal {
            try await world.engine.perform(AnswerChallenge(challengeToken: challenge.token, credential: credential))
        }
        #expect(refused == .codeRefused)
        #expect(try await world.answer(challenge, with: device).user?.email?.text == ada)
    }

    @Test func `a response is accepted once, and with its own token`() async throws {
        try await world.addPasskey(to: try await world.registered().tokens, on: device)
        let options = try await world.engine.perform(BeginPasskeySignIn())
        let other = try await world.engine.perform(BeginPasskeySignIn())
        let credential = try await device.assertion(options)
        func signIn(_ options: PasskeyOptions) async -> AuthError? {
            await refusal {
                try await world.engine.perform(
                    SignInWithPasskey(passkeyToken: options.token ?? Secret(""), credential: credential))
            }
        }
        #expect(await signIn(other) == .wrongCredentials)
        #expect(await signIn(options) == nil)
        #expect(await signIn(options) == .wrongCredentials)
    }

    @Test func `a failed response uses up its challenge`() async throws {
        try await world.addPasskey(to: try await world.registered().tokens, on: device)
        let options = try await world.engine.perform(BeginPasskeySignIn())
        let good = try await device.assertion(options)
        // Another user handle: the signature stays valid.
        let stranger = TestPasskeys()
        let tokens = try await world.registered("eve@example.com").tokens
        try await world.addPasskey(to: tokens, on: stranger)
        let handle = Base64URL.encode(try PasskeyMaterial(try await world.factors("eve@example.com")[0]).userHandle)
        let own = Base64URL.encode(try PasskeyMaterial(try await world.factors()[0]).userHandle)
        let swapped = good.replacingOccurrences(of: own, with: handle)
        #expect(swapped != good)
        for credential in [swapped, good] {
            let refused = await refusal {
                try await world.engine.perform(
                    SignInWithPasskey(passkeyToken: options.token ?? Secret(""), credential: credential))
            }
            #expect(refused == .wrongCredentials)
        }
    }

    @Test func `tokens of one purpose are refused for every other`() async throws {
        let tokens = try await world.registered().tokens
        let registration = try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        try await world.addPasskey(to: tokens, on: device)
        let way = try await world.engine.perform(BeginPasskeySignIn())
        let challenge = try await world.challenged()
        let credential = try await device.assertion(way)
        let refusals = [
            await refusal {
                try await world.engine.perform(
                    SignInWithPasskey(passkeyToken: registration.token ?? Secret(""), credential: credential))
            },
            await refusal {
                try await world.engine.perform(
                    SignInWithPasskey(passkeyToken: challenge.token, credential: credential))
            },
            await refusal {
                try await world.engine.perform(
                    AnswerChallenge(challengeToken: way.token ?? Secret(""), credential: credential))
            },
            await refusal {
                try await world.engine.perform(BeginPasskeyChallenge(challengeToken: way.token ?? Secret("")))
            },
            await refusal {
                try await world.engine.perform(
                    RegisterPasskey(
                        accessToken: tokens.accessToken, passkeyToken: way.token ?? Secret(""), credential: credential))
            },
        ]
        #expect(refusals == Array(repeating: .challengeRefused, count: 5))
    }

    @Test func `a registration belongs to the session that began it`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        let options = try await world.engine.perform(BeginPasskeyRegistration(accessToken: first.accessToken))
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        let credential = String(decoding: made.json, as: UTF8.self)
        func register(_ tokens: Tokens) async -> AuthError? {
            await refusal {
                try await world.engine.perform(
                    RegisterPasskey(
                        accessToken: tokens.accessToken, passkeyToken: options.token ?? Secret(""),
                        credential: credential))
            }
        }
        #expect(await register(second) == .challengeRefused)
        #expect(await register(first) == nil)
    }

    @Test func `tokens are over after five minutes`() async throws {
        try await world.addPasskey(to: try await world.registered().tokens, on: device)
        let options = try await world.engine.perform(BeginPasskeySignIn())
        let credential = try await device.assertion(options)
        world.clock.advance(by: .seconds(300))
        let refused = await refusal {
            try await world.engine.perform(
                SignInWithPasskey(passkeyToken: options.token ?? Secret(""), credential: credential))
        }
        #expect(refused == .challengeRefused)
    }

    @Test(arguments: ["{}", "[]", "", #"{"id":"AQ","rawId":"Ag","type":"public-key"}"#])
    func `a malformed response is invalid, whatever it is for`(credential: String) async throws {
        let tokens = try await world.registered().tokens
        let registration = try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        let refusals = [
            await refusal {
                try await world.engine.perform(
                    RegisterPasskey(
                        accessToken: tokens.accessToken, passkeyToken: registration.token ?? Secret(""),
                        credential: credential))
            },
            await refusal {
                let way = try await world.engine.perform(BeginPasskeySignIn())
                return try await world.engine.perform(
                    SignInWithPasskey(passkeyToken: way.token ?? Secret(""), credential: credential))
            },
        ]
        #expect(refusals == Array(repeating: .invalid(.credential, .malformed), count: 2))
        #expect(try await world.factors().isEmpty)
    }

    @Test func `another origin and another relying party are refused`() async throws {
        let tokens = try await world.registered().tokens
        let phishing = TestPasskeys(origin: "https://example.com.evil.example")
        #expect(await refusal { try await world.addPasskey(to: tokens, on: phishing) } == .credentialRefused)
        let given = try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        var options = try PasskeyRegistrationOptions(json: Data(given.publicKey.utf8))
        options.relyingPartyID = "evil.example"
        let made = String(decoding: try await device.register(options).json, as: UTF8.self)
        let refused = await refusal {
            try await world.engine.perform(
                RegisterPasskey(
                    accessToken: tokens.accessToken, passkeyToken: given.token ?? Secret(""), credential: made))
        }
        #expect(refused == .credentialRefused)
        #expect(try await world.factors().isEmpty)
        // Both point to the configuration, and are reported to the operator.
        #expect(world.failures.reported.map { "\($0)" } == ["the origin is not allowed", "the RP ID is another one"])
    }

    @Test func `people add only factors that the app accepts as an answer`() async throws {
        let world = try World.passkeys { $0.secondFactor.methods = [.totp, .recoveryCode] }
        let tokens = try await world.registered().tokens
        #expect(await refusal { try await world.addPasskey(to: tokens, on: device) } == .notFound)
        _ = try await world.enrolled(tokens)
        let other = try World.passkeys { $0.secondFactor.methods = [.passkey, .recoveryCode] }
        let theirs = try await other.registered().tokens
        #expect(await refusal { try await other.enrolled(theirs) } == .notFound)
        try await other.addPasskey(to: theirs, on: device)
    }

    @Test func `accounts of an external provider have passkeys as a second factor only`() async throws {
        let provider = ScriptedCredentialProvider()
        let world = try World.delegating(to: provider) { $0.passkeys = .example }
        #expect(await refusal { try await world.engine.perform(BeginPasskeySignIn()) } == .notFound)
        let tokens = try await world.signIn().tokens
        try await world.addPasskey(to: tokens, on: device)
        let challenge = try await world.challenged()
        #expect(challenge.methods == [.passkey, .recoveryCode])
        _ = try await world.answer(challenge, with: device)
    }

    @Test func `a signature counter that does not increase is refused and reported`() async throws {
        let bound = TestPasskeys(isBackupEligible: false)
        try await world.addPasskey(to: try await world.registered().tokens, on: bound)
        _ = try await world.signIn(with: bound)
        bound.setSignCount(0)
        #expect(await refusal { try await world.signIn(with: bound) } == .wrongCredentials)
        #expect(world.notificationSealer.messages.last?.notice.factorChange == .passkeyRefused)
        // The stored counter did not change.
        bound.setSignCount(2)
        let references = try await world.session(of: world.signIn(with: bound).tokens)?.authentication.references
        #expect(references == ["hwk", "mfa", "user"])
    }

    @Test func `of fifty uses of one response one signs in`() async throws {
        try await world.addPasskey(to: try await world.registered().tokens, on: device)
        let options = try await world.engine.perform(BeginPasskeySignIn())
        let credential = try await device.assertion(options)
        let engine = world.engine
        let successes = await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    let call = SignInWithPasskey(passkeyToken: options.token ?? Secret(""), credential: credential)
                    return (try? await engine.perform(call)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
    }

    @Test func `a passkey satisfies a step-up alone`() async throws {
        let tokens = try await world.registered().tokens
        try await world.addPasskey(to: tokens, on: device)
        world.clock.advance(by: .seconds(301))
        guard
            case .stepUpRequired(let requirement) = await refusal(of: {
                try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
            }), let challenge = requirement.challenge
        else {
            Issue.record("no step-up was required")
            return
        }
        #expect(challenge.methods == [.password, .passkey, .recoveryCode])
        try await world.answer(challenge, with: device, tokens)
        _ = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
    }

    @Test func `a removed passkey, and one of a disabled or deleted account, are refused`() async throws {
        let tokens = try await world.registered().tokens
        let added = try await world.addPasskey(to: tokens, on: device)
        _ = try await world.engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: added.factor.id))
        #expect(await refusal { try await world.signIn(with: device) } == .wrongCredentials)
        let second = TestPasskeys()
        try await world.addPasskey(to: tokens, on: second)
        _ = try await world.administration.setActive(false, ada)
        #expect(await refusal { try await world.signIn(with: second) } == .wrongCredentials)
        _ = try await world.administration.setActive(true, ada)
        _ = try await world.signIn(with: second)
        _ = try await world.administration.delete(ada)
        #expect(await refusal { try await world.signIn(with: second) } == .wrongCredentials)
    }

    @Test func `an app without passkeys has no such operations`() async throws {
        let world = try World.vici { $0.limits = .generous }
        let tokens = try await world.registered().tokens
        #expect(
            await refusal { try await world.engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken)) }
                == .notFound)
        #expect(await refusal { try await world.engine.perform(BeginPasskeySignIn()) } == .notFound)
    }
}

extension World {
    /// An app with passkeys.
    static func passkeys(_ change: (inout AppSettings) -> Void = { _ in }) throws -> World {
        try .vici {
            $0.limits = .generous
            $0.passkeys = .example
            change(&$0)
        }
    }

    @discardableResult
    func addPasskey(to tokens: Tokens, on device: TestPasskeys) async throws -> AddedFactor {
        let options = try await engine.perform(BeginPasskeyRegistration(accessToken: tokens.accessToken))
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        let answer = try await engine.perform(
            RegisterPasskey(
                accessToken: tokens.accessToken, passkeyToken: options.token ?? Secret(""),
                credential: String(decoding: made.json, as: UTF8.self)))
        guard let added = answer.added else { throw NothingCame() }
        return added
    }

    func signIn(with device: TestPasskeys) async throws -> SignedIn {
        let options = try await engine.perform(BeginPasskeySignIn())
        return try await engine.perform(
            SignInWithPasskey(passkeyToken: options.token ?? Secret(""), credential: device.assertion(options)))
    }

    @discardableResult
    func answer(_ challenge: Challenge, with device: TestPasskeys, _ tokens: Tokens? = nil) async throws -> SignedIn {
        let options = try await engine.perform(BeginPasskeyChallenge(challengeToken: challenge.token))
        return try await engine.perform(
            AnswerChallenge(
                challengeToken: challenge.token, credential: device.assertion(options),
                accessToken: tokens?.accessToken))
    }

    func factors(_ email: String = ada) async throws -> [Factor] {
        guard let account = try await account(email) else { throw NothingCame() }
        return try await store.factors(of: account.id, in: engine.app.name).factors
    }
}

extension PasskeySettings {
    /// Those that ``TestPasskeys`` fits.
    static let example = PasskeySettings(
        relyingPartyID: "example.com", relyingPartyName: "Example", origins: ["https://example.com"])
}

extension TestPasskeys {
    /// Returns the `AuthenticationResponseJSON` for a server's options.
    func assertion(_ options: PasskeyOptions) async throws -> String {
        let options = try PasskeyAssertionOptions(json: Data(options.publicKey.utf8))
        return String(decoding: try await assert(options).json, as: UTF8.self)
    }
}
