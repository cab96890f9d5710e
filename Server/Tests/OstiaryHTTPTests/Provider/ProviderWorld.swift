import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryProvider
import OstiaryStore
import OstiaryTesting
import OstiaryTokens

@testable import OstiaryHTTP

/// The built-in provider behind its HTTP endpoints, with a database in memory.
struct ProviderWorld {
    static let issuer = "https://auth.example.com/idp"
    static let verifier = "a-verifier-of-forty-three-characters-or-more"
    static let secret = "the secret of the house"

    let clock = TestClock()
    let notificationSealer: RecordingNotificationSealer
    let store: SQLiteStore
    let server: ProviderServer

    /// The relying party of the provider's passkeys.
    static let passkeys = PasskeySettings(
        relyingPartyID: "example.com", relyingPartyName: "Nordwind", origins: ["https://auth.example.com"])

    init(
        isSecure: Bool = true, origin: String? = "https://auth.example.com",
        _ change: (inout ProviderSettings) -> Void = { _ in },
        adjusting adjust: (inout AppSettings) -> Void = { _ in }
    ) async throws {
        let system = clock.engineSystem
        store = try SQLiteStore(inMemoryWith: system)
        notificationSealer = RecordingNotificationSealer(system: system)
        var settings = ProviderSettings(issuer: Self.issuer, clients: Self.clients)
        change(&settings)
        _ = try await store.add(Self.rsaKey.value, retiringOthersAt: clock.now, onlyIf: .isFirst)
        var app = try ProviderDirectory.appSettings()
        app.passkeys = Self.passkeys
        adjust(&app)
        let keys = try await SigningKeys(
            app: app.name, store: store, keyRing: Self.keys,
            accessTokenSeconds: ProviderDirectory.browserSessionSeconds, at: clock.now)
        let provider = ProviderDirectory.provider(
            settings, app: app,
            ports: Ports(
                store: RecordingStore(base: store, notificationSealer: notificationSealer),
                inMemoryRateLimiter: InMemoryRateLimiter(), notificationSealer: notificationSealer,
                passwords: PlainHasher(),
                accessTokens: JWTAccessTokens(
                    issuer: "replaced", audience: "replaced", keys: keys, randomBytes: system.randomBytes),
                refreshTokens: OpaqueRefreshTokens(app: app.name, keyRing: Self.keys), keys: Self.keys,
                system: system, report: { "incident: \($0)" }),
            accessTokenKeys: keys,
            idTokenKeys: try ProviderDirectory.idTokenKeys(store: store, keyRing: Self.keys))
        server = ProviderServer(
            provider: provider,
            frame: Branding(
                name: "Example", origin: origin, keys: Self.keys, isSecure: isSecure,
                isDevelopment: !isSecure))
    }

    private static let clients = [
        ProviderClient(
            id: "house", name: "House", secret: Secret(secret),
            redirectURIs: RedirectURIs(["https://house.example.com/callback"]),
            postLogoutRedirectURIs: RedirectURIs(["https://house.example.com/bye"]), isFirstParty: true,
            leadsTo: ["house:"]),
        ProviderClient(
            id: "stranger", name: "<b>Stranger</b>", redirectURIs: RedirectURIs(["stranger://callback"])),
    ]

    static let keys = KeyRing(master: SymmetricKey(data: Data(repeating: 9, count: 32)))

    /// Generated once for all tests: an RSA key takes long to generate.
    private static let rsaKey = Task {
        let clock = TestClock()
        let store = try SQLiteStore(inMemoryWith: clock.engineSystem)
        let long = clock.now.addingTimeInterval(-1_000_000)
        guard let key = try await ProviderDirectory.idTokenKeys(store: store, keyRing: keys).list(at: long).first else {
            throw Missing()
        }
        return key
    }

    struct Missing: Error {}

    /// Returns a client's request as a query; an empty value removes a parameter.
    static func query(_ changes: [String: String] = [:]) -> String {
        let usual = [
            "client_id": "house", "redirect_uri": "https://house.example.com/callback", "response_type": "code",
            "scope": "openid profile email", "state": "a state", "nonce": "a nonce",
            "code_challenge": CodeChallenge.s256(of: Secret(verifier)), "code_challenge_method": "S256",
        ]
        return form(usual.merging(changes) { $1 }.filter { !$0.value.isEmpty })
    }

    static func form(_ parameters: [String: String]) -> String {
        URLQuery.encode(parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// Sends a request as a program.
    func ask(
        _ method: String, _ path: String, query: String = "", headers: [String: String] = [:], form: String? = nil
    ) async -> ServerResponse {
        var headers = headers
        if form != nil { headers["content-type"] = "application/x-www-form-urlencoded" }
        return await server.answer(
            WireRequest(method: method, path: path, query: query, headers: headers, body: Array((form ?? "").utf8)),
            from: Caller(address: "192.0.2.7", network: "192.0.2.7")
        ).response
    }

    func redeem(_ code: String, _ changes: [String: String] = [:]) async throws -> (answer: ServerResponse, body: JSON)
    {
        let form = [
            "grant_type": "authorization_code", "code": code, "code_verifier": Self.verifier,
            "redirect_uri": "https://house.example.com/callback", "client_id": "house", "client_secret": Self.secret,
        ]
        let answer = await ask("POST", "/oauth/token", form: Self.form(form.merging(changes) { $1 }))
        return (answer, try JSON.read(answer.body))
    }
}

/// A hasher that does not hash: these tests are not about passwords.
private struct PlainHasher: PasswordHashing {
    func hash(_ password: Secret<String>) async throws(AuthError) -> String { password.reveal() }
    func check(_ password: Secret<String>, against hash: String?) async throws(AuthError) -> PasswordMatch {
        hash.map { $0 == password.reveal() } == true ? .matches : .differs
    }
    func expect(_ hash: String) {}
    func canImport(_ hash: String) -> Bool { true }
}
