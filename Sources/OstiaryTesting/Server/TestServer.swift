public import Foundation
public import OstiaryClient
public import OstiaryContracts
public import OstiaryCore

/// An in-process server for the tests of an app: any contract, without a socket.
///
/// It runs the engine of Ostiary's server behind the contract's wire format: accounts, sessions with their refresh
/// tokens, codes, password resets, browser and social sign-in follow the same rules, because they are the same code.
/// Its clock is a ``TestClock``.
///
/// Its ports are made for tests: everything is kept in memory, a password costs one round of SHA-256, and the identity
/// providers and the inbox are controlled by the test. There are no limits on attempts and messages, no cookies and no
/// pages.
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
/// // An administrator ends the session, and the app receives the reason.
/// server.endSessions(of: "jo@example.com")
/// await #expect(throws: ClientError.sessionEnded(.refreshTokenRevoked)) {
///     let _: [String] = try await auth.get("/projects")
/// }
/// #expect(auth.state == .signedOut(.ended(.refreshTokenRevoked)))
/// ```
public final class TestServer: Transport {
    /// The wire format and the rules of the app's auth API.
    public let contract: Contract
    /// The address that requests must be sent to.
    public let baseURL: BaseURL
    /// The same address as ``baseURL``, in the type that ``OstiaryClient/AuthClient`` takes.
    public let url: URL
    /// The clock of the engine and of the clients that ``client(store:over:adjust:)`` creates.
    public let clock: TestClock
    /// The settings beyond the contract.
    public let rules: TestServerRules
    /// The seed that reproduces the tokens and codes of this server, except the sealed tokens of registrations and
    /// challenges.
    public let seed: UInt64
    let codec: Codec
    let backend: TestBackend
    let script = Watched(ServerScript())

    /// Creates a server without accounts.
    ///
    /// - Parameters:
    ///   - contract: The contract that the server answers by.
    ///   - rules: The settings beyond the contract.
    ///   - clock: The server's clock. The default skips sleeps of up to ten seconds, which covers the delays between a
    ///     client's retries.
    ///   - baseURL: The server's address; requests to any other address fail with `TransportError.offline`. `nil` for
    ///     an address made from the contract's name.
    ///   - seed: The seed of tokens and codes; see ``seed``.
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
        codec = try Codec(contract, attributes: rules.attributes)
        backend = try TestBackend(contract, rules: rules, clock: clock, baseURL: address.text, seed: seed)
    }

    // MARK: Clients

    /// Creates a client on a device of its own, which runs on the server's clock.
    ///
    /// - Parameters:
    ///   - store: The client's session store. Two clients with one store act as two processes of one app.
    ///   - network: The transport between client and server, for example a ``ScriptedTransport`` in front of this
    ///     server; `nil` for a direct call.
    ///   - adjust: Changes the client's other options.
    /// - Throws: The errors of ``OstiaryClient/AuthClient``'s initializer.
    public func client(
        store: any SessionStore = TestStore(), over network: (any Transport)? = nil,
        adjust: (inout ClientOptions) -> Void = { _ in }
    ) throws(ClientError) -> AuthClient {
        var options = ClientOptions(
            store: store, transport: .custom(network ?? self), system: clock.system)
        adjust(&options)
        return try AuthClient(contract: contract, baseURL: url, options: options)
    }

    /// Returns the account operations alone, over the wire.
    ///
    /// - Throws: ``OstiaryContracts/ContractProblem``.
    public func remote(over network: (any Transport)? = nil) throws(ContractProblem) -> RemoteAuth {
        try RemoteAuth(contract: contract, baseURL: baseURL, transport: network ?? self)
    }

    /// The account operations of the engine, without the wire and without a test's challenges.
    public var service: some AuthService { backend.service }

    // MARK: Recorded operations

    /// Every account operation that was answered over the wire, in order. It includes operations that the engine
    /// refused, and leaves out requests refused by ``refuse(_:with:times:)``.
    public var performed: [OperationKind] { script.value.performed }

    /// Returns the number of operations of a kind that were performed.
    public func count(of kind: OperationKind) -> Int { performed.count { $0 == kind } }

    /// Waits until at least `count` operations of a kind have been performed, counted from the beginning.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func performed(_ count: Int, _ kind: OperationKind) async throws(CancellationError) {
        try await script.wait { script in script.performed.count { $0 == kind } >= count }
    }

    // MARK: Transport

    /// Answers a request by the contract, or by a route that the test added. The deadline is not used.
    ///
    /// - Throws: `TransportError.offline` for any other base URL than the server's.
    public func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        guard baseURL == self.baseURL else { throw .offline }
        return await answer(request)
    }

    /// Returns `true` for all pins: this transport reaches no other server.
    public func enforces(_ pins: PinSet) -> Bool { true }
}

/// The refusals and routes that a test has added, and the operations that were performed.
struct ServerScript: Sendable {
    var performed: [OperationKind] = []
    var refusals: [ScriptedRefusal] = []
    var routes: [TestRoute] = []
}
