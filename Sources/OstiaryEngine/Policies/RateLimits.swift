/// What kind of attempt is counted; each kind has buckets of its own.
public enum AttemptKind: String, CaseIterable, Hashable, Sendable {
    case signIn = "sign_in"
    case codeRequest = "code_request"
    case codeCheck = "code_check"
    case reset
    case register
    case refresh
    /// Every step of a sign-in at an identity provider.
    case browser
    /// Everything else.
    case other

    /// Whether the count must hold across restarts and nodes. Guesses are counted in the store; what only guards against
    /// floods is counted in memory, so that reading a profile never waits for a disk.
    var isDurable: Bool {
        switch self {
        case .signIn, .codeRequest, .codeCheck, .reset, .register: true
        case .refresh, .browser, .other: false
        }
    }

    /// Whether a secret is judged, so that only failures count against the caller's network.
    var isGuess: Bool { self == .signIn || self == .codeCheck }
}

/// How many attempts of each kind an app allows, per network address and per identifier.
public struct RateLimits: Hashable, Sendable {
    public var perAddress: [AttemptKind: RateLimit]
    public var perIdentifier: [AttemptKind: RateLimit]

    public init(perAddress: [AttemptKind: RateLimit] = [:], perIdentifier: [AttemptKind: RateLimit] = [:]) {
        self.perAddress = Self.addressDefaults.merging(perAddress) { _, chosen in chosen }
        self.perIdentifier = Self.identifierDefaults.merging(perIdentifier) { _, chosen in chosen }
    }

    public static let identifierDefaults: [AttemptKind: RateLimit] = [
        .signIn: RateLimit(attempts: 10, perSeconds: 60),
        .codeRequest: RateLimit(attempts: 5, perSeconds: 600),
        .codeCheck: RateLimit(attempts: 10, perSeconds: 3600),
        .reset: RateLimit(attempts: 5, perSeconds: 600),
        .register: RateLimit(attempts: 10, perSeconds: 600),
        .refresh: RateLimit(attempts: 120, perSeconds: 60),
        .browser: RateLimit(attempts: 60, perSeconds: 60),
        .other: RateLimit(attempts: 600, perSeconds: 60),
    ]

    public static let addressDefaults: [AttemptKind: RateLimit] = [
        .signIn: RateLimit(attempts: 10, perSeconds: 60),
        .codeRequest: RateLimit(attempts: 20, perSeconds: 600),
        .codeCheck: RateLimit(attempts: 60, perSeconds: 3600),
        .reset: RateLimit(attempts: 20, perSeconds: 600),
        .register: RateLimit(attempts: 20, perSeconds: 600),
        .refresh: RateLimit(attempts: 600, perSeconds: 60),
        .browser: RateLimit(attempts: 240, perSeconds: 60),
        .other: RateLimit(attempts: 1200, perSeconds: 60),
    ]
}
