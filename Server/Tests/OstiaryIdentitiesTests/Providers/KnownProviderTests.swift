import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

@testable import OstiaryIdentities

extension ProviderBench {
    /// Returns the refusal of an ID token that a device with the nonce `nonce-1` has from the peer.
    fileprivate func refusalOfDeviceToken(by provider: some IdentityProvider) async throws -> IdentityProviderRefusal? {
        let answer = try await transport.send(UpstreamRequest(.post, "\(peer.base)/token"))
        let token = try #require(try JSON.read(answer.body).text(at: "id_token"))
        do {
            _ = try await provider.identity(fromToken: Secret(token), nonce: Secret("nonce-1"))
            return nil
        } catch let refusal as IdentityProviderRefusal {
            return refusal
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct Auth0ProviderTests {
    private func provider(_ bench: ProviderBench, audience: String = "api") throws -> Auth0Provider {
        try Auth0Provider(
            Auth0Settings(
                baseURL: bench.peer.base, issuer: bench.peer.base, clientID: "client-1",
                clientSecret: Secret(ProviderBench.clientSecret), audience: audience),
            client: bench.client, system: bench.clock.engineSystem)
    }

    @Test func `a domain gives base and issuer as Auth0 has them`() {
        let host = Auth0Settings(domain: "tenant.auth0.com", clientID: "c", clientSecret: Secret("s"))
        #expect(host.baseURL == "https://tenant.auth0.com")
        #expect(host.issuer == "https://tenant.auth0.com/")
        for domain in ["http://127.0.0.1:9000", "http://127.0.0.1:9000/"] {
            let url = Auth0Settings(domain: domain, clientID: "c", clientSecret: Secret("s"))
            #expect(url.baseURL == "http://127.0.0.1:9000")
            #expect(url.issuer == "http://127.0.0.1:9000/")
        }
        #expect(host.connections == ["google": "google-oauth2", "github": "github"])
    }

    @Test func `OA-09 names the connection and the audience, and asks nobody where to go`() async throws {
        try await withProviderBench { bench in
            var request = ProviderBench.request
            request.connection = "google-oauth2"
            let url = try await provider(bench).authorizationURL(for: request)
            #expect(url.hasPrefix("\(bench.peer.base)/authorize?response_type=code&client_id=client-1&"))
            #expect(url.hasSuffix("&code_challenge_method=S256&audience=api&connection=google-oauth2"))
            request.connection = nil
            let plain = try await provider(bench, audience: "").authorizationURL(for: request)
            #expect(plain.hasSuffix("&code_challenge_method=S256"))
            #expect(try await bench.requests("/.well-known/openid-configuration").isEmpty)
        }
    }

    @Test(arguments: [("auth0|abc", "auth0|abc"), ("google-oauth2|7", "auth0|google-oauth2|7"), ("x", "auth0|x")])
    func `a subject begins with auth0 once`(theirs: String, ours: String) async throws {
        try await withProviderBench { bench in
            try await bench.behave([
                "now": .integer(bench.clock.seconds), "id_token": ["claims": ["sub": .string(theirs)]],
            ])
            let identity = try await provider(bench).identity(for: ProviderBench.grant)
            #expect(identity.subject == ours)
            #expect(identity.issuer == bench.peer.base)
            let form = try #require(try await bench.requests("/oauth/token").first)
            #expect(form.text(at: "form", "client_id") == "client-1")
            #expect(form.text(at: "form", "client_secret") == ProviderBench.clientSecret)
            #expect(form.text(at: "form", "code_verifier") == ProviderBench.grant.codeVerifier.reveal())
        }
    }

    @Test func `OA-26 refuses a subject that is too long with its prefix`() async throws {
        try await withProviderBench { bench in
            let subject = JSON.string(String(repeating: "s", count: 250))
            try await bench.behave(["now": .integer(bench.clock.seconds), "id_token": ["claims": ["sub": subject]]])
            let error = await problem { try await provider(bench).identity(for: ProviderBench.grant) }
            #expect(error as? IdentityProviderRefusal == .tokenInvalid)
        }
    }

    @Test func `refuses a base that is no URL`() async throws {
        try await withProviderBench { bench in
            #expect(throws: InvalidProviderSetting.self) {
                try Auth0Provider(
                    Auth0Settings(domain: "not a host", clientID: "c", clientSecret: Secret("s")), client: bench.client,
                    system: bench.clock.engineSystem)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct GoogleProviderTests {
    private static let origins = [
        "https://accounts.google.com", "https://oauth2.googleapis.com", "https://www.googleapis.com",
    ]
    private static let discovery: JSON = [
        "authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth",
        "token_endpoint": "https://oauth2.googleapis.com/token", "jwks_uri": "https://www.googleapis.com/jwks",
        "userinfo_endpoint": "https://openidconnect.googleapis.com/v1/userinfo",
    ]

    private func behave(_ bench: ProviderBench, _ token: JSON = [:]) async throws -> GoogleProvider {
        try await bench.behave([
            "now": .integer(bench.clock.seconds), "issuer": "https://accounts.google.com",
            "discovery": Self.discovery, "id_token": token,
        ])
        return GoogleProvider(
            GoogleSettings(clientID: "client-1", clientSecret: Secret("s"), nativeClientIDs: ["ios-1"]),
            client: bench.client, system: bench.clock.engineSystem)
    }

    @Test(arguments: ["https://accounts.google.com", "accounts.google.com"])
    func `Google's two spellings of its issuer are one`(issuer: String) async throws {
        try await withProviderBench(origins: Self.origins) { bench in
            let google = try await behave(bench, ["claims": ["iss": .string(issuer)]])
            #expect(try await google.identity(for: ProviderBench.grant).issuer == "https://accounts.google.com")
        }
    }

    @Test func `OA-22 a third spelling is another issuer`() async throws {
        try await withProviderBench(origins: Self.origins) { bench in
            for issuer in ["http://accounts.google.com", "https://accounts.google.com/", "Accounts.google.com"] {
                let google = try await behave(bench, ["claims": ["iss": .string(issuer)]])
                let error = await problem { try await google.identity(for: ProviderBench.grant) }
                #expect(error as? IdentityProviderRefusal == .tokenInvalid)
            }
        }
    }

    private static let hashOfNonce = SHA256.hash(data: Data("nonce-1".utf8)).map { String(format: "%02x", $0) }.joined()

    static let native: [(claims: JSON, isTaken: Bool)] = [
        (["aud": "ios-1"], true), (["aud": "client-1", "azp": "ios-1"], true), (["aud": "client-1"], true),
        (["nonce": .string(hashOfNonce)], true), (["nonce": .string(hashOfNonce.uppercased())], false),
        (["nonce": "nonce-2"], false), (["aud": "ios-2"], false), (["aud": "ios-1", "azp": "ios-2"], false),
        (["iss": "https://appleid.apple.com"], false), (["exp": 1], false),
    ]

    @Test func `takes the ID token that a device got for one of our apps, with the nonce or its hash`() async throws {
        try await withProviderBench(origins: Self.origins) { bench in
            for (claims, isTaken) in Self.native {
                let google = try await behave(bench, ["claims": claims])
                let refusal = try await bench.refusalOfDeviceToken(by: google)
                #expect(refusal == (isTaken ? nil : .tokenInvalid), "\(claims)")
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct AppleProviderTests {
    private static let key = P256.Signing.PrivateKey()

    private func settings(_ bench: ProviderBench) -> AppleSettings {
        AppleSettings(
            clientID: "client-1", teamID: "TEAM", keyID: "KEY", privateKey: Secret(Self.key.pemRepresentation),
            nativeClientIDs: ["com.example.app"], issuer: bench.peer.base)
    }

    @Test func `OA-09 asks for a form to come back by, for name and email alone`() async throws {
        try await withProviderBench { bench in
            let apple = try AppleProvider(
                settings(bench), client: bench.client, system: bench.clock.engineSystem)
            let url = try await apple.authorizationURL(for: ProviderBench.request)
            #expect(url.contains("&scope=name%20email&"))
            #expect(url.contains("&code_challenge_method=S256"))
            #expect(url.hasSuffix("&response_mode=form_post"))
        }
    }

    @Test func `takes the ID token of a device with the hash of the nonce alone`() async throws {
        try await withProviderBench { bench in
            let apple = try AppleProvider(
                settings(bench), client: bench.client, system: bench.clock.engineSystem)
            let hash = SHA256.hash(data: Data("nonce-1".utf8)).map { String(format: "%02x", $0) }.joined()
            for (claim, isTaken) in [(hash, true), ("nonce-1", false)] {
                try await bench.behave([
                    "now": .integer(bench.clock.seconds),
                    "id_token": ["claims": ["aud": "com.example.app", "nonce": .string(claim)]],
                ])
                let refusal = try await bench.refusalOfDeviceToken(by: apple)
                #expect(refusal == (isTaken ? nil : .tokenInvalid), "\(claim)")
            }
        }
    }

    @Test func `shows a signed token instead of a secret, a new one when the old is over`() async throws {
        try await withProviderBench { bench in
            let apple = try AppleProvider(
                settings(bench), client: bench.client, system: bench.clock.engineSystem)
            for attempt in 0..<2 {
                try await bench.behave(["now": .integer(bench.clock.seconds)])
                _ = try await apple.identity(for: ProviderBench.grant)
                let request = try await bench.requests("/token")[attempt]
                let secret = try #require(request.text(at: "form", "client_secret"))
                let token = try #require(UnverifiedToken(secret))
                let signature = try P256.Signing.ECDSASignature(rawRepresentation: token.signature)
                #expect(Self.key.publicKey.isValidSignature(signature, for: token.signingInput))
                #expect(token.kid == "KEY")
                #expect(
                    token.claims == [
                        "iss": "TEAM", "iat": .integer(bench.clock.seconds), "exp": .integer(bench.clock.seconds + 600),
                        "aud": .string(bench.peer.base), "sub": "client-1",
                    ])
                #expect(request.text(at: "form", "client_id") == "client-1")
                bench.clock.advance(by: .seconds(700))
            }
        }
    }

    @Test func `OA-25 an address that Apple calls verified by a text is not verified here`() async throws {
        try await withProviderBench { bench in
            let apple = try AppleProvider(
                settings(bench), client: bench.client, system: bench.clock.engineSystem)
            for (claim, isVerified) in [("true", false), (true, true)] as [(JSON, Bool)] {
                try await bench.behave([
                    "now": .integer(bench.clock.seconds), "id_token": ["claims": ["email_verified": claim]],
                ])
                #expect(try await apple.identity(for: ProviderBench.grant).isEmailVerified == isVerified)
            }
        }
    }

    @Test func `refuses a private key that cannot be read, and does not repeat it`() async throws {
        try await withProviderBench { bench in
            var settings = settings(bench)
            settings.privateKey = Secret("private-key-in-the-wrong-form")
            do {
                _ = try AppleProvider(settings, client: bench.client, system: bench.clock.engineSystem)
                Issue.record("taken")
            } catch {
                #expect("\(error)" == "needs the text of the .p8 file from Apple")
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct GitHubProviderTests {
    private func provider(_ bench: ProviderBench) throws -> GitHubProvider {
        try GitHubProvider(
            GitHubSettings(
                clientID: "client-1", clientSecret: Secret(ProviderBench.clientSecret), baseURL: bench.peer.base,
                apiURL: bench.peer.base), client: bench.client, system: bench.clock.engineSystem)
    }

    @Test func `OA-09 asks for the addresses alone, with an S256 challenge`() async throws {
        try await withProviderBench { bench in
            let url = try await provider(bench).authorizationURL(for: ProviderBench.request)
            #expect(
                url == "\(bench.peer.base)/login/oauth/authorize?response_type=code&client_id=client-1"
                    + "&redirect_uri=https%3A%2F%2Fapp.example.com%2Fauth%2Fcallback%3Fx%3D1&scope=user%3Aemail"
                    + "&state=state%20%26%20more&code_challenge=challenge-1&code_challenge_method=S256")
        }
    }

    @Test func `a person is the number, with the primary verified address`() async throws {
        try await withProviderBench { bench in
            let identity = try await provider(bench).identity(for: ProviderBench.grant)
            #expect(
                identity
                    == ProviderIdentity(
                        issuer: "https://github.com", subject: "583231", email: try EmailAddress("octo@example.com"),
                        isEmailVerified: true, preferredUsername: "octocat", fullName: try PersonName("Octo Cat")))
            let token = try #require(try await bench.requests("/login/oauth/access_token").first)
            #expect(token.text(at: "headers", "accept") == "application/json")
            #expect(token.text(at: "form", "client_secret") == ProviderBench.clientSecret)
            #expect(token.text(at: "form", "code_verifier") == ProviderBench.grant.codeVerifier.reveal())
            let user = try #require(try await bench.requests("/user").first)
            #expect(user.text(at: "headers", "authorization") == "Bearer gho_1")
            #expect(user.text(at: "headers", "user-agent") == "Ostiary")
        }
    }

    @Test(
        arguments: [
            ["body": "[]"], ["status": 404, "body": "{}"], ["status": 403, "body": "{}"], ["how": "reset"],
            ["body": "x"],
            ["body": #"[{"email":"a@b.example","primary":true,"verified":false}]"#],
            ["body": #"[{"email":"a@b.example","primary":false,"verified":true}]"#],
            ["body": #"[{"email":"a@b.example","primary":"true","verified":"true"}]"#],
            ["body": #"[{"email":"nonsense","primary":true,"verified":true}]"#],
        ] as [JSON])
    func `OA-26 a person whose address is private has none, whatever the profile says`(answer: JSON) async throws {
        try await withProviderBench { bench in
            try await bench.behave([
                "answers": [
                    "/user/emails": answer, "/user": ["body": #"{"id":1,"login":"o","email":"public@b.example"}"#],
                ]
            ])
            let identity = try await provider(bench).identity(for: ProviderBench.grant)
            #expect(identity.subject == "1")
            #expect(identity.email == nil)
            #expect(!identity.isEmailVerified)
        }
    }

    static let answers: [(path: String, answer: JSON, refusal: IdentityProviderRefusal?)] = [
        ("/login/oauth/access_token", ["body": #"{"error":"bad_verification_code"}"#], .codeRefused),
        ("/login/oauth/access_token", ["body": #"{"access_token":""}"#], .codeRefused),
        ("/login/oauth/access_token", ["body": #"{"access_token":"a\r\nX: y"}"#], .codeRefused),
        ("/login/oauth/access_token", ["body": #"{"error":"incorrect_client_credentials"}"#], nil),
        ("/login/oauth/access_token", ["body": "access_token=gho_1"], nil),
        ("/user", ["body": #"{"id":"583231"}"#], .codeRefused), ("/user", ["body": #"{"id":0}"#], .codeRefused),
        ("/user", ["body": #"{"id":1.5}"#], .codeRefused), ("/user", ["body": #"{"id":1e308}"#], .codeRefused),
        ("/user", ["body": "{}"], .codeRefused), ("/user", ["body": "[]"], nil), ("/user", ["status": 401], nil),
        ("/user", ["status": 429, "headers": ["Retry-After": "5"]], .throttled(retryAfterSeconds: 5)),
    ]

    @Test func `OA-26 UP-03 an answer without a token or a number is no person`() async throws {
        try await withProviderBench { bench in
            for (path, answer, refusal) in Self.answers {
                try await bench.behave(["answers": .object([.init(path, answer)])])
                let error = await problem { try await provider(bench).identity(for: ProviderBench.grant) }
                #expect(error as? IdentityProviderRefusal == refusal, "\(answer)")
                #expect((error is UpstreamProblem) == (refusal == nil), "\(answer)")
            }
        }
    }
}
