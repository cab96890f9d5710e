public import Foundation
public import OstiaryCore

/// What holds for one app of a server: its contract's rules, with what the configuration changed.
public struct AppSettings: Sendable {
    public var name: AppName
    public var rules: AppRules
    /// Where a browser sign-in may return to.
    public var redirectURIs: RedirectURIs
    /// What the contract's paths begin with: our own pages of a browser sign-in stand beside them.
    public var pathPrefix: String
    /// How long a sign-in in the browser may take, in seconds.
    public var browserSeconds: Int
    /// ``browserSeconds`` where nothing else is said.
    public static let usualBrowserSeconds = 600
    /// How long a session lives however often it is refreshed, in seconds.
    public var sessionSeconds: Int
    public var replay: ReplayPolicy
    public var passwords: PasswordPolicy
    public var codes: CodePolicy
    public var resets: ResetPolicy
    public var limits: RateLimits
    public var messages: MessageCaps
    /// What phone numbers that get text messages begin with; nil for any.
    public var callingCodes: [CallingCode]?
    public var browserSignIns: BrowserSignInCaps
    /// Whether registration answers everyone alike and lets the owner of the address finish it.
    public var registersSafely: Bool
    /// Whether requests of signed-in people are signed with a key of their session.
    public var requestSigning: RequestSigning
    /// Whether a change of password answers with new tokens, so that the session's current refresh token can be withdrawn.
    public var passwordChangeRenewsTokens: Bool

    public init(
        name: AppName, rules: AppRules, redirectURIs: RedirectURIs = RedirectURIs([]), pathPrefix: String = "",
        browserSeconds: Int = usualBrowserSeconds, sessionSeconds: Int = 31_536_000,
        replay: ReplayPolicy = ReplayPolicy(), passwords: PasswordPolicy = PasswordPolicy(),
        codes: CodePolicy = CodePolicy(), resets: ResetPolicy = ResetPolicy(), limits: RateLimits = RateLimits(),
        messages: MessageCaps = MessageCaps(), callingCodes: [CallingCode]? = nil,
        browserSignIns: BrowserSignInCaps = BrowserSignInCaps(), registersSafely: Bool = false,
        requestSigning: RequestSigning = .accepted, passwordChangeRenewsTokens: Bool = true
    ) {
        self.name = name
        self.rules = rules
        self.redirectURIs = redirectURIs
        self.pathPrefix = pathPrefix
        self.browserSeconds = browserSeconds
        self.sessionSeconds = sessionSeconds
        self.replay = replay
        self.passwords = passwords
        self.codes = codes
        self.resets = resets
        self.limits = limits
        self.messages = messages
        self.callingCodes = callingCodes
        self.browserSignIns = browserSignIns
        self.registersSafely = registersSafely
        self.requestSigning = requestSigning
        self.passwordChangeRenewsTokens = passwordChangeRenewsTokens
    }
}

/// How one-time codes are made.
public struct CodePolicy: Sendable {
    public var digits: Int
    public var lifetimeSeconds: Int
    public var tries: Int
    public var resendAfterSeconds: Int
    /// Numbers whose code is fixed, for App Review: exempt from the cooldown, nothing is sent.
    public var testNumbers: [PhoneNumber: TestCode]

    public struct TestCode: Hashable, Sendable {
        public var code: OneTimeCode
        public var until: Date

        public init(code: OneTimeCode, until: Date) {
            self.code = code
            self.until = until
        }
    }

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

/// How password reset tokens are made.
public struct ResetPolicy: Sendable {
    public var lifetimeSeconds: Int
    /// Within so many seconds, a second request for one address answers the same and sends nothing.
    public var silentSeconds: Int

    public init(lifetimeSeconds: Int = 3600, silentSeconds: Int = 60) {
        self.lifetimeSeconds = lifetimeSeconds
        self.silentSeconds = silentSeconds
    }
}
