import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// Challenges and ID tokens of providers that a test plays.
struct TestServerIdentityTests {
    private static let nonce = "0123456789abcdef0123"

    private func clarity(challenging challenge: TestChallenge) throws -> (TestServer, RemoteAuth) {
        let server = try TestServer(.clarity)
        try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
        server.challenge("jo@example.com", with: challenge)
        return (server, try server.remote())
    }

    private func challenge(_ remote: RemoteAuth) async throws -> Challenge {
        let call = SignIn(
            identifier: .email(try EmailAddress("jo@example.com")), password: Secret("correct horse 7 battery"))
        do {
            _ = try await remote.perform(call)
        } catch .challengeRequired(let challenge) {
            return challenge
        }
        throw NotChallenged()
    }

    private struct NotChallenged: Error {}

    @Test func `asks for a new password, and takes it`() async throws {
        let (_, remote) = try clarity(challenging: .newPassword)
        let challenge = try await challenge(remote)
        #expect(challenge.name == "NEW_PASSWORD_REQUIRED")
        let answer = AnswerChallenge(challengeToken: challenge.token, answers: ["NEW_PASSWORD": Secret("a new one 9")])
        #expect(try await remote.perform(answer).user?.email?.text == "jo@example.com")
        await #expect(throws: AuthError.authorizationRefused) { try await remote.perform(answer) }
        let call = SignIn(identifier: .email(try EmailAddress("jo@example.com")), password: Secret("a new one 9"))
        _ = try await remote.perform(call)
    }

    @Test func `refuses a wrong answer, and takes the right one afterwards`() async throws {
        let (_, remote) = try clarity(challenging: .smsCode("654321"))
        let token = try await challenge(remote).token
        for answers in [["SMS_MFA_CODE": Secret("123456")], ["NEW_PASSWORD": Secret("x")], [:]] {
            await #expect(throws: AuthError.wrongCredentials) {
                try await remote.perform(AnswerChallenge(challengeToken: token, answers: answers))
            }
        }
        _ = try await remote.perform(
            AnswerChallenge(challengeToken: token, answers: ["SMS_MFA_CODE": Secret("654321")]))
    }

    @Test func `waits three minutes for an answer`() async throws {
        let (server, remote) = try clarity(challenging: .newPassword)
        let token = try await challenge(remote).token
        server.clock.advance(by: .seconds(180))
        await #expect(throws: AuthError.challengeRefused) {
            try await remote.perform(
                AnswerChallenge(challengeToken: token, answers: ["NEW_PASSWORD": Secret("a new one 9")]))
        }
    }

    @Test func `challenges an account of a provider and leaves it its identity and its tokens`() async throws {
        let server = try TestServer(.viewvault)
        let remote = try server.remote()
        try server.addAccount(email: "jo@example.com", username: "jo", password: "correct horse 7 battery")
        let jo = try await remote.perform(
            SignIn(identifier: .username(Username("jo")), password: Secret("correct horse 7 battery")))
        server.challenge("jo", with: .newPassword)
        #expect(try await remote.perform(CurrentUser(accessToken: jo.tokens.accessToken)).username?.text == "jo")
    }

    // MARK: Browsers

    @Test func `brings a person back by way of the server where a browser's contract asks for it`() async throws {
        var rules = TestServerRules()
        rules.providers = [TestProvider(name: "auth0", returnsToApp: true)]
        let server = try TestServer(.timetracker, rules: rules)
        let client = try server.client()
        try await client.signInWithBrowser(using: ScriptedBrowser(server))
        #expect(client.isAuthenticated)
    }

    @Test func `brings a person back from one of several providers`() async throws {
        var rules = TestServerRules()
        rules.providers = [TestProvider(name: "oidc"), TestProvider(name: "google")]
        var renamed = Contract.timetracker
        renamed.names.merge([.redirectUri: "return_to", .appChallenge: "code_challenge", .provider: "idp"]) { $1 }
        for contract in [Contract.timetracker, renamed] {
            let server = try TestServer(contract, rules: rules)
            let client = try server.client()
            try await client.signInWithBrowser(using: ScriptedBrowser(server))
            #expect(client.isAuthenticated)
        }
    }

    @Test(arguments: [true, false])
    func `OA-15: refuses the code of a social sign-in to another app that received it`(
        returnsToApp: Bool
    ) async throws {
        var contract = Contract.vici
        contract.redirectURIs = ["vici://oauth/callback"]
        var rules = TestServerRules()
        rules.providers = [TestProvider(name: "google", returnsToApp: returnsToApp)]
        let server = try TestServer(contract, rules: rules)
        let (client, other) = (try server.client(), try server.remote())
        let browser = ScriptedBrowser()
        let signedIn = Task { try await client.signInWithBrowser(provider: "google", using: browser) }
        let page = try await browser.page()
        guard case .app(let address) = await server.browse(page.url.absoluteString) else {
            signedIn.cancel()
            Issue.record("the browser did not return to the app")
            return
        }
        let stolen = try BrowserCallback(address, for: page.redirectURI)
        for verifier in [nil, CodeVerifier().text] {
            await #expect(throws: AuthError.authorizationRefused) {
                try await other.perform(
                    CompleteSocialSignIn(
                        authorizationCode: stolen.code, state: stolen.state, appVerifier: verifier))
            }
        }
        // The first attempt has redeemed the record.
        browser.end(at: address)
        await #expect(throws: ClientError.refused(.authorizationRefused)) { try await signedIn.value }
        try await client.signInWithBrowser(provider: "google", using: ScriptedBrowser(server))
        #expect(client.isAuthenticated)
    }

    // MARK: ID tokens

    private func apple() throws -> (TestServer, RemoteAuth) {
        var rules = TestServerRules()
        rules.providers = [TestProvider(name: "apple"), TestProvider(name: "google")]
        let server = try TestServer(.vici, rules: rules)
        return (server, try server.remote())
    }

    @Test func `takes an ID token once, with the nonce it was asked for`() async throws {
        let (server, remote) = try apple()
        let token = try #require(server.identityToken(nonce: Self.nonce, from: "apple"))
        let call = SignInWithIdentityToken(
            provider: "apple", identityToken: token, nonce: Secret(Self.nonce), fullName: try PersonName("Jo"))
        let jo = try await remote.perform(call)
        #expect(jo.user?.fullName?.text == "Jo")
        await #expect(throws: AuthError.identityTokenInvalid) { try await remote.perform(call) }
    }

    @Test func `takes an ID token that carries the digest of the nonce`() async throws {
        let (server, remote) = try apple()
        // Source: FIPS 180-4, the SHA-256 of "0123456789abcdef".
        let digest = "9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f"
        let token = try #require(server.identityToken(nonce: digest))
        _ = try await remote.perform(
            SignInWithIdentityToken(provider: "apple", identityToken: token, nonce: Secret("0123456789abcdef")))
    }

    @Test func `refuses an ID token of another provider, one that is over, and a nonce that can be guessed`()
        async throws
    {
        let (server, remote) = try apple()
        let token = try #require(server.identityToken(nonce: Self.nonce, from: "apple"))
        func call(_ provider: String, _ nonce: String) -> SignInWithIdentityToken {
            SignInWithIdentityToken(provider: provider, identityToken: token, nonce: Secret(nonce))
        }
        await #expect(throws: AuthError.identityTokenInvalid) {
            try await remote.perform(call("google", Self.nonce))
        }
        await #expect(throws: AuthError.identityTokenInvalid) {
            try await remote.perform(call("apple", Self.nonce.uppercased()))
        }
        await #expect(throws: AuthError.notFound) { try await remote.perform(call("x", Self.nonce)) }
        await #expect(throws: AuthError.invalid(.nonce, .malformed)) {
            try await remote.perform(call("apple", "short"))
        }
        server.clock.advance(by: .seconds(600))
        await #expect(throws: AuthError.identityTokenInvalid) {
            try await remote.perform(call("apple", Self.nonce))
        }
        #expect(server.identityToken(nonce: Self.nonce, from: "nobody") == nil)
    }

    @Test func `makes one account of one person at a provider, and another at another`() async throws {
        let (server, remote) = try apple()
        var accounts: Set<AccountID> = []
        for provider in ["apple", "apple", "google"] {
            let token = try #require(server.identityToken(nonce: Self.nonce, from: provider))
            let jo = try await remote.perform(
                SignInWithIdentityToken(provider: provider, identityToken: token, nonce: Secret(Self.nonce)))
            accounts.insert(try #require(jo.user?.id))
        }
        #expect(accounts.count == 2)
        #expect(server.users.count == 2)
    }
}
