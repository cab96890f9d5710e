import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// A sign-in where an external credential provider verifies the passwords.
@Suite(.timeLimit(.minutes(1))) struct DelegatedSignInTests {
    private let credentialProvider = ScriptedCredentialProvider()
    private let world: World
    init() throws { world = try .delegating(to: credentialProvider) }

    @Test func `signs in whom the credential provider lets in, and hashes nothing`() async throws {
        let answer = try await world.signIn()
        #expect(answer.user?.authProvider == "cognito")
        #expect(answer.user?.email?.text == ada)
        #expect(try await world.use(answer.tokens) == answer.user)
        #expect(world.hasher.checks == 0)
        #expect(world.hasher.hashes == 0)
        #expect(try await world.signIn().user?.id == answer.user?.id)
    }

    @Test func `asks the credential provider for people as they typed their names`() async throws {
        _ = await refusal { try await world.signIn("Ada@Example.com") }
        #expect(credentialProvider.signIns == ["Ada@Example.com"])
    }

    @Test func `remembers how long the session was asked for`() async throws {
        let long = try await world.session(of: world.signIn(rememberMe: true).tokens)
        let short = try await world.session(of: world.signIn().tokens)
        #expect(long?.idleSeconds == 2_592_000)
        #expect(short?.idleSeconds == 86_400)
    }

    @Test func `refuses alike whom the credential provider refuses and whom it does not know`() async throws {
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn(password: otherPassword) }
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn("stranger@example.com") }
    }

    @Test func `refuses a disabled account like a wrong password`() async throws {
        let id = try #require(try await world.signIn().user?.id)
        _ = try await world.administration.setActive(false, id.text)
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn() }
    }

    @Test(arguments: [
        (CredentialProviderRefusal.passwordUnacceptable, AuthError.invalid(.newPassword, .malformed)),
        (.throttled(retryAfterSeconds: 4), .tooManyAttempts(retryAfterSeconds: 4)),
    ])
    func `hands on what the credential provider says`(refused: CredentialProviderRefusal, expected: AuthError)
        async throws
    {
        credentialProvider.fail(refused)
        #expect(await refusal { try await world.signIn() } == expected)
    }

    @Test func `does not fall back on local passwords while the credential provider is away`() async throws {
        var record = AccountRecord()
        record.email = "local@example.com"
        record.passwordHash = "current:\(goodPassword)"
        _ = try await world.administration.create(record, password: nil)
        credentialProvider.fail(ScriptedCredentialProvider.Away())
        #expect(
            await refusal { try await world.signIn("local@example.com") } == .unavailable(incident: "incident-1"))
        #expect(world.hasher.checks == 0)
        credentialProvider.fail(nil)
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn("local@example.com") }
    }

    @Test(arguments: [(0, true), (73, true), (1_024, true), (1_025, false)])
    func `asks about every password but one past all measure`(length: Int, isAsked: Bool) async throws {
        let password = String(repeating: "a", count: length)
        credentialProvider.set(password)
        #expect(await refusal { try await world.signIn(password: password) } == (isAsked ? nil : .wrongCredentials))
        #expect(credentialProvider.signIns.count == (isAsked ? 1 : 0))
    }

    @Test func `keeps the credential provider's session sealed`() async throws {
        let session = try #require(try await world.session(of: world.signIn().tokens))
        let kept = try #require(try await world.store.attachment(of: session.id, in: session.app))
        #expect(!String(decoding: kept.bytes, as: UTF8.self).contains("theirs"))
        #expect(kept.bytes.count > 28)
    }

    @Test func `keeps no passwords of its own`() async throws {
        let (engine, tokens, secret) = (world.engine, try await world.signIn().tokens, Secret(goodPassword))
        await #expect(throws: AuthError.notConfigured) { try await world.registered("new@example.com") }
        await #expect(throws: AuthError.notConfigured) {
            try await engine.perform(ConfirmRegistration(token: Secret("x"), password: secret))
        }
        await #expect(throws: AuthError.notConfigured) {
            try await engine.perform(
                ChangePassword(accessToken: tokens.accessToken, currentPassword: secret, newPassword: secret))
        }
        await #expect(throws: AuthError.notConfigured) {
            try await engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
        }
        await #expect(throws: AuthError.notConfigured) {
            try await engine.perform(ResetPassword(proof: .token(Secret("x")), password: secret))
        }
        _ = try await engine.perform(DeleteAccount(accessToken: tokens.accessToken))
        await #expect(throws: AuthError.invalidAccessToken) { try await world.use(tokens) }
    }

    @Test func `counts like any sign-in, and forgives on success`() async throws {
        let caller = world.engine.serving(Caller(network: "192.0.2.1"))
        func call(_ password: String) throws -> SignIn {
            SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(password))
        }
        for _ in 0..<5 { _ = await refusal { try await caller.perform(call("wrong")) } }
        #expect(
            await refusal { try await caller.perform(call(goodPassword)) } == .tooManyAttempts(retryAfterSeconds: 1))
        #expect(credentialProvider.signIns.count == 5)
    }

    @Test(arguments: [("google", true), ("cognito", false)])
    func `gives an imported account only to the one who vouches for its kind`(other: String, isClaimed: Bool)
        async throws
    {
        credentialProvider.set(goodPassword)
        let provider = ScriptedProvider(ProviderDescription(name: "other", kind: other, title: "x"))
        let world = try World(
            "clarity", .clarity,
            identities: IdentitySources(providers: [provider], credentialProvider: credentialProvider))
        let imported = try await world.store.add(
            NewAccount(
                app: world.engine.app.name, idKind: AppRules.clarity.accountIDs, provider: "cognito",
                providerSubject: "sub of \(ada)", createdAt: world.clock.now), spending: nil)
        #expect((try await world.signIn().user?.id == imported.id) == isClaimed)
    }

    // MARK: Sign-out

    @Test func `tells the credential provider of a sign-out`() async throws {
        let tokens = try await world.signIn().tokens
        _ = try await world.engine.perform(SignOut(refreshToken: tokens.refreshToken))
        #expect(await credentialProvider.ended.first { _ in true } == Array("theirs-1".utf8))
    }

    @Test func `does not let the credential provider hold up a sign-out`() async throws {
        let tokens = try await world.signIn().tokens
        world.store.fail("attachment")
        _ = try await world.engine.perform(SignOut(refreshToken: tokens.refreshToken))
        #expect(try await world.session(of: tokens)?.revocation?.reason == .signOut)
    }

    // MARK: Password migration

    @Test func `keeps the hash of an accepted password where that is wanted`() async throws {
        let credentialProvider = ScriptedCredentialProvider(migratesPasswords: true)
        let world = try World.delegating(to: credentialProvider)
        _ = try await world.signIn()
        #expect(try await world.account()?.passwordHash == "current:\(goodPassword)")
        let later = try World("clarity", .clarity, seed: 2, sharing: world)
        #expect(try await later.signIn().user?.authProvider == "cognito")
    }

    @Test func `lets an email sign in here only if it is what the person signed in with there`() async throws {
        let credentialProvider = ScriptedCredentialProvider(migratesPasswords: true)
        let world = try World.delegating(to: credentialProvider)
        credentialProvider.set(goodPassword, for: "Alias@example.com")
        credentialProvider.say(email: "somebody@example.com")
        let id = try #require(try await world.signIn("Alias@example.com").user?.id)
        let kept = try await world.store.account(id, in: world.engine.app.name)
        #expect(kept?.passwordHash == "current:\(goodPassword)")
        let somebody = Identifier.email(try EmailAddress("somebody@example.com"))
        #expect(try await world.store.account(identifiedBy: somebody, in: world.engine.app.name) == nil)
        credentialProvider.say(email: "ALIAS@example.com")
        _ = try await world.signIn("Alias@example.com")
        let alias = Identifier.email(try EmailAddress("alias@example.com"))
        #expect(try await world.store.account(identifiedBy: alias, in: world.engine.app.name)?.id == id)
    }

    @Test func `keeps no hash of a refused password`() async throws {
        let credentialProvider = ScriptedCredentialProvider(migratesPasswords: true)
        let world = try World.delegating(to: credentialProvider)
        _ = try await world.signIn()
        _ = await refusal { try await world.signIn(password: otherPassword) }
        #expect(try await world.account()?.passwordHash == "current:\(goodPassword)")
        #expect(world.hasher.hashes == 1)
    }

    @Test func `signs in although the password cannot be hashed now`() async throws {
        let credentialProvider = ScriptedCredentialProvider(migratesPasswords: true)
        let world = try World.delegating(to: credentialProvider)
        world.hasher.whileHashing { throw AuthError.busy(retryAfterSeconds: 1) }
        let answer = try await world.signIn()
        #expect(
            try await world.store.account(try #require(answer.user?.id), in: world.engine.app.name)?.passwordHash == nil
        )
    }

    @Test(arguments: [String(repeating: "a", count: 73), "with\0nul"])
    func `brings no password here that could not be checked here`(password: String) async throws {
        let credentialProvider = ScriptedCredentialProvider(migratesPasswords: true)
        let world = try World.delegating(to: credentialProvider)
        credentialProvider.set(password)
        _ = try await world.signIn(password: password)
        #expect(world.hasher.hashes == 0)
    }
}
