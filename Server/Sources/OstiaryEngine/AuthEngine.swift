public import OstiaryCore

/// The server's `AuthService`: the rules of one app, on behalf of one caller. Knows no HTTP and no SQL.
public struct AuthEngine: Sendable {
    public let caller: Caller
    private let shared: Shared

    /// What is the same for every caller, behind one reference: each request has an engine of its own.
    private final class Shared: Sendable {
        let app: AppSettings
        let ports: Ports

        init(app: AppSettings, ports: Ports) {
            self.app = app
            self.ports = ports
        }
    }

    public var app: AppSettings { shared.app }
    public var ports: Ports { shared.ports }

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
    public var accounts: any AccountStore
    public var sessions: any SessionStore
    public var codes: any CodeStore
    public var resetTokens: any ResetTokenStore
    public var tickets: any TicketStore
    public var attempts: any AttemptStore
    /// Counts what only guards against floods.
    public var floods: VolatileAttempts
    public var audit: any AuditLog
    public var courier: any Courier
    public var passwords: any PasswordHashing
    public var accessTokens: any AccessTokens
    public var refreshTokens: any RefreshTokens
    /// Who vouches for people besides our own passwords and codes.
    public var identities: IdentitySources
    public var keys: KeyRing
    public var surroundings: Surroundings
    /// Logs an unexpected failure and returns the id it was logged under.
    public var report: @Sendable (any Error) -> String

    public init(
        accounts: any AccountStore, sessions: any SessionStore, codes: any CodeStore, resetTokens: any ResetTokenStore,
        tickets: any TicketStore, attempts: any AttemptStore, floods: VolatileAttempts, audit: any AuditLog,
        courier: any Courier,
        passwords: any PasswordHashing, accessTokens: any AccessTokens, refreshTokens: any RefreshTokens,
        identities: IdentitySources = IdentitySources(), keys: KeyRing, surroundings: Surroundings,
        report: @escaping @Sendable (any Error) -> String
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.codes = codes
        self.resetTokens = resetTokens
        self.tickets = tickets
        self.attempts = attempts
        self.floods = floods
        self.audit = audit
        self.courier = courier
        self.passwords = passwords
        self.accessTokens = accessTokens
        self.refreshTokens = refreshTokens
        self.identities = identities
        self.keys = keys
        self.surroundings = surroundings
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
    public func changePassword(_ call: ChangePassword) async throws(AuthError) -> Done {
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

    // No identity provider is connected yet: nothing can be begun, so every code and state is one that nobody was given.
    public func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination {
        guard app.redirectURIs.contains(call.redirectURI) else {
            throw .redirectURIRefused
        }
        throw .notConfigured
    }
    public func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn {
        throw .authorizationRefused
    }
    public func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        throw .notConfigured
    }
    public func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination {
        throw .notConfigured
    }
    public func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn {
        throw .notConfigured
    }
    public func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn {
        throw .notConfigured
    }
    public func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn {
        throw .authorizationRefused
    }
}
