public import OstiaryCore

/// The configuration of a client besides its contract and base URL. Everything has a default.
///
/// ```swift
/// var options = ClientOptions(keepsSeveralAccounts: true)
/// options.log = .standardError(.debug)
/// ```
public struct ClientOptions: Sendable {
    // MARK: Components

    /// The store of sessions; nil for the platform's default: the keychain on Apple's platforms, a sealed file on
    /// Linux, see ``FileSessionStore``.
    public var store: (any SessionStore)?
    /// The factory of the transport that carries every request.
    public var transport: TransportMaker
    /// The clock, the source of randomness and the other system dependencies.
    public var system: ClientDependencies
    /// `true` to allow plain HTTP to other machines, on which pins do not apply, and to prefer the contract's
    /// development URL.
    public var isDevelopment: Bool

    // MARK: Sessions

    /// `true` to keep earlier sessions when another user signs in, so that the app can switch between accounts.
    public var keepsSeveralAccounts: Bool
    /// `true` to fetch the signed-in user from the server at start. Set it to `false` for programs that run one command
    /// and exit.
    public var verifiesAtStart: Bool
    /// The description of this device, sent where the contract has a field for it; nil to build one from the system.
    public var device: DeviceInfo?
    /// `true` to bind a sign-in in the browser to this device (`app_challenge`, `app_verifier`). Set it to `false` only
    /// for backends that refuse unknown parameters.
    public var bindsBrowserSignIns = true
    /// The options of every sign-in in the browser that is begun without options of its own.
    public var browserSignIn = BrowserSignInOptions()
    /// The biometric prompt that is shown before a stored session is used again; nil for none.
    public var biometricPrompt: (any BiometricPrompt)?
    /// The policy that determines when ``biometricPrompt`` locks the session.
    public var appLockPolicy = AppLockPolicy.onForeground

    /// The handler that asks the person to authenticate again where the server requires it; nil to throw the refusal.
    public var stepUpHandler: (any StepUpHandler)?

    // MARK: Requests

    /// The time limit of one account operation.
    public var deadline: Duration
    /// The options of the app's own requests.
    public var requests = RequestOptions()
    /// `true` to sign the requests of signed-in users with a key of their session. If the server issues no key, the
    /// request fails; it is not sent unsigned.
    public var signsRequests = false
    /// `true` to bind every new session to a key of this device, if the server binds sessions: each request then proves the
    /// key, and the tokens are worthless without it (DPoP, RFC 9449). A server that does not issues bearer tokens.
    public var bindsSessions = false
    /// The keys that sessions are bound to; nil for the Secure Enclave where there is one, else keys that are stored beside
    /// the session.
    public var sessionKeys: (any SessionKeyProvider)?
    /// The service that attests the app to a server that asks for it; nil to attest nothing.
    public var appAttest: (any AppAttestService)?
    /// The options of the offline queue.
    public var queue = QueueOptions()

    /// The destination of the client's log lines.
    public var log = ClientLog.standard

    /// Creates options from their parts; the others have the defaults of their properties.
    public init(
        store: (any SessionStore)? = nil, transport: TransportMaker = .urlSession,
        system: ClientDependencies = .system, isDevelopment: Bool = ClientOptions.isDebugBuild,
        deadline: Duration = .seconds(30), keepsSeveralAccounts: Bool = false, verifiesAtStart: Bool = true,
        device: DeviceInfo? = nil
    ) {
        self.store = store
        self.transport = transport
        self.system = system
        self.isDevelopment = isDevelopment
        self.deadline = deadline
        self.keepsSeveralAccounts = keepsSeveralAccounts
        self.verifiesAtStart = verifiesAtStart
        self.device = device
    }

    #if DEBUG
    /// `true` in a debug build of this package, the default of ``isDevelopment``.
    public static let isDebugBuild = true
    #else
    /// `true` in a debug build of this package, the default of ``isDevelopment``.
    public static let isDebugBuild = false
    #endif
}
