public import OstiaryCore

/// The server's `AuthService`: the rules of one app, on behalf of one caller. Independent of HTTP and SQL.
public struct AuthEngine: Sendable {
    /// The origin of the requests that this engine serves.
    public let caller: Caller
    private let shared: Shared

    /// The state common to all callers, behind one reference: each request has its own engine.
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

    /// The settings of the app that the engine serves.
    public var app: AppSettings { shared.app }
    /// The engine's ports.
    public var ports: Ports { shared.ports }
    var renewals: Renewals { shared.renewals }
    var farewells: Farewells { shared.farewells }

    /// Creates an engine for an app. Engines made of it by ``serving(_:)`` share its state.
    public init(app: AppSettings, ports: Ports, caller: Caller = Caller()) {
        self.init(Shared(app: app, ports: ports), caller)
    }

    private init(_ shared: Shared, _ caller: Caller) {
        self.shared = shared
        self.caller = caller
    }

    /// Returns an engine with the same state for a request from `caller`.
    public func serving(_ caller: Caller) -> AuthEngine { AuthEngine(shared, caller) }
}

/// The ports and dependencies of an engine.
public struct Ports: Sendable {
    /// The store of all persistent state.
    public var store: any Store
    /// Counts attempts of the kinds that are limited only to resist floods, in memory.
    public var floods: VolatileAttempts
    /// Seals messages for delivery.
    public var courier: any Courier
    /// Hashes and checks passwords.
    public var passwords: any PasswordHashing
    /// Issues and verifies access tokens.
    public var accessTokens: any AccessTokens
    /// Writes and reads refresh tokens.
    public var refreshTokens: any RefreshTokens
    /// The external identity providers, and the authority that verifies passwords, if the app has them.
    public var identities: IdentitySources
    /// The keys derived from the configured `encryption_key`.
    public var keys: KeyRing
    /// The clock, randomness and delays.
    public var surroundings: Surroundings
    /// Counts messages that a cap suppressed, for metrics.
    public var capHits: MessageCapHits
    /// Logs an unexpected failure and returns the incident id it was logged under.
    public var report: @Sendable (any Error) -> String

    /// Creates the ports from their parts.
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
    /// Registers an account and signs it in. See `Register`.
    public func register(_ call: Register) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: Registering(call: call)))
    }
    /// Completes a registration that the owner of the address confirmed. See `ConfirmRegistration`.
    public func confirmRegistration(_ call: ConfirmRegistration) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: ConfirmingRegistration(call: call)))
    }
    /// Signs in with a password. See `SignIn`.
    public func signIn(_ call: SignIn) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: SigningIn(call: call)))
    }
    /// Sends a one-time code. See `RequestCode`.
    public func requestCode(_ call: RequestCode) async throws(AuthError) -> CodeRequested {
        try await run(RequestingCode(call: call))
    }
    /// Verifies a one-time code without spending it. See `VerifyCode`.
    public func verifyCode(_ call: VerifyCode) async throws(AuthError) -> CodeVerified {
        try await run(VerifyingCode(call: call))
    }
    /// Exchanges a refresh token for new tokens. See `Refresh`.
    public func refresh(_ call: Refresh) async throws(AuthError) -> Tokens { try await run(Refreshing(call: call)) }
    /// Ends the session of the given tokens. See `SignOut`.
    public func signOut(_ call: SignOut) async throws(AuthError) -> Done { try await run(SigningOut(call: call)) }

    /// Returns the account that an access token belongs to. See `CurrentUser`.
    public func currentUser(_ call: CurrentUser) async throws(AuthError) -> User {
        try await run(ReadingUser(call: call))
    }
    /// Changes the profile of the signed-in account. See `UpdateProfile`.
    public func updateProfile(_ call: UpdateProfile) async throws(AuthError) -> User {
        try await run(UpdatingProfile(call: call))
    }
    /// Replaces the password of the signed-in account. See `ChangePassword`.
    public func changePassword(_ call: ChangePassword) async throws(AuthError) -> PasswordChanged {
        try await run(ChangingPassword(call: call))
    }
    /// Sends a password reset token, if there is an account. See `RequestPasswordReset`.
    public func requestPasswordReset(_ call: RequestPasswordReset) async throws(AuthError) -> Done {
        try await run(RequestingPasswordReset(call: call))
    }
    /// Sets a new password with a reset token or a code. See `ResetPassword`.
    public func resetPassword(_ call: ResetPassword) async throws(AuthError) -> Done {
        try await run(ResettingPassword(call: call))
    }
    /// Deletes the signed-in account. See `DeleteAccount`.
    public func deleteAccount(_ call: DeleteAccount) async throws(AuthError) -> Done {
        try await run(DeletingAccount(call: call))
    }

    /// Lists the live sessions of the signed-in account. See `ListSessions`.
    public func listSessions(_ call: ListSessions) async throws(AuthError) -> [SessionSummary] {
        try await run(ListingSessions(call: call))
    }
    /// Ends one of the signed-in account's sessions. See `EndSession`.
    public func endSession(_ call: EndSession) async throws(AuthError) -> Done {
        try await run(EndingSession(call: call))
    }
    /// Issues the key that the session signs its requests with. See `IssueSigningKey`.
    public func issueSigningKey(_ call: IssueSigningKey) async throws(AuthError) -> RequestSigningKey {
        try await run(IssuingSigningKey(call: call))
    }

    /// Returns the URL at which a browser sign-in begins. See `BeginBrowserSignIn`.
    public func beginBrowserSignIn(_ call: BeginBrowserSignIn) async throws(AuthError) -> BrowserDestination {
        try await run(BeginningBrowserSignIn(call: call))
    }

    /// Completes a browser sign-in. See `CompleteBrowserSignIn`.
    public func completeBrowserSignIn(_ call: CompleteBrowserSignIn) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: CompletingBrowserSignIn(call: call)))
    }

    /// Returns the public settings of the social provider. See `GetSocialConfiguration`.
    public func socialConfiguration(_ call: GetSocialConfiguration) async throws(AuthError) -> SocialConfiguration {
        try await run(ReadingSocialConfiguration(call: call))
    }

    /// Returns the URL at which a social sign-in begins. See `BeginSocialSignIn`.
    public func beginSocialSignIn(_ call: BeginSocialSignIn) async throws(AuthError) -> BrowserDestination {
        try await run(BeginningSocialSignIn(call: call))
    }

    /// Completes a social sign-in. See `CompleteSocialSignIn`.
    public func completeSocialSignIn(_ call: CompleteSocialSignIn) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: CompletingSocialSignIn(call: call)))
    }

    /// Signs in with an ID token that the device obtained itself. See `SignInWithIdentityToken`.
    public func signInWithIdentityToken(_ call: SignInWithIdentityToken) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: SigningInWithIdentityToken(call: call)))
    }

    /// Answers the next step of a sign-in at a password authority. See `AnswerChallenge`.
    public func answerChallenge(_ call: AnswerChallenge) async throws(AuthError) -> SignedIn {
        try await run(OpeningSession(step: AnsweringChallenge(call: call)))
    }
}

/// The requests of a browser that are not part of the contract.
extension AuthEngine {
    /// The providers that can be chosen for a sign-in, in the order in which they are offered.
    public var providerChoices: [ProviderDescription] { ports.identities.providers.map(\.description) }

    /// Returns the URL for a browser that opened the address of a social sign-in, and binds the sign-in to that
    /// browser.
    ///
    /// - Throws: `AuthError.authorizationRefused` for an id that is unknown, expired or used;
    ///   `AuthError.malformedRequest` for a caller without a browser's value.
    public func startBrowser(id: Secret<String>) async throws(AuthError) -> BrowserDestination {
        try await run(StartingBrowser(id: id))
    }

    /// Returns the URL for a browser that returns from a provider: the app's redirect URI, with a code or an error.
    ///
    /// - Throws: `AuthError.authorizationRefused` for a state that is unknown, expired, used, or of another browser,
    ///   and for a response of another provider: the browser must not be redirected then.
    public func returnFromProvider(_ call: ProviderReturn) async throws(AuthError) -> BrowserDestination {
        try await run(ReturningFromProvider(call: call))
    }
}
