import Foundation
import OstiaryCore

/// The state of a browser sign-in until it is completed: the payload of its single-use record.
///
/// Holds hashes of the secrets that the browser and the provider have, never the values: a reader of the store cannot
/// complete a sign-in.
struct BrowserFlow: Codable {
    var purpose: Purpose
    var provider: String
    /// One of the provider's connections, by the provider's own name.
    var connection: String?
    /// The app's redirect URI.
    var redirectURI: String
    /// The URI that the provider redirects the browser to; empty until the browser was seen.
    var callbackURL = ""
    /// The S256 challenge of a verifier that only the device has.
    var appChallenge: String?
    /// A keyed hash of the browser's value; `nil` where the sign-in is not bound to a browser.
    var browserHash: Data?
    /// A keyed hash of the code with which the provider redirected the browser back.
    var codeHash: Data?
    /// The key of the bucket of unfinished sign-ins of the network that began it; `nil` for a caller inside the
    /// process.
    var networkBucket: String?
    /// The name of a new account's owner, where the provider sends it through the browser only.
    var newName: String?

    enum Purpose: String, Codable { case browser, social }

    init(
        purpose: Purpose, provider: String, connection: String? = nil, redirectURI: String, callbackURL: String = "",
        appChallenge: String? = nil
    ) {
        self.purpose = purpose
        self.provider = provider
        self.connection = connection
        self.redirectURI = redirectURI
        self.callbackURL = callbackURL
        self.appChallenge = appChallenge
    }

    init(_ record: SingleUseRecord) throws { self = try JSONDecoder().decode(Self.self, from: Data(record.payload)) }

    /// Checks the form of a challenge at the beginning, since no verifier could match a malformed one at the end.
    ///
    /// - Throws: ``AuthError/invalid(_:_:)``.
    static func checkForm(ofChallenge challenge: String?) throws(AuthError) {
        guard let challenge, !CodeChallenge.isWellFormed(challenge) else { return }
        throw .invalid(.appChallenge, .malformed)
    }

    /// Returns `true` if the device that completes the sign-in is the one that began it, where the app uses a
    /// challenge.
    ///
    /// A verifier without a challenge is refused too: the sign-in was begun by another party.
    func isFromDevice(with verifier: Secret<String>?) -> Bool {
        switch (appChallenge, verifier) {
        case (nil, nil): true
        case (let challenge?, let verifier?): CodeChallenge.matches(challenge, verifier: verifier)
        default: false
        }
    }

    var fullName: PersonName? { newName.flatMap { try? PersonName($0) } }

    func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, until expiresAt: Date) throws
        -> SingleUseRecord
    {
        SingleUseRecord(
            app: app, kind: kind, hash: hash, payload: Array(try JSONEncoder().encode(self)), expiresAt: expiresAt)
    }
}

extension AuthEngine {
    /// Returns a state or an id that is infeasible to guess: 32 random bytes, 43 characters.
    func newState() -> Secret<String> { Secret(ports.system.randomToken(bytes: 32)) }

    /// Returns the hash under which a single-use record is stored.
    func recordHash(_ secret: Secret<String>) -> [UInt8] { browserDigest("ticket", secret.reveal()) }

    /// Returns the required nonce of a sign-in's ID token. Derived, so only the holder of the state can reproduce it.
    func nonce(of state: Secret<String>) -> String { browserDigest("nonce", state.reveal()).base64URL }

    /// Returns the code verifier of a sign-in: 43 characters. Source: RFC 7636 §4.1.
    func codeVerifier(of state: Secret<String>) -> Secret<String> {
        Secret(browserDigest("verifier", state.reveal()).base64URL)
    }

    func hash(authorizationCode: Secret<String>) -> Data {
        Data(browserDigest("code", authorizationCode.reveal()))
    }

    func hash(browser: Secret<String>) -> Data { Data(browserDigest("browser", browser.reveal())) }

    private func browserDigest(_ label: String, _ text: String) -> [UInt8] {
        ports.keys.digest([label, text], for: .browserSignIns, app: app.name)
    }

    /// The time at which a sign-in that begins now expires.
    var browserDeadline: Date { ports.system.now().addingTimeInterval(Double(app.browserSeconds)) }

    /// Returns the URL of one of this server's own pages of a browser sign-in, beside the contract's paths.
    ///
    /// - Throws: If the caller has no ``Caller/baseURL``.
    func browserPage(_ name: String) throws -> String { try browserURL("\(app.pathPrefix)/\(name)") }

    /// Returns the redirect URI of this server for a provider.
    ///
    /// - Throws: If the caller has no ``Caller/baseURL``.
    func callbackURL(of provider: any IdentityProvider) throws -> String {
        let names = ports.identities.providers.map(\.description.name)
        return try browserURL(app.callbackPath(of: provider.description.name, among: names))
    }

    private func browserURL(_ path: String) throws -> String {
        guard let base = caller.baseURL else { throw MissingBaseURL() }
        return base + path
    }

    private struct MissingBaseURL: Error {}

    /// Stores a sign-in under a new state, and returns the URL for the browser.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``, or a refusal of the provider.
    func sendToProvider(
        _ provider: any IdentityProvider, _ flow: BrowserFlow
    ) async throws -> BrowserDestination {
        var flow = flow
        flow.networkBucket = unfinishedBucketOfNetwork
        let (url, record) = try await authorizationRequest(provider, for: flow)
        try await addUnfinished(record, of: flow)
        return BrowserDestination(url: url)
    }

    /// Stores the single-use record of a sign-in that begins, unless its network or the server has too many unfinished
    /// ones.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``.
    func addUnfinished(_ record: SingleUseRecord, of flow: BrowserFlow) async throws {
        let refusal = try await ports.store.add(
            record, within: unfinishedBuckets(of: flow), at: ports.system.now())
        if let refusal { throw AuthError.tooManyAttempts(retryAfterSeconds: refusal.seconds) }
    }

    /// Returns the buckets that a sign-in counts against until it is completed, shared by all apps of the server.
    func unfinishedBuckets(of flow: BrowserFlow) -> [AttemptBucket] {
        func bucket(_ key: String, _ attempts: Int) -> AttemptBucket {
            AttemptBucket(key: key, limit: RateLimit(attempts: attempts, perSeconds: app.browserSeconds))
        }
        let caps = app.browserSignIns
        return (flow.networkBucket.map { [bucket($0, caps.perNetwork)] } ?? [])
            + [bucket(sharedKey("unfinished", ""), caps.perServer)]
    }

    /// The key of the bucket of the caller's network.
    var unfinishedBucketOfNetwork: String? { caller.network.map { sharedKey("unfinished-at", $0) } }

    /// Returns the provider's URL for the browser, and the single-use record to store until the browser returns.
    func authorizationRequest(_ provider: any IdentityProvider, for flow: BrowserFlow) async throws -> (
        url: String, record: SingleUseRecord
    ) {
        let state = newState()
        let request = AuthorizationRequest(
            state: state, nonce: nonce(of: state), codeChallenge: CodeChallenge.s256(of: codeVerifier(of: state)),
            redirectURI: flow.callbackURL, connection: flow.connection)
        let url = try await translatingUpstreamErrors { try await provider.authorizationURL(for: request) }
        let record = try flow.singleUseRecord(.browserSignIn, recordHash(state), in: app.name, until: browserDeadline)
        return (url, record)
    }
}
