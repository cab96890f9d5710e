public import Observation
public import OstiaryClient
import OstiaryContracts
public import OstiaryCore

/// The state and the actions of the screens of a sign-in, the same for every contract.
///
/// Create one for the app, beside its client. Actions begin at once and are visible in ``isBusy(_:)-(AuthAction)``;
/// their results are in ``state``, ``step``, ``error`` and ``notices``. Starting an action that is already running has
/// no effect.
///
/// ```swift
/// let model = AuthViewModel(auth)
/// TextField("Email", text: $model.fields.identifier)
/// Button("Sign in") { model.signIn() }.disabled(!model.canSubmit(.signIn))
/// ```
@MainActor
@Observable
public final class AuthViewModel {
    // MARK: Parts

    /// The forms that the contract offers, with their fields.
    public let screens: AuthScreens
    /// The texts in the language of the screens.
    public let texts: AuthTexts
    @ObservationIgnored let auth: any AuthActions
    @ObservationIgnored let options: Options

    // MARK: State

    /// The state of the session, as the client last published it.
    public internal(set) var state: SessionState
    /// The progress of a sign-in in several steps.
    public internal(set) var step = AuthStep.start
    /// The error of the latest action; `nil` once another action begins.
    public internal(set) var error: ShownError?
    /// Further information for the person, the latest last.
    public internal(set) var notices: [AuthNotice] = []
    /// The account's sessions, loaded by ``loadSessions()``.
    public internal(set) var sessions: [SessionSummary] = []
    /// The devices that the account recognizes, loaded by ``loadDevices()``.
    public internal(set) var devices: [DeviceSummary] = []
    /// The accounts that are signed in on this device, loaded by ``loadAccounts()``.
    public internal(set) var accounts: [SessionSnapshot] = []
    /// The account's second factors, loaded by ``loadFactors()``; `nil` until then.
    public internal(set) var factors: FactorList?
    /// The failure of the latest ``loadFactors()``; `nil` after a success.
    public internal(set) var factorsError: ShownError?
    /// The token of a device link that opened the app, for ``redeemDeviceLink()``; `nil` without one.
    public internal(set) var deviceLinkToken: Secret<String>?
    /// The authenticator app that ``addTOTP()`` began to add; `nil` without one.
    public internal(set) var pendingTOTP: PendingTOTP?
    /// The number of factors that were added since the app started, for a screen that adds one.
    public internal(set) var addedFactors = 0
    /// The recovery codes to show once, until ``didSaveRecoveryCodes()``; `nil` without new ones.
    public internal(set) var recoveryCodes: [Secret<String>]?
    /// The seconds until another code may be requested; 0 if one may be requested now.
    public internal(set) var resendSeconds = 0

    // MARK: Visibility

    /// `true` from the moment that all scenes of the app are in the background until the lock has been evaluated after
    /// that.
    public internal(set) var isInBackground = false
    /// `true` if the session was locked while the app was in the foreground, for example by a button. The lock screen
    /// then does not prompt by itself.
    public internal(set) var wasLockedInFront = false

    // MARK: Input

    /// The typed values. A change removes the error at a changed field.
    public var fields = AuthFields() {
        didSet { if fields != oldValue { fieldsChanged(from: oldValue) } }
    }
    /// The region whose national phone numbers are accepted; `nil` for international numbers only.
    public var phoneRegion: PhoneRegion? {
        didSet { if phoneRegion != oldValue { numberChanged() } }
    }
    /// The regions to choose from, with their names in the language of ``texts``.
    @ObservationIgnored public private(set) lazy var phoneRegions = NamedPhoneRegion.all(in: texts.language)
    /// Entries that the person has completed, or tried to submit.
    var visitedEntries: Set<AuthFields.Entry> = []

    // MARK: Actions under way

    var running: [AuthAction: RunningAction] = [:]
    @ObservationIgnored var startedCount = 0
    @ObservationIgnored var retryAction: (@MainActor (AuthViewModel) -> Task<Void, Never>?)?
    @ObservationIgnored var code: RequestedCode?
    @ObservationIgnored var challenge: Challenge?
    /// The method that the person chose for the challenge; `nil` for the first one that can be used here.
    var chosenMethod: ChallengeMethod?
    /// The method that the person chose for the step-up; `nil` for the first one that can be used here.
    var chosenStepUpMethod: ChallengeMethod?
    /// The kinds of factors that the server does not let people add.
    var refusedFactors: Set<ChallengeMethod> = []
    @ObservationIgnored var listening: [AutoCancellingTask] = []
    @ObservationIgnored var countdown: AutoCancellingTask?
    @ObservationIgnored var scenes = SceneActivity()
    /// The client's, if it has one.
    let stepUpPrompt: StepUpPrompt
    /// The input of the screen below a step-up.
    @ObservationIgnored var fieldsBelowStepUp: AuthFields?
    /// The session whose factors are known, also while it is locked.
    @ObservationIgnored var factorSession: ClientSession.ID?

    /// The settings of a view model besides its client. Each has a default.
    public struct Options: Sendable {
        /// The rules for new passwords. The server may require a longer minimum: `passwords.minimum_length`.
        public var passwords = PasswordRule()
        /// The rules for one-time codes.
        public var codes = CodeRule()
        /// The minimum time between two codes, unless the server gives another one.
        public var codeCooldown: Duration = .seconds(60)
        /// The app's name, which counts as an own name in the check of a new password.
        public var appName: String?
        /// The identity providers with a button each; `nil` for those of the contract.
        public var socialProviders: [String]?
        /// The initial region for phone numbers, by default the device's; `nil` for international numbers only.
        public var phoneRegion = PhoneRegion.ofDevice
        /// The source of passkeys, for example `PasskeyAuthenticator`; `nil` for screens without passkeys.
        public var passkeys: (any PasskeyCredentialProvider)?
        /// The clocks that countdowns and waiting times use.
        public var system = ClientDependencies.system

        /// Creates the default options.
        public init() {}
    }

    /// Creates a view model that observes a client.
    ///
    /// - Parameters:
    ///   - auth: The client.
    ///   - texts: The texts of the screens.
    ///   - options: Further settings.
    public init(_ auth: any AuthActions, texts: AuthTexts = .preferred, options: Options = Options()) {
        self.auth = auth
        self.texts = texts
        self.options = options
        screens = AuthScreens(auth.contract, socialProviders: options.socialProviders)
        state = auth.state
        phoneRegion = options.phoneRegion
        stepUpPrompt = auth.stepUpHandler as? StepUpPrompt ?? StepUpPrompt()
        factorSession = session
        separateStepUpInput()
        listen()
    }

    // MARK: Queries

    /// `true` if a session exists and is not locked.
    public var isSignedIn: Bool { if case .signedIn = state { true } else { false } }
    /// `true` while the state of the session is unknown, or an action that the person started is under way.
    public var isLoading: Bool { state == .unknown || running.keys.contains(where: \.isAsked) }
    /// The user of the session; `nil` if there is none, or the user was not loaded yet.
    public var user: User? {
        if case .signedIn(let session, _) = state { session.user } else { nil }
    }
    /// The session; `nil` if there is none, or it is locked.
    var session: ClientSession.ID? { if case .signedIn(let session, _) = state { session.id } else { nil } }
    /// Returns `true` while the action is running.
    public func isBusy(_ action: AuthAction) -> Bool { running[action] != nil }

    /// Returns `true` while a form is being sent.
    public func isBusy(_ form: AuthForm) -> Bool { isBusy(.form(form)) }
    /// The form for the step ``AuthStep/challenge(_:)``; `nil` for a challenge that this package does not support.
    public var challengeForm: ChallengeForm? {
        guard case .challenge = step, let challenge else { return nil }
        return ChallengeForm(challenge, method: challengeMethod)
    }

    /// The methods by which the person can answer the second factor here, in the server's order; empty for every other
    /// step.
    public var challengeMethods: [ChallengeMethod] {
        guard case .challenge(Challenge.secondFactor) = step, let challenge else { return [] }
        return supported(challenge.methods)
    }

    /// The current one of ``challengeMethods``: the one that was chosen, or the first.
    public var challengeMethod: ChallengeMethod? {
        let methods = challengeMethods
        return methods.first { $0 == chosenMethod } ?? methods.first
    }

    /// `true` if the app has passkeys, and the contract lets people sign in with them.
    public var offersPasskeySignIn: Bool {
        options.passkeys != nil && auth.contract.endpoint(for: .signInWithPasskey) != nil
    }

    /// Removes the error from the screens.
    public func dismissError() { error = nil }
    /// Removes a notice from the screens.
    public func dismiss(_ notice: AuthNotice) { notices.removeAll { $0 == notice } }
}

/// The progress of a sign-in in several steps.
public enum AuthStep: Hashable, Sendable {
    /// No step was taken yet.
    case start
    /// A code was sent to the phone number.
    case codeSent
    /// The code was accepted; a password is chosen next.
    case codeVerified
    /// The identity provider requires the challenge of that name.
    case challenge(String)
    /// A mail with a link to complete the registration was sent.
    case confirmationSent
    /// A mail with a link was sent if the account exists.
    case resetSent
    /// The new password was set; the next step is to sign in with it.
    case passwordReset
}

/// Information for the person that is not an error.
public enum AuthNotice: String, Hashable, Sendable, CaseIterable {
    /// The device cannot store the session, which lasts until the app terminates.
    case memoryOnly = "memory_only"
    /// A second factor was added, renamed or removed.
    case factorAdded = "screen_factor_added"
    case factorRenamed = "screen_factor_renamed"
    case factorRemoved = "screen_factor_removed"
    /// The password was changed.
    case passwordChanged = "password_changed"
    /// The name was saved.
    case profileSaved = "profile_saved"
    /// The session has ended on this device; the server could not be reached yet to revoke it.
    case revocationPending = "sign_out_untold"
    /// A link by which the account recognizes this device was sent if the account exists.
    case deviceLinkSent = "screen_device_link_sent"
    /// The account recognizes this device; the next step is to sign in.
    case deviceRecognized = "screen_device_recognized"
    /// The account was deleted.
    case accountDeleted = "account_deleted"
    /// The lock can no longer open for the former session, because the enrolled faces or fingers have changed.
    case enrolmentChanged = "enrolment_changed"
    /// The lock can no longer open for the former session, because the device has no enrolment.
    case notEnrolled = "nobody_enrolled"

    /// Returns `true` if the notice is about a session that has ended.
    var isSignOut: Bool {
        switch self {
        case .revocationPending, .accountDeleted, .enrolmentChanged, .notEnrolled: true
        case .memoryOnly, .passwordChanged, .profileSaved, .factorAdded, .factorRenamed, .factorRemoved,
            .deviceLinkSent, .deviceRecognized:
            false
        }
    }
}
