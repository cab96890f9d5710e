import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// A sign-in with an ID token that the device obtained itself.
@Suite struct IdentityTokenTests {
    private let scene: BrowserWorld
    private let nonce = Secret("0123456789abcdef")
    init() throws { scene = try BrowserWorld("viewvault", .viewvault, provider: .named("apple")) }

    /// Creates a token with an `exp`. Its signature is not checked here: that is the provider's task.
    private func idToken(endingIn seconds: Double, signature: String = "c2ln", exp: String? = nil) -> Secret<String> {
        let end = exp ?? "\(Int(scene.world.clock.now.timeIntervalSince1970 + seconds))"
        let payload = Base64URL.encode(Array("{\"sub\":\"x\",\"exp\":\(end)}".utf8))
        return Secret("eyJhbGciOiJFUzI1NiJ9.\(payload).\(signature)")
    }

    private func signIn(
        _ token: Secret<String>, nonce: Secret<String>? = nil, provider: String = "apple", fullName: String? = nil
    ) async throws -> SignedIn {
        try await scene.world.engine.perform(
            SignInWithIdentityToken(
                provider: provider, identityToken: token, nonce: nonce ?? self.nonce,
                fullName: fullName.map { try PersonName($0) }))
    }

    @Test func `signs in with a good token`() async throws {
        let token = idToken(endingIn: 300)
        scene.provider.accept(token, nonce: nonce)
        let answer = try await signIn(token)
        #expect(answer.user?.authProvider == "apple")
        #expect(try await scene.world.use(answer.tokens) == answer.user)
    }

    @Test func `refuses what the provider refuses`() async throws {
        await #expect(throws: AuthError.identityTokenInvalid) { try await signIn(idToken(endingIn: 300)) }
        let token = idToken(endingIn: 300)
        scene.provider.accept(token, nonce: Secret("another nonce of any length"))
        await #expect(throws: AuthError.identityTokenInvalid) { try await signIn(token) }
        scene.provider.fail(IdentityProviderRefusal.notOffered)
        await #expect(throws: AuthError.notFound) { try await signIn(token) }
    }

    @Test(arguments: ["", "0123456789abcde"])
    func `refuses a nonce that can be guessed`(nonce: String) async throws {
        let token = idToken(endingIn: 300)
        scene.provider.accept(token, nonce: Secret(nonce))
        await #expect(throws: AuthError.invalid(.nonce, .malformed)) {
            try await signIn(token, nonce: Secret(nonce))
        }
    }

    @Test func `knows no provider of another name`() async throws {
        await #expect(throws: AuthError.notFound) { try await signIn(idToken(endingIn: 300), provider: "google") }
        let world = try World.viewvault()
        await #expect(throws: AuthError.notConfigured) {
            try await world.engine.perform(
                SignInWithIdentityToken(provider: "apple", identityToken: Secret("x"), nonce: nonce))
        }
    }

    @Test func `takes a token once, and leaves the session it opened alone`() async throws {
        let token = idToken(endingIn: 300)
        scene.provider.accept(token, nonce: nonce)
        let answer = try await signIn(token)
        await #expect(throws: AuthError.identityTokenInvalid) { try await signIn(token) }
        try await scene.world.use(answer.tokens)
    }

    @Test func `takes a token once however often at once`() async throws {
        let token = idToken(endingIn: 300)
        scene.provider.accept(token, nonce: nonce)
        let refusals = await inParallel(50) { _ in await refusal { try await signIn(token) } }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.allSatisfy { $0 == nil || $0 == .identityTokenInvalid })
    }

    @Test func `takes a token once, however its signature is written`() async throws {
        let (one, other) = (idToken(endingIn: 300), idToken(endingIn: 300, signature: "b3RoZXI"))
        for token in [one, other] { scene.provider.accept(token, nonce: nonce) }
        _ = try await signIn(one)
        await #expect(throws: AuthError.identityTokenInvalid) { try await signIn(other) }
    }

    @Test(arguments: [60.0, 3600, 86_400])
    func `remembers a token for longer than anybody takes it`(lifetime: Double) async throws {
        let token = idToken(endingIn: lifetime)
        scene.provider.accept(token, nonce: nonce)
        _ = try await signIn(token)
        scene.world.clock.advance(by: .seconds(lifetime + 300))
        await #expect(throws: AuthError.identityTokenInvalid) { try await signIn(token) }
    }

    @Test(arguments: ["1e308", "-1e308", "\"soon\"", "9223372036854775807", "null"])
    func `remembers a token whose end cannot be believed`(exp: String) async throws {
        let token = idToken(endingIn: 0, exp: exp)
        scene.provider.accept(token, nonce: nonce)
        _ = try await signIn(token)
        scene.world.clock.advance(by: .seconds(500))
        await #expect(throws: AuthError.identityTokenInvalid) { try await signIn(token) }
    }

    @Test func `forgets a token that is over`() async throws {
        let token = idToken(endingIn: 300)
        scene.provider.accept(token, nonce: nonce)
        _ = try await signIn(token)
        let kept = try #require(scene.world.store.singleUseRecords.last)
        #expect(kept.kind == .identityToken)
        #expect(kept.expiresAt < scene.world.clock.now.addingTimeInterval(901))
    }

    @Test func `believes the app about the name when the account is made, and never after`() async throws {
        let (first, second) = (idToken(endingIn: 300), idToken(endingIn: 301))
        let nameless = ProviderIdentity.ada { $0.fullName = nil }
        for token in [first, second] { scene.provider.accept(token, nonce: nonce, as: nameless) }
        #expect(try await signIn(first, fullName: "Ada").user?.fullName?.text == "Ada")
        #expect(try await signIn(second, fullName: "Mallory").user?.fullName?.text == "Ada")
    }

    @Test func `believes the provider before the app`() async throws {
        let token = idToken(endingIn: 300)
        scene.provider.accept(token, nonce: nonce)
        #expect(try await signIn(token, fullName: "Mallory").user?.fullName?.text == "Ada Lovelace")
    }

    @Test func `counts like a sign-in`() async throws {
        let scene = try BrowserWorld("viewvault", .viewvault, provider: .named("apple")) { $0.limits = RateLimits() }
        let caller = scene.world.engine.serving(Caller(network: "192.0.2.1"))
        let call = SignInWithIdentityToken(provider: "apple", identityToken: Secret("x"), nonce: nonce)
        for _ in 0..<10 {
            await #expect(throws: AuthError.identityTokenInvalid) { try await caller.perform(call) }
        }
        #expect(
            await refusal { try await caller.perform(call) }
                == .tooManyAttempts(retryAfterSeconds: 6))
    }

    @Test func `opens no session for a disabled account`() async throws {
        let (first, second) = (idToken(endingIn: 300), idToken(endingIn: 301))
        for token in [first, second] { scene.provider.accept(token, nonce: nonce) }
        let id = try #require(try await signIn(first).user?.id)
        _ = try await scene.world.administration.setActive(false, id.text)
        await #expect(throws: AuthError.accountDisabled) { try await signIn(second) }
    }
}
