public import Foundation
public import OstiaryCore

/// The settings of one app of a server: its contract's rules, with the changes of the configuration.
public struct AppSettings: Sendable {
    /// The app's name.
    public var name: AppName
    /// The rules of the app's contract.
    public var rules: AppRules
    /// The redirect URIs that a browser sign-in may return to.
    public var redirectURIs: RedirectURIs
    /// The common prefix of the contract's paths and of the server's own pages of a browser sign-in.
    public var pathPrefix: String
    /// The time within which a sign-in in the browser must be completed, in seconds.
    public var browserSeconds: Int
    /// The default of ``browserSeconds``.
    public static let usualBrowserSeconds = 600
    /// The limits of sessions.
    public var sessions: SessionPolicy
    /// The rule for refresh tokens that are presented again.
    public var replay: ReplayPolicy
    /// The requirements for new passwords.
    public var passwords: PasswordPolicy
    /// The settings of one-time codes.
    public var codes: CodePolicy
    /// The settings of password resets.
    public var resets: ResetPolicy
    /// The rate limits of attempts.
    public var limits: RateLimits
    /// The caps on sent messages.
    public var messages: MessageCaps
    /// The prefixes of phone numbers that text messages are sent to; `nil` for any.
    public var callingCodes: [CallingCode]?
    /// The caps on registrations.
    public var registrations: RegistrationCaps
    /// The limit of failed sign-ins with many identifiers from one network.
    public var stuffing: CredentialStuffingPolicy
    /// The limit of accounts for which one password may fail.
    public var spraying: PasswordSprayingPolicy
    /// The caps on unfinished browser sign-ins.
    public var browserSignIns: BrowserSignInCaps
    /// `true` if registration answers alike whether or not the address has an account, and the owner of the address
    /// completes it.
    public var registersSafely: Bool
    /// The signing of authenticated requests with a key of their session.
    public var requestSigning: RequestSigning
    /// The binding of sessions to a key of the client.
    public var dpop: DPoPSettings
    /// The rules for second factors.
    public var secondFactor: SecondFactorPolicy
    /// The reactions to the risk of a sign-in.
    public var risk: RiskPolicy
    /// `true` if the contract has the operations that answer a challenge by a code.
    public var answersChallenges: Bool
    /// The relying party of the app's passkeys; `nil` for an app without passkeys.
    public var passkeys: PasskeySettings?
    /// The verification of the app itself; `nil` for an app without it.
    public var appAttest: AppAttestSettings?
    /// The roles of the app and their permissions.
    public var roles: RoleDefinitions
    /// The account attributes that the app declares.
    public var attributes: AttributeDefinitions
    /// A role that an active account keeps: the last one that has it in every scope can neither lose it, nor be disabled or
    /// deleted. `nil` for an app without such a role.
    public var keptRole: String?
    /// `true` if a change of password answers with new tokens, so that the session's current refresh token can be
    /// withdrawn.
    public var passwordChangeRenewsTokens: Bool

    /// Creates settings from their parts; all but `name` and `rules` have defaults.
    public init(
        name: AppName, rules: AppRules, redirectURIs: RedirectURIs = RedirectURIs([]), pathPrefix: String = "",
        browserSeconds: Int = usualBrowserSeconds, sessions: SessionPolicy = SessionPolicy(),
        replay: ReplayPolicy = ReplayPolicy(), passwords: PasswordPolicy = PasswordPolicy(),
        codes: CodePolicy = CodePolicy(), resets: ResetPolicy = ResetPolicy(), limits: RateLimits = RateLimits(),
        messages: MessageCaps = MessageCaps(), callingCodes: [CallingCode]? = nil,
        registrations: RegistrationCaps = RegistrationCaps(),
        stuffing: CredentialStuffingPolicy = CredentialStuffingPolicy(),
        spraying: PasswordSprayingPolicy = PasswordSprayingPolicy(),
        browserSignIns: BrowserSignInCaps = BrowserSignInCaps(), registersSafely: Bool = false,
        requestSigning: RequestSigning = .accepted, dpop: DPoPSettings = DPoPSettings(),
        passwordChangeRenewsTokens: Bool = true,
        secondFactor: SecondFactorPolicy = SecondFactorPolicy(), risk: RiskPolicy = RiskPolicy(),
        answersChallenges: Bool = true, passkeys: PasskeySettings? = nil,
        appAttest: AppAttestSettings? = nil, roles: RoleDefinitions = RoleDefinitions(),
        attributes: AttributeDefinitions = .none
    ) {
        self.name = name
        self.rules = rules
        self.redirectURIs = redirectURIs
        self.pathPrefix = pathPrefix
        self.browserSeconds = browserSeconds
        self.sessions = sessions
        self.replay = replay
        self.passwords = passwords
        self.codes = codes
        self.resets = resets
        self.limits = limits
        self.messages = messages
        self.callingCodes = callingCodes
        self.registrations = registrations
        self.stuffing = stuffing
        self.spraying = spraying
        self.browserSignIns = browserSignIns
        self.registersSafely = registersSafely
        self.requestSigning = requestSigning
        self.dpop = dpop
        self.passwordChangeRenewsTokens = passwordChangeRenewsTokens
        self.secondFactor = secondFactor
        self.risk = risk
        self.answersChallenges = answersChallenges
        self.passkeys = passkeys
        self.appAttest = appAttest
        self.roles = roles
        self.attributes = attributes
    }
}

/// The settings of one-time codes.
public struct CodePolicy: Sendable {
    /// The number of digits.
    public var digits: Int
    /// The lifetime of a code, in seconds.
    public var lifetimeSeconds: Int
    /// The number of wrong guesses after which a code is refused.
    public var tries: Int
    /// The time after which another code can be requested for the same number, in seconds; 0 for no cooldown.
    public var resendAfterSeconds: Int
    /// Numbers whose code is fixed, for App Review: exempt from the cooldown; no message is sent.
    public var testNumbers: [PhoneNumber: TestCode]

    /// A fixed code.
    public struct TestCode: Hashable, Sendable {
        /// The code.
        public var code: OneTimeCode
        /// The time from which the code is no longer valid.
        public var until: Date

        /// Creates a fixed code from its parts.
        public init(code: OneTimeCode, until: Date) {
            self.code = code
            self.until = until
        }
    }

    /// Creates a policy from its parts.
    public init(
        digits: Int = 6, lifetimeSeconds: Int = 300, tries: Int = 5, resendAfterSeconds: Int = 60,
        testNumbers: [PhoneNumber: TestCode] = [:]
    ) {
        self.digits = digits
        self.lifetimeSeconds = lifetimeSeconds
        self.tries = tries
        self.resendAfterSeconds = resendAfterSeconds
        self.testNumbers = testNumbers
    }
}

/// The settings of password resets.
public struct ResetPolicy: Sendable {
    /// The lifetime of a reset token, in seconds.
    public var lifetimeSeconds: Int
    /// The time within which a second request for one address is answered alike but sends no message, in seconds; 0 for
    /// no such time.
    public var silentSeconds: Int

    /// Creates a policy from its parts.
    public init(lifetimeSeconds: Int = 3600, silentSeconds: Int = 60) {
        self.lifetimeSeconds = lifetimeSeconds
        self.silentSeconds = silentSeconds
    }
}
