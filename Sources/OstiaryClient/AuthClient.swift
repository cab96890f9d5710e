public import Foundation
public import OstiaryContracts
public import OstiaryCore
import Synchronization

/// Signs users in to one app, keeps them signed in, and sends the app's requests with their access token.
///
/// Created from the app's contract and the base URL of its API; an app can have several clients at once.
///
/// ```swift
/// let auth = try AuthClient(contract: .vici, baseURL: url)
/// try await auth.signIn(email: "jo@example.com", password: password)
/// let projects: [Project] = try await auth.get("/projects")
/// for await state in auth.states { … }
/// ```
public final class AuthClient: Sendable {
    /// The wire format of the app's API.
    public let contract: Contract
    /// The base URL of the app's API, in its canonical form.
    public let baseURL: BaseURL
    let auth: RemoteAuth
    let keeper: SessionKeeper
    private let requests: AuthorizedRequests
    let queue: RequestQueue
    let options: ClientOptions
    let browserTurn = BrowserSignInSlot()
    let stepUpSlot = StepUpSlot()
    /// The permissions of the session that asked last; nil until one does.
    let keptPermissions = Mutex<(session: ClientSession.ID, list: PermissionList)?>(nil)

    /// Creates a client of the server at `baseURL`.
    ///
    /// - Parameters:
    ///   - contract: The wire format of the app's API.
    ///   - baseURL: The URL to which the app's paths are appended.
    ///   - pins: The public keys that the server may have; `.none` to rely on the system's trust evaluation alone. In
    ///     development they do not apply to plain HTTP, which has no keys: see ``ClientOptions/isDevelopment``.
    /// - Throws: ``ClientError/invalidURL(_:)`` for a URL that cannot be used, or plain HTTP to another machine outside
    ///   development; ``ClientError/invalidRequest(_:)`` for a contract that contradicts itself, or pins on a transport
    ///   that cannot enforce them.
    public convenience init(
        contract: Contract, baseURL: URL, pins: PinSet = .none, options: ClientOptions = ClientOptions()
    ) throws(ClientError) {
        try self.init(contract, at: baseURL.absoluteString, pins, options)
    }

    /// Creates a client of the server that the contract names: its development URL in development, else its production
    /// URL.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` if the contract names none; else as the initializer with a base URL
    ///   does.
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
        // Over plain HTTP a transport with pins sends nothing, and a development server has no keys.
        let isPlainDevelopment = baseURL.isPlainHTTP && options.isDevelopment
        let transport = try options.transport.make(isPlainDevelopment ? .none : pins)
        var auth: RemoteAuth
        do {
            auth = try RemoteAuth(
                contract, baseURL, transport, deadline: options.deadline,
                appAttestation: options.appAttest.map { AppAttestation(service: $0, system: options.system) },
                uptime: options.system.uptime)
        } catch {
            throw .invalidRequest("the contract \(contract.name): \(error)")
        }
        auth.proofs = ProofOfPossession(
            baseURL: baseURL, provider: options.sessionKeys ?? Self.defaultSessionKeys, now: options.system.now)
        self.contract = contract
        self.baseURL = baseURL
        self.auth = auth
        self.options = options
        keeper = SessionKeeper(
            auth: auth, store: options.store ?? Self.defaultStore(contract, baseURL, options.log),
            system: options.system,
            appLock: options.biometricPrompt.map {
                AppLock(biometricPrompt: $0, policy: options.appLockPolicy, system: options.system)
            },
            signing: options.signsRequests
                ? SigningState(baseURL: auth.baseURL, now: options.system.now) : nil,
            settings: SessionKeeper.Settings(
                keepsSeveralAccounts: options.keepsSeveralAccounts, verifiesAtStart: options.verifiesAtStart))
        auth.appAttestation?.use(
            AppAttestKeyStorage(
                read: { [weak keeper = keeper] in await keeper?.appAttestKey() },
                keep: { [weak keeper = keeper] key in await keeper?.keep(appAttestKey: key) }))
        requests = AuthorizedRequests(
            auth: auth, tokens: keeper, signing: keeper.signing, system: options.system,
            options: options.requests, events: keeper.events)
        keeper.events.observe { [log = options.log] event in log.note(event) }
        queue = RequestQueue(of: keeper, requests: requests, options: options.queue, system: options.system)
        keeper.begin()
    }

    var api: APIClient { APIClient(requests, of: self) }

    static func defaultStore(_ contract: Contract, _ baseURL: BaseURL, _ log: ClientLog) -> any SessionStore {
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

    private static var defaultSessionKeys: any SessionKeyProvider {
        #if canImport(CryptoKit) && canImport(Security)
        SecureEnclaveSessionKeys()
        #else
        SoftwareSessionKeys()
        #endif
    }

    // MARK: State

    /// A stream of the sign-in state: the current value first, then every change, without repeats. Any number of
    /// consumers may iterate.
    public var states: AsyncStream<SessionState> { keeper.states }
    /// The latest value of ``states``; `locked` as soon as the session is locked, before any stream delivers it.
    public var state: SessionState { keeper.state }
    /// A stream of what the client does, as it happens. A slow consumer loses the oldest of 1,024 buffered events.
    public var events: AsyncStream<ClientEvent> { keeper.events.stream(buffering: .bufferingNewest(1024)) }

    /// Returns an access token that is valid for a request now, refreshed first if necessary: for connections that this
    /// client does not make itself. A fresh token is returned without waiting.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/sessionEnded(_:)``,
    ///   ``ClientError/store(_:)``, or the failure of the refresh if the token has expired.
    public func accessToken() async throws(ClientError) -> Secret<String> { try await keeper.token().token }

    /// `true` if there is an access token that the server should accept now, judged by its lifetime alone.
    public var hasValidToken: Bool { keeper.hasValidToken }
    /// `true` if the state is `signedIn`; `false` while it is unknown, signed out or locked.
    public var isAuthenticated: Bool { if case .signedIn = state { true } else { false } }
    /// The one of ``savedAccounts()`` in use; nil while no user is signed in, or the session is locked.
    public var currentSession: SessionSnapshot? { if case .signedIn(let session, _) = state { session } else { nil } }
    /// The signed-in user, from the last answer that contained one.
    public var currentUser: User? { currentSession?.user }
}

// The contents change concurrently and must not appear in a dump.
extension AuthClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The contract's name and the base URL.
    public var description: String { "<client of \(contract.name) at \(baseURL)>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
