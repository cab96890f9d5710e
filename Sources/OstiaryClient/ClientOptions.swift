public import OstiaryCore

/// What a client is made with besides its contract and address. Everything has a default.
///
/// ```swift
/// var options = ClientOptions(keepsSeveralAccounts: true)
/// options.log = .standardError(.debug)
/// ```
public struct ClientOptions: Sendable {
    // MARK: What it is made of

    /// Where sessions are kept; nil for what is usual on the platform: the keychain on Apple's, a sealed file on Linux, see
    /// ``FileSessionStore``.
    public var store: (any SessionStore)?
    public var transport: TransportMaker
    public var surroundings: ClientSurroundings
    /// Whether plain HTTP to other machines is allowed, pins do not hold for it, and the contract's address is the one for
    /// development.
    public var isDevelopment: Bool

    // MARK: Sessions

    /// Whether those who were signed in stay so when somebody else signs in, so that the app can switch between them.
    public var keepsSeveralAccounts: Bool
    /// Whether the server is asked at start who is signed in. Off for programs that run one command and end.
    public var verifiesAtStart: Bool
    /// What is said about this device where the contract has a place for it.
    public var device: DeviceInfo?
    /// Whether a sign-in in the browser is bound to this device (`app_challenge`, `app_verifier`). Off only for backends
    /// that refuse parameters they do not know.
    public var bindsBrowserSignIns = true
    /// The app's choices for every sign-in in the browser that is begun without options of its own.
    public var browserSignIn = BrowserSignInOptions()
    /// Asks the person to show themselves before a session that is kept is used again; nil for no such question.
    public var gate: (any BiometricGate)?
    /// When ``gate`` asks.
    public var gatePolicy = GatePolicy.onForeground

    // MARK: Requests

    /// For one account operation.
    public var deadline: Duration
    /// How the app's own requests are sent.
    public var requests = RequestOptions()
    /// Whether requests of signed-in people are signed with a key of their session. A server that gives none is not asked
    /// without a signature instead.
    public var signsRequests = false
    /// Where requests wait for a network that were put into the queue.
    public var queue = QueueOptions()

    /// Where lines are written about what happens.
    public var log = ClientLog.standard

    public init(
        store: (any SessionStore)? = nil, transport: TransportMaker = .urlSession,
        surroundings: ClientSurroundings = .system, isDevelopment: Bool = ClientOptions.isDebugBuild,
        deadline: Duration = .seconds(30), keepsSeveralAccounts: Bool = false, verifiesAtStart: Bool = true,
        device: DeviceInfo? = nil
    ) {
        self.store = store
        self.transport = transport
        self.surroundings = surroundings
        self.isDevelopment = isDevelopment
        self.deadline = deadline
        self.keepsSeveralAccounts = keepsSeveralAccounts
        self.verifiesAtStart = verifiesAtStart
        self.device = device
    }

    #if DEBUG
    public static let isDebugBuild = true
    #else
    public static let isDebugBuild = false
    #endif
}
