import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryStore
import OstiaryTesting
import OstiaryTokens

@testable import OstiaryProvider

/// The provider on a database in memory, with a clock that a test advances.
struct World {
    static let issuer = "https://auth.example.com/idp"
    static let verifier = "a-verifier-of-forty-three-characters-or-more"
    static let challenge = CodeChallenge.s256(of: Secret(verifier))
    static let secret = "s3cret of the house/with+signs%and:colons"

    let clock = TestClock(now: TestClock.start.addingTimeInterval(0.25))
    let notificationSealer = SilentNotificationSealer()
    let store: SQLiteStore
    let provider: OpenIDProvider
    let caller = Caller(address: "192.0.2.7", network: "192.0.2.7")

    init(
        _ change: (inout ProviderSettings) -> Void = { _ in }, adjusting adjust: (inout AppSettings) -> Void = { _ in }
    ) async throws {
        let clock = clock
        let system = clock.engineSystem
        store = try SQLiteStore(inMemoryWith: system)
        var settings = ProviderSettings(issuer: Self.issuer, clients: Self.clients)
        change(&settings)
        _ = try await store.add(Self.rsaKey.value, retiringOthersAt: clock.now, onlyIf: .isFirst)
        var app = try ProviderDirectory.appSettings()
        adjust(&app)
        provider = ProviderDirectory.provider(
            settings, app: app,
            ports: Ports(
                store: store, inMemoryRateLimiter: InMemoryRateLimiter(), notificationSealer: notificationSealer,
                passwords: PlainHasher(),
                accessTokens: NoTokens(), refreshTokens: NoTokens(), keys: Self.keys, system: system,
                report: { "incident: \($0)" }),
            accessTokenKeys: try await SigningKeys(
                app: app.name, store: store, keyRing: Self.keys,
                accessTokenSeconds: ProviderDirectory.browserSessionSeconds, at: clock.now),
            idTokenKeys: try ProviderDirectory.idTokenKeys(store: store, keyRing: Self.keys))
    }

    /// Confidential first-party clients, and a public third-party client.
    static let clients = [
        ProviderClient(
            id: "house", name: "House", secret: Secret(secret),
            redirectURIs: RedirectURIs(["https://house.example.com/callback", "https://house.example.com/cb?a=1"]),
            postLogoutRedirectURIs: RedirectURIs(["https://house.example.com/bye"]), isFirstParty: true),
        ProviderClient(
            id: "neighbour", name: "Neighbour", secret: Secret("another secret"),
            redirectURIs: RedirectURIs(["https://neighbour.example.com/callback"]), isFirstParty: true),
        ProviderClient(
            id: "stranger", name: "Stranger", redirectURIs: RedirectURIs(["stranger://callback"])),
    ]

    static let keys = KeyRing(master: SymmetricKey(data: Data(repeating: 7, count: 32)))

    /// Generated once for all tests: an RSA key takes long to generate.
    private static let rsaKey = Task {
        let now = Date(timeIntervalSince1970: 1_700_000_000)
        let system = SystemDependencies(now: { now }, randomBytes: SystemDependencies.system.randomBytes)
        let store = try SQLiteStore(inMemoryWith: system)
        let made = try await ProviderDirectory.idTokenKeys(store: store, keyRing: keys).list(at: now)
        guard let key = made.first else { throw Missing() }
        return key
    }

    struct Missing: Error {}

    // MARK: Common steps

    /// Registers a person; returns the value of the session's cookie.
    func person(_ email: String = "ada@example.com", name: String? = "Ada") async throws -> Secret<String> {
        try await provider.register(
            Register(
                email: EmailAddress(email), password: Secret(Self.password), fullName: name.map { try PersonName($0) }),
            from: caller
        ).tokens.accessToken
    }

    static let password = "correct horse battery"

    /// Signs a registered person in, in another browser; returns the value of the session's cookie.
    func signIn(_ email: String = "ada@example.com") async throws -> Secret<String> {
        try await provider.engine.serving(caller).perform(
            SignIn(identifier: .email(EmailAddress(email)), password: Secret(Self.password))
        ).tokens.accessToken
    }

    func account(_ cookie: Secret<String>) async throws -> Account {
        guard let bearer = try await provider.bearer(ofSession: cookie, from: caller) else { throw Missing() }
        return bearer.account
    }

    static let request = [
        "client_id": "house", "redirect_uri": "https://house.example.com/callback", "response_type": "code",
        "scope": "openid profile email", "state": "a state", "nonce": "a nonce", "code_challenge": challenge,
        "code_challenge_method": "S256",
    ]

    static let strangersRequest = request.merging([
        "client_id": "stranger", "redirect_uri": "stranger://callback",
    ]) { $1 }

    /// Returns the step that follows the usual request with changes; an empty value removes a parameter.
    func step(
        _ changes: [String: String] = [:], of request: [String: String] = request, session: Secret<String>? = nil
    ) async throws -> AuthorizationStep {
        try await provider.authorize(request.merging(changes) { $1 }, session: session, from: caller)
    }

    /// Returns an authorization code for a person who is signed in.
    func code(_ changes: [String: String] = [:], session: Secret<String>) async throws -> String {
        guard case .redirect(let url) = try await step(changes, session: session),
            let code = parameters(url)["code"]
        else { throw Missing() }
        return code
    }

    func redeem(
        _ code: String, _ changes: [String: String] = [:], client: String = "house", secret: String? = secret
    ) async throws -> TokenAnswer {
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": "https://house.example.com/callback",
            "code_verifier": Self.verifier, "client_id": client,
        ]
        form["client_secret"] = secret
        return try await provider.token(form.merging(changes) { $1 }, authorization: nil, from: caller)
    }

    func refresh(
        _ token: Secret<String>?, _ changes: [String: String] = [:], client: String = "house",
        secret: String? = secret
    ) async throws -> TokenAnswer {
        var form = [
            "grant_type": "refresh_token", "refresh_token": token?.reveal() ?? "", "client_id": client,
        ]
        form["client_secret"] = secret
        return try await provider.token(form.merging(changes) { $1 }, authorization: nil, from: caller)
    }

    /// Returns tokens of a first-party client for a new person.
    func tokens(scope: String = "openid profile email offline_access", email: String = "ada@example.com") async throws
        -> TokenAnswer
    {
        try await redeem(try await code(["scope": scope], session: try await person(email)))
    }
}
