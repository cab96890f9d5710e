public import Foundation
public import OstiaryClient
public import OstiaryContracts
public import OstiaryCore

/// A server for the tests of an app: any contract, in the test's own process, without a socket.
///
/// It runs the engine that Ostiary's server runs, behind the contract's wire format: accounts, sessions with their refresh
/// tokens, codes, password resets, browser and social sign-in follow the same rules, because they are the same code. It lives
/// by a ``TestClock``.
///
/// Its ports are made for tests: everything is kept in memory, a password costs one round of SHA-256, the identity providers
/// and the inbox belong to the test, and there are no limits on attempts and messages, no cookies and no pages.
///
/// A test of an app, from a sign-in to the end of the session:
///
/// ```swift
/// let server = try TestServer(.vici)
/// try server.addAccount(email: "jo@example.com", password: "correct horse 7 battery")
/// server.route("GET", "/projects") { _ in .json(#"["Ostiary"]"#) }
/// let network = ScriptedTransport(server)
/// let auth = try server.client(over: network)
/// try await auth.signIn(email: "jo@example.com", password: "correct horse 7 battery")
///
/// // The access token is over: it is refreshed on the way.
/// server.clock.advance(by: .seconds(3600))
/// var projects: [String] = try await auth.get("/projects")
/// #expect(server.count(of: .refresh) == 1)
///
/// // Without a network nothing is lost.
/// server.clock.advance(by: .seconds(3600))
/// network.on(.any, .offline)
/// await #expect(throws: ClientError.offline) { let _: [String] = try await auth.get("/projects") }
/// #expect(auth.isAuthenticated)
/// network.removeRules()
/// projects = try await auth.get("/projects")
///
/// // An administrator ends the session, and the app is told why.
/// server.endSessions(of: "jo@example.com")
/// await #expect(throws: ClientError.sessionEnded(.refreshTokenRevoked)) {
///     let _: [String] = try await auth.get("/projects")
/// }
/// #expect(auth.state == .signedOut(.ended(.refreshTokenRevoked)))
/// ```
public final class TestServer: Transport {
    public let contract: Contract
    public let baseURL: BaseURL
    /// ``baseURL`` as an ``OstiaryClient/AuthClient`` is given it.
    public let url: URL
    public let clock: TestClock
    public let rules: TestServerRules
    /// Brings the tokens and codes of this server back, but for the sealed tokens of registrations and challenges.
    public let seed: UInt64
    let codec: Codec
    let backend: TestBackend
    let script = Watched(ServerScript())

    /// - Parameters:
    ///   - clock: By default sleeps of up to ten seconds, between a client's tries, move it by themselves.
    ///   - baseURL: Requests to any other address find nobody. Nil for an address of the server's own.
    ///   - seed: See ``seed``.
    /// - Throws: ``OstiaryContracts/ContractProblem``, ``OstiaryClient/BaseURLProblem``.
    public init(
        _ contract: Contract, rules: TestServerRules = .standard,
        clock: TestClock = TestClock(skippingSleeps: .seconds(10)), baseURL: String? = nil,
        seed: UInt64 = .random(in: .min ... .max)
    ) throws {
        self.contract = contract
        let address = try BaseURL(baseURL ?? "https://\(contract.name).test.example.com")
        guard let url = URL(string: address.text) else { throw BaseURLProblem.malformed }
        self.baseURL = address
        self.url = url
        self.clock = clock
        self.rules = rules
        self.seed = seed
        codec = try Codec(contract)
        backend = try TestBackend(contract, rules: rules, clock: clock, baseURL: address.text, seed: seed)
    }

    // MARK: Clients

    /// A client on a device of its own, which lives by the server's clock.
    ///
    /// - Parameters:
    ///   - store: Give one to two clients, and they are two processes of one app.
    ///   - network: What lies between, for example a ``ScriptedTransport`` in front of this server; nil for nothing.
    ///   - adjust: Changes what else the client is made with.
    /// - Throws: What ``OstiaryClient/AuthClient`` throws.
    public func client(
        store: any SessionStore = TestStore(), over network: (any Transport)? = nil,
        adjust: (inout ClientOptions) -> Void = { _ in }
    ) throws(ClientError) -> AuthClient {
        var options = ClientOptions(
            store: store, transport: .custom(network ?? self), surroundings: clock.surroundings)
        adjust(&options)
        return try AuthClient(contract: contract, baseURL: url, options: options)
    }

    /// The account operations alone, over the wire.
    ///
    /// - Throws: ``OstiaryContracts/ContractProblem``.
    public func remote(over network: (any Transport)? = nil) throws(ContractProblem) -> RemoteAuth {
        try RemoteAuth(contract: contract, baseURL: baseURL, transport: network ?? self)
    }

    /// The account operations without the wire, and without the challenges of a test.
    public var service: some AuthService { backend.service }

    // MARK: What it did

    /// Every account operation that was answered over the wire, refused ones included, but not those that a fault kept away.
    public var performed: [OperationKind] { script.value.performed }

    public func count(of kind: OperationKind) -> Int { performed.count { $0 == kind } }

    /// Waits until so many operations of a kind have been performed, counted from the beginning.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func performed(_ count: Int, _ kind: OperationKind) async throws(CancellationError) {
        try await script.wait { script in script.performed.count { $0 == kind } >= count }
    }

    // MARK: Transport

    public func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        guard baseURL == self.baseURL else { throw .offline }
        return await answer(request)
    }

    /// Nobody else can be reached through it, whatever key they have.
    public func enforces(_ pins: PinSet) -> Bool { true }
}

/// The orders of a test, and the record of what was performed.
struct ServerScript: Sendable {
    var performed: [OperationKind] = []
    var refusals: [ScriptedRefusal] = []
    var routes: [TestRoute] = []
}
