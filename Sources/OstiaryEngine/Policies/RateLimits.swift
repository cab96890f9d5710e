public import OstiaryCore

/// The rate limits of an app by kind of attempt, per network address and per identifier.
public struct RateLimits: Hashable, Sendable {
    /// The limits per network address.
    public var perAddress: [AttemptKind: RateLimit]
    /// The limits per identifier.
    public var perIdentifier: [AttemptKind: RateLimit]

    /// Creates limits; kinds that are not given have the defaults.
    public init(perAddress: [AttemptKind: RateLimit] = [:], perIdentifier: [AttemptKind: RateLimit] = [:]) {
        self.perAddress = Self.addressDefaults.merging(perAddress) { _, chosen in chosen }
        self.perIdentifier = Self.identifierDefaults.merging(perIdentifier) { _, chosen in chosen }
    }

    /// The default limits per identifier.
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

    /// The default limits per network address.
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

    /// The default limit of a client that authenticates, whose requests are not counted by its network address.
    public static let clientDefault = RateLimit(attempts: 12_000, perSeconds: 60)
}

extension AttemptKind {
    /// `true` if the count must hold across restarts and nodes. Guesses are counted in the store; counts that only
    /// resist floods are kept in memory, so reading a profile never waits for a disk.
    var isDurable: Bool {
        switch self {
        case .signIn, .codeRequest, .codeCheck, .reset, .register: true
        case .refresh, .browser, .other: false
        }
    }

    /// `true` if the attempt is a guess at a secret, so only failures count against the caller's network.
    var isGuess: Bool { self == .signIn || self == .codeCheck }
}
