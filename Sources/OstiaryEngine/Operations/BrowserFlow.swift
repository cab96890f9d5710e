import Foundation
import OstiaryCore

/// What has to be known of a sign-in in a browser until it is finished: the payload of its ticket.
///
/// Holds hashes of what the browser and the provider know, never the values: a reader of the store can finish nothing.
struct BrowserFlow: Codable {
    var purpose: Purpose
    var provider: String
    /// One of the provider's connections, in the provider's own word.
    var connection: String?
    /// Where the app waits.
    var redirectURI: String
    /// Where the provider sends the browser back to; empty until the browser was seen.
    var callbackURL = ""
    /// The S256 challenge of a verifier that only the device knows.
    var appChallenge: String?
    /// A keyed hash of the browser's value; nil where no browser of ours is bound.
    var browserHash: Data?
    /// A keyed hash of the code that the provider sent the browser back with.
    var codeHash: Data?
    /// The bucket of the unfinished sign-ins of the network that began it; nil for a caller inside the process.
    var networkBucket: String?
    /// What a new account's owner is called, where the provider says it to the browser alone.
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

    init(_ ticket: Ticket) throws { self = try JSONDecoder().decode(Self.self, from: Data(ticket.payload)) }

    var fullName: PersonName? { newName.flatMap { try? PersonName($0) } }

    func ticket(_ kind: Ticket.Kind, _ hash: [UInt8], in app: AppName, until expiresAt: Date) throws -> Ticket {
        Ticket(
            app: app, kind: kind, hash: hash, payload: Array(try JSONEncoder().encode(self)), expiresAt: expiresAt)
    }
}

extension AuthEngine {
    /// A state or an id that nobody can guess: 32 bytes, 43 characters.
    func newState() -> Secret<String> { Secret(ports.surroundings.randomToken(bytes: 32)) }

    /// What a ticket is kept under.
    func ticketHash(_ secret: Secret<String>) -> [UInt8] { browserDigest("ticket", secret.reveal()) }

    /// What the ID token of a sign-in must name. Derived, so that the state's holder alone brings it up again.
    func nonce(of state: Secret<String>) -> String { browserDigest("nonce", state.reveal()).base64URL }

    /// The code verifier of a sign-in: 43 characters. Source: RFC 7636 §4.1.
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

    /// When a sign-in that begins now is over.
    var browserDeadline: Date { ports.surroundings.now().addingTimeInterval(Double(app.browserSeconds)) }

    /// One of our own pages of a browser sign-in, beside the contract's paths.
    ///
    /// - Throws: If whoever serves the caller did not say what the app's base URL is.
    func browserPage(_ name: String) throws -> String {
        guard let base = caller.baseURL else { throw MissingBaseURL() }
        return "\(base)\(app.pathPrefix)/\(name)"
    }

    private struct MissingBaseURL: Error {}

    /// Keeps a sign-in under a new state, and says where the browser goes.
    func sendToProvider(
        _ provider: any IdentityProvider, _ flow: BrowserFlow
    ) async throws -> BrowserDestination {
        var flow = flow
        flow.networkBucket = unfinishedBucketOfNetwork
        let (url, ticket) = try await asked(provider, for: flow)
        try await addUnfinished(ticket, of: flow)
        return BrowserDestination(url: url)
    }

    /// Keeps the ticket of a sign-in that begins, unless too many of its network or of the server are not finished.
    ///
    /// - Throws: ``AuthError/tooManyAttempts(retryAfterSeconds:)``.
    func addUnfinished(_ ticket: Ticket, of flow: BrowserFlow) async throws {
        let refusal = try await ports.store.add(
            ticket, within: unfinishedBuckets(of: flow), at: ports.surroundings.now())
        if let refusal { throw AuthError.tooManyAttempts(retryAfterSeconds: refusal.seconds) }
    }

    /// What a sign-in counts against until it is finished; over all apps of the server.
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

    /// Where the browser goes, and what has to be kept for when it comes back.
    func asked(_ provider: any IdentityProvider, for flow: BrowserFlow) async throws -> (url: String, ticket: Ticket) {
        let state = newState()
        let request = AuthorizationRequest(
            state: state, nonce: nonce(of: state), codeChallenge: CodeChallenge.s256(of: codeVerifier(of: state)),
            redirectURI: flow.callbackURL, connection: flow.connection)
        let url = try await asking { try await provider.authorizationURL(for: request) }
        let ticket = try flow.ticket(.browserSignIn, ticketHash(state), in: app.name, until: browserDeadline)
        return (url, ticket)
    }
}
