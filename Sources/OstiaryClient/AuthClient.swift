public import Foundation
public import OstiaryContracts
public import OstiaryCore

/// Signs people in to one app, keeps them signed in, and sends the app's requests in their name.
///
/// Made from the app's contract and the address of its API; an app can have several at once.
///
/// ```swift
/// let auth = try AuthClient(contract: .vici, baseURL: url)
/// try await auth.signIn(email: "jo@example.com", password: password)
/// let projects: [Project] = try await auth.get("/projects")
/// for await state in auth.states { … }
/// ```
public final class AuthClient: Sendable {
    public let contract: Contract
    public let baseURL: BaseURL
    let auth: RemoteAuth
    let keeper: SessionKeeper
    let api: OwnAPI
    let queue: RequestQueue
    let options: ClientOptions
    let browserTurn = BrowserTurn()

    /// A client of the server at `baseURL`.
    ///
    /// - Parameters:
    ///   - baseURL: The app's paths are joined to it.
    ///   - pins: The keys that the server may have; none to trust the system's judgement alone. In development they do not
    ///     hold for plain HTTP, which has no keys: see ``ClientOptions/isDevelopment``.
    /// - Throws: ``ClientError/invalidURL(_:)`` for a URL that cannot be used, or plain HTTP to another machine outside
    ///   development; ``ClientError/invalidRequest(_:)`` for a contract that contradicts itself, or pins on a transport that
    ///   cannot enforce them.
    public convenience init(
        contract: Contract, baseURL: URL, pins: PinSet = .none, options: ClientOptions = ClientOptions()
    ) throws(ClientError) {
        try self.init(contract, at: baseURL.absoluteString, pins, options)
    }

    /// A client of the server that the contract names: the one for development in development, else the one for production.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` where the contract does not say; else as with an address of the app's own.
    public convenience init(
        contract: Contract, pins: PinSet = .none, options: ClientOptions = ClientOptions()
    ) throws(ClientError) {
        let fixed = options.isDevelopment ? contract.client.developmentBaseURL : contract.client.productionBaseURL
        guard let fixed else {
            throw .invalidRequest("the contract \(contract.name) does not say where the API is: give a base URL")
        }
        try self.init(contract, at: fixed, pins, options)
    }

    private init(
        _ contract: Contract, at address: String, _ pins: PinSet, _ options: ClientOptions
    ) throws(ClientError) {
        let baseURL: BaseURL
        do { baseURL = try BaseURL(address, allowsPlainHTTP: options.isDevelopment) } catch { throw .invalidURL(error) }
        // Over plain HTTP a transport with pins sends nothing, and a server in development has no keys.
        let isPlainDevelopment = baseURL.isPlainHTTP && options.isDevelopment
        let transport = try options.transport.make(isPlainDevelopment ? .none : pins)
        let auth: RemoteAuth
        do {
            auth = try RemoteAuth(
                contract: contract, baseURL: baseURL, transport: transport, deadline: options.deadline)
        } catch {
            throw .invalidRequest("the contract \(contract.name): \(error)")
        }
        self.contract = contract
        self.baseURL = baseURL
        self.auth = auth
        self.options = options
        keeper = SessionKeeper(
            auth: auth, store: options.store ?? Self.usualStore(contract, baseURL, options.log),
            surroundings: options.surroundings,
            gate: options.gate.map {
                GateKeeper(gate: $0, policy: options.gatePolicy, surroundings: options.surroundings)
            },
            signing: options.signsRequests
                ? SigningState(baseURL: auth.baseURL, now: options.surroundings.now) : nil,
            settings: SessionKeeper.Settings(
                keepsSeveralAccounts: options.keepsSeveralAccounts, verifiesAtStart: options.verifiesAtStart))
        let requests = AuthorizedRequests(
            auth: auth, tokens: keeper, signing: keeper.signing, surroundings: options.surroundings,
            options: options.requests, events: keeper.events)
        api = OwnAPI(requests)
        keeper.events.observe { [log = options.log] event in log.note(event) }
        queue = RequestQueue(of: keeper, requests: requests, options: options.queue, surroundings: options.surroundings)
        keeper.begin()
    }

    static func usualStore(_ contract: Contract, _ baseURL: BaseURL, _ log: ClientLog) -> any SessionStore {
        #if canImport(AppKit) && !targetEnvironment(macCatalyst)
        EntitlementFallbackStore(
            keychain: KeychainSessionStore(contract: contract, baseURL: baseURL),
            file: FileSessionStore.standard(contract: contract.name, baseURL: baseURL), log: log)
        #elseif canImport(Security)
        KeychainSessionStore(contract: contract, baseURL: baseURL)
        #else
        FileSessionStore.standard(contract: contract.name, baseURL: baseURL)
        #endif
    }

    // MARK: State

    /// Whether somebody is signed in: the latest first, then every change, without repeats. Any number may listen.
    public var states: AsyncStream<SessionState> { keeper.states }
    /// The latest of ``states``; `locked` from the moment that it is so, before anybody is told.
    public var state: SessionState { keeper.state }
    /// What the client does, as it happens. Slow listeners lose the oldest of 1,024.
    public var events: AsyncStream<ClientEvent> { keeper.events.stream(buffering: .bufferingNewest(1024)) }

    /// A token that is good for a request now, refreshed first where it must be: for connections that this client does not
    /// make itself. A fresh one costs no wait.
    public func accessToken() async throws(ClientError) -> Secret<String> { try await keeper.token().token }

    /// Whether a token is at hand that would be accepted now, as far as this device can tell.
    public var hasValidToken: Bool { keeper.hasValidToken }
    public var isAuthenticated: Bool { if case .signedIn = state { true } else { false } }
    /// Which of ``savedAccounts()`` is in use; nil while nobody is signed in, or it is locked.
    public var currentSession: SessionSnapshot? { if case .signedIn(let session, _) = state { session } else { nil } }
    /// Who is signed in, as of the last answer that told.
    public var currentUser: User? { currentSession?.user }
}

// What it holds is changing while somebody looks, and is for nobody who reads a dump.
extension AuthClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<client of \(contract.name) at \(baseURL)>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
