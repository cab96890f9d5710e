public import Observation
public import OstiaryClient
import OstiaryContracts
public import OstiaryCore

/// What screens show about signing in, and what a person can do there; for every contract alike.
///
/// One for the app, made beside its client. Actions begin at once and say so in ``isBusy(_:)``; what comes of them stands in
/// ``state``, ``step``, ``error`` and ``notices``. A second tap while an action runs does nothing more.
///
/// ```swift
/// let model = AuthViewModel(auth)
/// TextField("Email", text: $model.fields.identifier)
/// Button("Sign in") { model.signIn() }.disabled(!model.canSubmit(.signIn))
/// ```
@MainActor
@Observable
public final class AuthViewModel {
    // MARK: What there is

    public let screens: AuthScreens
    public let texts: AuthTexts
    @ObservationIgnored let auth: any AuthActions
    @ObservationIgnored let options: Options

    // MARK: What is shown

    /// Whether somebody is signed in.
    public internal(set) var state: SessionState
    /// How far a sign-in of several steps has come.
    public internal(set) var step = AuthStep.start
    /// Why the latest action did not succeed; nil once another begins.
    public internal(set) var error: ShownError?
    /// What else a person should know, the latest last.
    public internal(set) var notices: [AuthNotice] = []
    /// The account's sessions, once ``loadSessions()`` has succeeded.
    public internal(set) var sessions: [SessionSummary] = []
    /// Everybody who is signed in on this device, once ``loadAccounts()`` has succeeded.
    public internal(set) var accounts: [SessionSnapshot] = []
    /// Until another code may be asked for.
    public internal(set) var resendSeconds = 0

    // MARK: Whether it is seen

    /// True from the moment that all scenes of the app are in the background until the lock has been evaluated after that.
    public internal(set) var isInBackground = false
    /// Whether it was locked in front of the person, as by a button: then nobody asks them to unlock before they want it.
    public internal(set) var wasLockedInFront = false

    // MARK: What is typed

    public var fields = AuthFields() {
        didSet { if fields != oldValue { fieldsChanged(from: oldValue) } }
    }
    /// The region whose national phone numbers are taken; nil for international numbers alone.
    public var phoneRegion: PhoneRegion? {
        didSet { if phoneRegion != oldValue { numberChanged() } }
    }
    /// The regions to choose from, with their names in the language of ``texts``.
    @ObservationIgnored public private(set) lazy var phoneRegions = NamedPhoneRegion.all(in: texts.language)
    /// Entries that the person is done with, or tried to be.
    var left: Set<AuthFields.Entry> = []

    // MARK: What runs

    var running: [AuthAction: RunningAction] = [:]
    @ObservationIgnored var begun = 0
    @ObservationIgnored var again: (@MainActor (AuthViewModel) -> Task<Void, Never>?)?
    @ObservationIgnored var code: RequestedCode?
    @ObservationIgnored var challenge: Challenge?
    @ObservationIgnored var listening: [HeldTask] = []
    @ObservationIgnored var countdown: HeldTask?
    @ObservationIgnored var scenes = SceneActivity()

    /// What a view model is made with besides its client. Everything has a default.
    public struct Options: Sendable {
        /// The server's minimum length may be higher: `passwords.minimum_length`.
        public var passwords = PasswordRule()
        public var codes = CodeRule()
        /// How long a server makes people wait for the next code, unless it says otherwise.
        public var codeCooldown: Duration = .seconds(60)
        /// What the app is called, which is no password.
        public var appName: String?
        /// Nil for those that the contract names.
        public var socialProviders: [String]?
        /// The region that is chosen first for phone numbers: the device's. Nil for international numbers alone.
        public var phoneRegion = PhoneRegion.ofDevice
        public var surroundings = ClientSurroundings.system

        public init() {}
    }

    public init(_ auth: any AuthActions, texts: AuthTexts = .preferred, options: Options = Options()) {
        self.auth = auth
        self.texts = texts
        self.options = options
        screens = AuthScreens(auth.contract, socialProviders: options.socialProviders)
        state = auth.state
        phoneRegion = options.phoneRegion
        listen()
    }

    // MARK: Asking

    public var isSignedIn: Bool { if case .signedIn = state { true } else { false } }
    /// Whether it is not known yet if somebody is signed in, or something that a person asked for is under way.
    public var isLoading: Bool { state == .unknown || running.keys.contains(where: \.isAsked) }
    public var user: User? {
        if case .signedIn(let session, _) = state { session.user } else { nil }
    }
    public func isBusy(_ action: AuthAction) -> Bool { running[action] != nil }
    /// What the person is asked for after ``AuthStep/challenge(_:)``; nil for a step that cannot be taken here.
    public var challengeForm: ChallengeForm? {
        guard case .challenge = step else { return nil }
        return challenge.flatMap { ChallengeForm($0) }
    }

    public func dismissError() { error = nil }
    public func dismiss(_ notice: AuthNotice) { notices.removeAll { $0 == notice } }
}

/// How far a sign-in of several steps has come.
public enum AuthStep: Hashable, Sendable {
    case start
    /// A code is on its way to the phone number.
    case codeSent
    /// The code was right; a password is chosen next.
    case codeVerified
    /// The identity provider asks for another step, of that name.
    case challenge(String)
    /// A mail with a link finishes the registration.
    case confirmationSent
    /// If there is an account, a mail with a link is on its way.
    case resetSent
    /// The new password holds: sign in with it.
    case passwordReset
}

/// Something a person should know that is no error of theirs.
public enum AuthNotice: String, Hashable, Sendable, CaseIterable {
    /// The device cannot keep the session: it lasts until the app ends.
    case memoryOnly = "memory_only"
    case passwordChanged = "password_changed"
    case profileSaved = "profile_saved"
    /// The session is over here; the server could not be told yet.
    case signOutUntold = "sign_out_untold"
    case accountDeleted = "account_deleted"
    /// The lock no longer opens for the session that was: the device knows other faces or fingers.
    case enrolmentChanged = "enrolment_changed"
    /// The lock no longer opens for the session that was: the device knows nobody.
    case nobodyEnrolled = "nobody_enrolled"

    /// Whether it is about a session that is over.
    var isFarewell: Bool {
        switch self {
        case .signOutUntold, .accountDeleted, .enrolmentChanged, .nobodyEnrolled: true
        case .memoryOnly, .passwordChanged, .profileSaved: false
        }
    }
}
