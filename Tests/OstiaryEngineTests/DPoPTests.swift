import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// A server whose app binds sessions to keys, and requests with proofs.
struct BindingWorld {
    static let origin = "https://auth.example.com"
    let world: World
    let key = ProofKey()

    init(
        _ requirement: DPoPSettings.Requirement = .accepted, sharing other: World? = nil,
        _ change: (inout AppSettings) -> Void = { _ in }
    ) throws {
        world = try World("vici", .vici, seed: other == nil ? 1 : 2, sharing: other) {
            $0.limits = .generous
            $0.dpop = DPoPSettings(requirement: requirement, origins: ["https://api.example.com"])
            change(&$0)
        }
    }

    /// - Parameter world: A server whose app binds sessions already.
    init(_ world: World) { self.world = world }

    var nonce: String { world.engine.dpopNonce }

    /// Returns the engine for a request with a proof.
    func engine(
        _ path: String = "/x", method: String = "POST", by key: ProofKey? = nil, accessToken: Secret<String>? = nil,
        hasScheme: Bool? = nil, forge: (inout ProofKey.Draft) -> Void = { _ in }
    ) throws -> AuthEngine {
        let url = Self.origin + path
        let text = try (key ?? self.key)
            .proof(method, url, at: world.clock.now, accessToken: accessToken, nonce: nonce, forge: forge)
        return engine(presenting: text, method: method, path: path, hasScheme: hasScheme ?? (accessToken != nil))
    }

    func engine(
        presenting text: String, method: String = "POST", path: String = "/x", hasScheme: Bool = false
    ) -> AuthEngine {
        let proof = DPoPProof(text)
        return world.engine.serving(
            Caller(
                dpopProof: PresentedProof(
                    proof: proof, isUnreadable: proof == nil, hasScheme: hasScheme, method: method,
                    url: Self.origin + path)))
    }

    static func register(_ email: String = ada) throws -> Register {
        try Register(email: EmailAddress(email), password: Secret(goodPassword), rememberMe: true)
    }

    /// Registers a person whose session is bound.
    func registered() async throws -> Tokens { try await engine().perform(Self.register()).tokens }

    func refresh(_ tokens: Tokens, by key: ProofKey? = nil) async throws -> Tokens {
        try await engine(by: key).perform(Refresh(refreshToken: tokens.refreshToken ?? Secret("")))
    }

    @discardableResult
    func use(_ tokens: Tokens, by key: ProofKey? = nil) async throws -> User {
        try await engine(method: "GET", by: key, accessToken: tokens.accessToken)
            .perform(CurrentUser(accessToken: tokens.accessToken))
    }
}

/// Sessions that are bound to a key. Source: RFC 9449.
@Suite struct DPoPTests {
    // MARK: Binding

    @Test func `a session that is opened with a proof is bound to its key`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        #expect(tokens.isBound)
        #expect(try await binding.world.session(of: tokens)?.boundKey == binding.key.thumbprint)
        #expect(binding.world.accessTokens.grant(tokens.accessToken)?.boundKey == binding.key.thumbprint)
        try await binding.use(tokens)
        let next = try await binding.refresh(tokens)
        #expect(next.isBound)
        try await binding.use(next)
    }

    @Test func `every way in binds: a sign-in too`() async throws {
        let binding = try BindingWorld()
        try await binding.world.registered()
        let signIn = SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(goodPassword), rememberMe: true)
        let tokens = try await binding.engine().perform(signIn).tokens
        #expect(try await binding.world.session(of: tokens)?.boundKey == binding.key.thumbprint)
    }

    @Test func `off: a proof is ignored`() async throws {
        let binding = try BindingWorld(.off)
        let tokens = try await binding.registered()
        #expect(!tokens.isBound)
        _ = try await binding.world.refresh(tokens)
        let unreadable = binding.engine(presenting: "no proof")
        _ = try await unreadable.perform(BindingWorld.register("eve@example.com"))
    }

    @Test func `accepted: a session without a proof is a bearer's, and is never bound later`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.world.registered().tokens
        #expect(!tokens.isBound)
        let next = try await binding.refresh(tokens)
        #expect(!next.isBound)
        #expect(try await binding.world.session(of: next)?.boundKey == nil)
        try await binding.world.use(next)
    }

    @Test func `required: no session is opened without a proof, and nothing is counted`() async throws {
        let binding = try BindingWorld(.required)
        await #expect(throws: AuthError.dpopRequired) { try await binding.world.registered() }
        #expect(binding.world.hasher.hashes == 0)
        #expect(try await binding.world.account() == nil)
        let tokens = try await binding.registered()
        #expect(tokens.isBound)
    }

    @Test func `required: an unbound session ends at its next refresh`() async throws {
        let before = try BindingWorld(.accepted)
        let tokens = try await before.world.registered().tokens
        let after = try BindingWorld(.required, sharing: before.world)
        try await after.world.use(tokens)
        await #expect(throws: AuthError.dpopRequired) { try await after.refresh(tokens) }
        let session = try #require(try await after.world.session(of: tokens))
        #expect(session.revocation?.reason == .unbound)
        await #expect(throws: AuthError.refreshTokenRevoked) { try await after.refresh(tokens) }
        #expect(try await after.world.events().contains { $0.outcome == "dpop_required" && $0.session == session.id })
    }

    // MARK: Challenges

    /// Returns the challenge that a sign-in asks for.
    private func challenge(of engine: AuthEngine) async throws -> Challenge {
        let signIn = SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(goodPassword))
        guard case .challengeRequired(let challenge) = await refusal(of: { try await engine.perform(signIn) }) else {
            throw World.NothingCame()
        }
        return challenge
    }

    @Test(arguments: [DPoPSettings.Requirement.accepted, .required])
    func `a challenge that began with a proof is answered with a proof of the same key alone`(
        requirement: DPoPSettings.Requirement
    ) async throws {
        let before = try BindingWorld()
        let world = before.world
        let app = try await world.enrolled(world.registered().tokens).app
        let binding = try BindingWorld(requirement, sharing: world)
        let key = binding.key
        let challenge = try await challenge(of: binding.engine())
        world.advanceStep()
        let answer = AnswerChallenge(
            challengeToken: challenge.token, answers: [ChallengeMethod.totp.rawValue: Secret(app.code(world))])
        let missing = await refusal { try await binding.world.engine.perform(answer) }
        #expect(missing == (requirement == .accepted ? .invalidDPoPProof : .dpopRequired))
        #expect(await refusal { try await binding.engine(by: ProofKey()).perform(answer) } == .invalidDPoPProof)
        #expect(
            await refusal { try await binding.engine(presenting: "no proof").perform(answer) } == .invalidDPoPProof)
        // None of them has used up the challenge or the code.
        let tokens = try await binding.engine().perform(answer).tokens
        #expect(try await binding.world.session(of: tokens)?.boundKey == key.thumbprint)
    }

    @Test func `a challenge that began without a proof is answered without one`() async throws {
        let binding = try BindingWorld()
        let world = binding.world
        let app = try await world.enrolled(world.registered().tokens).app
        let challenge = try await challenge(of: world.engine)
        world.advanceStep()
        #expect(try await !world.answer(challenge, .totp, app.code(world)).tokens.isBound)
    }

    @Test func `a required factor is added with a proof of the key that the sign-in began with`() async throws {
        let binding = try BindingWorld { $0.secondFactor.requirement = .required }
        let world = binding.world
        guard case .challengeRequired(let challenge) = await refusal(of: { try await binding.registered() }) else {
            throw World.NothingCame()
        }
        let pending = try await world.engine.perform(BeginTOTP(accessToken: challenge.token))
        let app = World.Authenticator(id: pending.factorID, secret: try world.secret(in: pending))
        let call = ConfirmTOTP(accessToken: challenge.token, factorID: app.id, code: try OneTimeCode(app.code(world)))
        #expect(await refusal { try await world.engine.perform(call) } == .invalidDPoPProof)
        #expect(await refusal { try await binding.engine(by: ProofKey()).perform(call) } == .invalidDPoPProof)
        guard case .signedIn(let signedIn, _) = try await binding.engine().perform(call) else {
            throw World.NothingCame()
        }
        #expect(try await world.session(of: signedIn.tokens)?.boundKey == binding.key.thumbprint)
    }

    @Test func `a step of a credential provider is answered with a proof of the same key alone`() async throws {
        let credentialProvider = ScriptedCredentialProvider()
        let world = try World.delegating(to: credentialProvider) {
            $0.dpop = DPoPSettings(requirement: .accepted, origins: [])
        }
        let (binding, key) = (BindingWorld(world), ProofKey())
        let step = CredentialProviderStep(
            name: "SOFTWARE_TOKEN_MFA", session: "their session", username: ada, lifetimeSeconds: 180)
        credentialProvider.ask(for: step)
        let challenge = try await challenge(of: binding.engine(by: key))
        let answer = AnswerChallenge(
            challengeToken: challenge.token, answers: ["SOFTWARE_TOKEN_MFA_CODE": Secret("123456")])
        #expect(await refusal { try await world.engine.perform(answer) } == .invalidDPoPProof)
        #expect(await refusal { try await binding.engine(by: ProofKey()).perform(answer) } == .invalidDPoPProof)
        #expect(credentialProvider.answers.isEmpty)
        let tokens = try await binding.engine(by: key).perform(answer).tokens
        #expect(try await world.session(of: tokens)?.boundKey == key.thumbprint)
    }

    @Test func `required: a page confirms a registration without a session, and the app signs in`() async throws {
        let binding = try BindingWorld(.required) { $0.registersSafely = true }
        #expect(await refusal { try await binding.registered() } == .confirmationRequired)
        let token = try binding.world.registrationToken()
        let page = binding.world.engine
        #expect(
            await refusal { try await page.redeem(.registration, token: token, password: Secret("wrong")) }
                == .wrongCredentials)
        #expect(try await page.redeem(.registration, token: token, password: Secret(goodPassword)) != nil)
        #expect(try await binding.world.account()?.isEmailVerified == true)
        #expect(try await binding.world.administration.sessions(of: ada).isEmpty)
        #expect(
            await refusal { try await page.redeem(.registration, token: token, password: Secret(goodPassword)) }
                == .identifierTaken)
        let signIn = SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(goodPassword), rememberMe: true)
        #expect(try await binding.engine().perform(signIn).tokens.isBound)
    }

    @Test func `off again: a bound session stays bound`() async throws {
        let before = try BindingWorld()
        let tokens = try await before.registered()
        let after = try BindingWorld(.off, sharing: before.world)
        await #expect(throws: AuthError.invalidDPoPProof) { try await after.world.use(tokens) }
        await #expect(throws: AuthError.invalidDPoPProof) { try await after.world.refresh(tokens) }
        try await after.use(tokens, by: before.key)
        _ = try await after.refresh(tokens, by: before.key)
    }

    // MARK: A stolen token

    @Test func `a bound access token is refused as a bearer token`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        await #expect(throws: AuthError.invalidDPoPProof) { try await binding.world.use(tokens) }
        // With a proof, but with the scheme Bearer.
        let bearer = try binding.engine(accessToken: tokens.accessToken, hasScheme: false)
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await bearer.perform(CurrentUser(accessToken: tokens.accessToken))
        }
    }

    @Test func `an unbound access token is refused as a bound one`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.world.registered().tokens
        await #expect(throws: AuthError.invalidAccessToken) { try await binding.use(tokens) }
    }

    @Test func `tokens are worthless with another key`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        let thief = ProofKey()
        await #expect(throws: AuthError.invalidDPoPProof) { try await binding.use(tokens, by: thief) }
        await #expect(throws: AuthError.invalidDPoPProof) { try await binding.refresh(tokens, by: thief) }
        // The owner continues: the thief rotated nothing.
        let next = try await binding.refresh(tokens)
        try await binding.use(next)
        #expect(try await binding.world.session(of: next)?.generation == 1)
    }

    @Test func `a superseded refresh token in a thief's hand ends nothing`() async throws {
        let binding = try BindingWorld()
        let first = try await binding.registered()
        let second = try await binding.refresh(first)
        try await binding.use(second)
        binding.world.clock.advance(by: .seconds(3600))
        await #expect(throws: AuthError.invalidDPoPProof) { try await binding.refresh(first, by: ProofKey()) }
        await #expect(throws: AuthError.invalidDPoPProof) { try await binding.world.refresh(first) }
        _ = try await binding.refresh(second)
        // With the key it is a copy of the client's own state.
        await #expect(throws: AuthError.refreshTokenReused) { try await binding.refresh(first) }
    }

    @Test func `sign-out requires the key too`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        let signOut = SignOut(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken)
        await #expect(throws: AuthError.invalidDPoPProof) { try await binding.world.engine.perform(signOut) }
        let thief = try binding.engine(by: ProofKey(), accessToken: tokens.accessToken)
        await #expect(throws: AuthError.invalidDPoPProof) { try await thief.perform(signOut) }
        try await binding.use(tokens)
        _ = try await binding.engine(accessToken: tokens.accessToken).perform(signOut)
        #expect(try await binding.world.session(of: tokens)?.revocation?.reason == .signOut)
        // By a client of the built-in provider, which authenticates itself.
        let other = try await binding.engine().perform(
            SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(goodPassword), rememberMe: true)
        ).tokens
        try await binding.world.engine.signOutClient(
            SignOut(accessToken: other.accessToken, refreshToken: other.refreshToken))
        #expect(try await binding.world.session(of: other)?.revocation?.reason == .signOut)
    }

    // MARK: Replay

    @Test func `a proof opens one session, at any node`() async throws {
        let binding = try BindingWorld()
        let other = try BindingWorld(sharing: binding.world)
        let text = try binding.key.proof(
            "POST", "\(BindingWorld.origin)/x", at: binding.world.clock.now, nonce: binding.nonce)
        _ = try await binding.engine(presenting: text).perform(BindingWorld.register())
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await other.engine(presenting: text).perform(BindingWorld.register("eve@example.com"))
        }
    }

    @Test func `a proof refreshes once, at any node`() async throws {
        let binding = try BindingWorld()
        let other = try BindingWorld(sharing: binding.world)
        let tokens = try await binding.registered()
        let text = try binding.key.proof(
            "POST", "\(BindingWorld.origin)/x", at: binding.world.clock.now, nonce: binding.nonce)
        let refresh = Refresh(refreshToken: try #require(tokens.refreshToken))
        _ = try await binding.engine(presenting: text).perform(refresh)
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await other.engine(presenting: text).perform(refresh)
        }
        // A lost answer is repeated with another proof.
        _ = try await other.refresh(tokens, by: binding.key)
    }

    @Test func `a proof with an access token is accepted once by a node`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        let engine = try binding.engine(accessToken: tokens.accessToken)
        let call = CurrentUser(accessToken: tokens.accessToken)
        _ = try await engine.perform(call)
        await #expect(throws: AuthError.invalidDPoPProof) { try await engine.perform(call) }
        // The same identifier in another proof, and the same identifier of another key.
        let same = try binding.engine(accessToken: tokens.accessToken) { $0.setClaim("jti", "same") }
        _ = try await same.perform(call)
        let again = try binding.engine(accessToken: tokens.accessToken) { $0.setClaim("jti", "same") }
        await #expect(throws: AuthError.invalidDPoPProof) { try await again.perform(call) }
    }

    // MARK: Time

    @Test(arguments: [
        (-301, false), (-300, true), (0, true), (300, true), (301, false), (Int.min, false), (Int.max, false),
    ])
    func `the time of a proof is tolerated for five minutes`(difference: Int, isAccepted: Bool) async throws {
        let binding = try BindingWorld()
        let now = Int(binding.world.clock.now.timeIntervalSince1970.rounded(.down))
        let (time, hasOverflown) = now.addingReportingOverflow(difference)
        let engine = try binding.engine { $0.setClaim("iat", .integer(hasOverflown ? difference : time)) }
        let refusal = await refusal { try await engine.perform(BindingWorld.register()) }
        #expect(refusal == (isAccepted ? nil : .invalidDPoPProof))
    }

    @Test func `a nonce is current for two minutes and accepted for two more`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        let start = binding.world.clock.now
        binding.world.clock.advance(by: .seconds(120 - Int(start.timeIntervalSince1970) % 120))
        let nonce = binding.nonce
        func answer(after seconds: Int) async throws -> AuthError? {
            binding.world.clock.advance(by: .seconds(seconds))
            let engine = try binding.engine(accessToken: tokens.accessToken) { $0.setClaim("nonce", .string(nonce)) }
            return await refusal { try await engine.perform(CurrentUser(accessToken: tokens.accessToken)) }
        }
        #expect(try await answer(after: 0) == nil)
        #expect(try await answer(after: 119) == nil)
        #expect(binding.nonce == nonce)
        #expect(try await answer(after: 2) == nil)
        #expect(binding.nonce != nonce)
        #expect(try await answer(after: 118) == nil)
        #expect(try await answer(after: 2) == .useDPoPNonce(nonce: binding.nonce))
        // With the nonce of the refusal the same request succeeds.
        try await binding.use(tokens)
    }

    @Test func `all nodes have the same nonces, and every app its own`() throws {
        let binding = try BindingWorld()
        #expect(try BindingWorld(sharing: binding.world).nonce == binding.nonce)
        let other = try World("clarity", .clarity, sharing: binding.world)
        #expect(other.engine.dpopNonce != binding.nonce)
    }

    @Test(arguments: [nil, "", "x", "AAAAAAAAAAAAAAAAAAAAAA"])
    func `a proof without a nonce of the server is told the nonce, and nothing is used up`(nonce: String?) async throws
    {
        let binding = try BindingWorld()
        let engine = try binding.engine { $0.setClaim("nonce", nonce.map { .string($0) }) }
        let expected: AuthError = nonce == "" ? .invalidDPoPProof : .useDPoPNonce(nonce: binding.nonce)
        #expect(await refusal { try await engine.perform(BindingWorld.register()) } == expected)
        #expect(binding.world.hasher.hashes == 0)
        if nonce != "" { #expect(try await binding.world.events().isEmpty) }
    }

    @Test func `a nonce that is asked for costs no guess`() async throws {
        let world = try World("vici", .vici) { $0.dpop.requirement = .accepted }
        try await world.registered()
        let proof = DPoPProof(try ProofKey().proof("POST", "https://a.example/x", at: world.clock.now))
        let caller = Caller(
            network: "192.0.2.1", dpopProof: PresentedProof(proof: proof, method: "POST", url: "https://a.example/x"))
        let signIn = SignIn(identifier: .email(try EmailAddress(ada)), password: Secret("wrong"), rememberMe: true)
        for _ in 0..<100 {
            await #expect(throws: AuthError.useDPoPNonce(nonce: world.engine.dpopNonce)) {
                try await world.engine.serving(caller).perform(signIn)
            }
        }
        _ = try await world.signIn()
    }

    // MARK: The URL

    @Test(arguments: [
        "https://auth.example.com/x", "HTTPS://AUTH.EXAMPLE.COM:443/x", "https://auth.example.com/x?q=1#f",
        "https://auth.example.com/./y/../%78", "https://api.example.com/x", "https://API.example.com:443/x",
    ])
    func `a proof names the request's URL, at any of the app's origins`(url: String) async throws {
        let binding = try BindingWorld()
        _ = try await binding.engine { $0.setClaim("htu", .string(url)) }.perform(BindingWorld.register())
    }

    @Test func `a request whose URL the server does not know is refused`() async throws {
        let binding = try BindingWorld()
        let text = try binding.key.proof("POST", "/x", at: binding.world.clock.now, nonce: binding.nonce)
        let caller = Caller(dpopProof: PresentedProof(proof: DPoPProof(text), method: "POST", url: "/x"))
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await binding.world.engine.serving(caller).perform(BindingWorld.register())
        }
    }
}
