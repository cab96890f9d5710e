public import OstiaryCore

/// The server's `AuthService`: the rules of one app, on behalf of one caller. Knows no HTTP and no SQL.
public struct AuthEngine: Sendable {
    public let caller: Caller
    private let shared: Shared

    /// What is the same for every caller, behind one reference: each request has an engine of its own.
    private final class Shared: Sendable {
        let app: AppSettings
        let ports: Ports
        let renewals = Renewals()
        let farewells = Farewells()

        init(app: AppSettings, ports: Ports) {
            self.app = app
            self.ports = ports
        }
    }

    public var app: AppSettings { shared.app }
    public var ports: Ports { shared.ports }
    var renewals: Renewals { shared.renewals }
    var farewells: Farewells { shared.farewells }

    public init(app: AppSettings, ports: Ports, caller: Caller = Caller()) {
        self.init(Shared(app: app, ports: ports), caller)
    }

    private init(_ shared: Shared, _ caller: Caller) {
        self.shared = shared
        self.caller = caller
    }

    /// The same engine for a request from `caller`.
    public func serving(_ caller: Caller) -> AuthEngine { AuthEngine(shared, caller) }
}

/// Everything the engine reaches the world through.
public struct Ports: Sendable {
    public var store: any Store
    /// Counts what only guards against floods.
    public var floods: VolatileAttempts
    public var courier: any Courier
    public var passwords: any PasswordHashing
    public var accessTokens: any AccessTokens
    public var refreshTokens: any RefreshTokens
    /// Who vouches for people besides our own passwords and codes.
    public var identities: IdentitySources
    public var keys: KeyRing
    public var surroundings: Surroundings
    /// Counts messages that a cap held back, for metrics.
    public var capHits: MessageCapHits
    /// Logs an unexpected failure and returns the id it was logged under.
    public var report: @Sendable (any Error) -> String

    public init(
        store: any Store, floods: VolatileAttempts, courier: any Courier, passwords: any PasswordHashing,
        accessTokens: any AccessTokens, refreshTokens: any RefreshTokens,
        identities: IdentitySources = IdentitySources(), keys: KeyRing, surroundings: Surroundings,
        capHits: MessageCapHits = MessageCapHits(), report: @escaping @Sendable (any Error) -> String
    ) {
        self.store = store
        self.floods = floods
        self.courier = courier
        self.passwords = passwords
        self.accessTokens = accessTokens
        self.refreshTokens = refreshTokens
        self.identities = identities
        self.keys = keys
        self.surroundings = surroundings
        self.capHits = capHits
        self.report = report
    }
}

extension AuthEngine: AuthService {
    public func register(_ call: Register) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: Registering(call: call)))
    }
    public func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: ConfirmingRegistration(call: call)))
    }
    public func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: SigningIn(call: call)))
    }
    public func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested {
        try await run(RequestingCode(call: call))
    }
    public func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified {
        try await run(VerifyingCode(call: call))
    }
    public func refresh(_ call: Refresh) async throws(AuthError) -> Tokens { try await run(Refreshing(call: call)) }
    public func signOut(_ call: SignOut) async throws(AuthError) -> Done { try await run(SigningOut(call: call)) }

    public func currentUser(_ call: CurrentUser) async throws(AuthError) -> User {
        try await run(ReadingUser(call: call))
    }
    public func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User {
        try await run(UpdatingProfile(call: call))
    }
    public func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged {
        try await run(ChangingPassword(call: call))
    }
    public func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done {
        try await run(RequestingPasswordReset(call: call))
    }
    public func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done {
        try await run(ResettingPassword(call: call))
    }
    public func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done {
        try await run(DeletingAccount(call: call))
    }

    public func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary] {
        try await run(ListingSessions(call: call))
    }
    public func endSession(_ call: EndSession) async throws(AuthError) -> Done {
        try await run(EndingSession(call: call))
    }
    public func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey {
        try await run(IssuingSigningKey(call: call))
    }

    public func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination {
        try await run(BeginningBrowserSignIn(call: call))
    }

    public func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: CompletingBrowserSignIn(call: call)))
    }

    public func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        try await run(ReadingSocialConfiguration(call: call))
    }

    public func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination {
        try await run(BeginningSocialSignIn(call: call))
    }

    public func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: CompletingSocialSignIn(call: call)))
    }

    public func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: SigningInWithIdentityToken(call: call)))
    }

    public func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: AnsweringChallenge(call: call)))
    }
}

/// What a browser asks for beside the contract.
extension AuthEngine {
    /// Who can be chosen to sign in at, in the order in which they are offered.
    public var providerChoices: [ProviderDescription] { ports.identities.providers.map(\.description) }

    /// Where the browser goes that follows the address of a social sign-in.
    ///
    /// - Throws: ``AuthError/authorizationRefused`` for an id that is unknown, over or used;
    ///   ``AuthError/malformedRequest`` for a caller without a browser's value.
    public func startBrowser(id: Secret<String>) async throws(AuthError) -> BrowserDestination {
        try await run(StartingBrowser(id: id))
    }

    /// Where the browser goes that comes back from a provider: to the app, with a code or an error.
    ///
    /// - Throws: ``AuthError/authorizationRefused`` for a state that is unknown, over, used, or of another browser, and for
    ///   an answer of another provider: the browser must not be sent anywhere then.
    public func returnFromProvider(_ call: ProviderReturn) async throws(AuthError) -> BrowserDestination {
        try await run(ReturningFromProvider(call: call))
    }
}
