import Foundation
import OstiaryContracts
import OstiaryCore

/// Everything a test server knows. Its operations are plain functions of this and of the time; see the extensions.
struct ServerState: Sendable {
    let app: String
    let identifiers: AppRules
    let rules: TestServerRules
    /// Whether a change of password answers with tokens.
    let renewsTokens: Bool
    let providers: [TestProvider]
    let redirectURIs: [String]
    var random: SeededRandom

    var accounts: [AccountID: ServerAccount] = [:]
    /// Usernames and emails in their canonical form: one set of names, in which none means two people.
    var names: [String: AccountID] = [:]
    var lastAccountNumber = 0
    var sessions: [SessionID: ServerSession] = [:]
    var lastSessionNumber = 0
    var accessTokens: [String: AccessGrant] = [:]
    var refreshTokens: [String: RefreshGrant] = [:]
    var codes: [PhoneNumber: PendingCode] = [:]
    var resets: [EmailAddress: PendingReset] = [:]
    var registrations: [String: PendingRegistration] = [:]
    var challenges: [String: PendingChallenge] = [:]
    var flows: [String: BrowserFlow] = [:]
    var identityTokens: [String: IssuedIdentityToken] = [:]
    /// When something may happen again, by what it is and for whom.
    var cooldowns: [String: Date] = [:]
    var messages: [TestMessage] = []
    var performed: [OperationKind] = []
    var refusals: [ScriptedRefusal] = []
    var routes: [TestRoute] = []

    init(_ contract: Contract, rules: TestServerRules, seed: UInt64) {
        app = contract.name
        identifiers = contract.rules
        self.rules = rules
        renewsTokens = contract.answersPasswordChangeWithTokens
        redirectURIs = contract.redirectURIs
        random = SeededRandom(seed: seed)
        providers = rules.providers ?? Self.suggestedProviders(contract)
    }

    private static func suggestedProviders(_ contract: Contract) -> [TestProvider] {
        if contract.rules.identifier == .subject { return [TestProvider(name: "oidc")] }
        guard !contract.socialProviders.isEmpty else { return [] }
        return [
            TestProvider(
                name: "auth0", services: contract.socialProviders, returnsToApp: true,
                configuration: SocialConfiguration(
                    domain: "auth0.test.example.com", clientID: "test-client", audience: "test-audience"))
        ]
    }

    var accessTokenSeconds: Int { rules.accessTokenSeconds ?? identifiers.accessTokenSeconds }

    /// - Returns: How many seconds to wait; nil if it may happen, and counts as having happened.
    mutating func cooldown(_ what: String, _ whose: String, seconds: Int, at now: Date) -> Int? {
        let key = "\(what) \(whose)"
        if let until = cooldowns[key], now < until {
            return max(1, Int(until.timeIntervalSince(now).rounded(.up)))
        }
        cooldowns[key] = now + TimeInterval(seconds)
        return nil
    }
}

/// A person's account.
struct ServerAccount: Sendable {
    var user: User
    /// Nil for people who sign in elsewhere.
    var password: Secret<String>?
    var isActive = true
    /// Who it is, at which provider.
    var identity: (issuer: String, subject: String)?
    var challenge: TestChallenge?

    /// Of a provider's account only one that has a password here.
    var signsInByEmail: Bool { identity == nil || password != nil }
}

/// One sign-in of one person on one device.
struct ServerSession: Sendable {
    let id: SessionID
    /// In the order in which they began.
    let number: Int
    let account: AccountID
    let createdAt: Date
    var lastUsedAt: Date
    let idleSeconds: Int
    var idleEndsAt: Date
    let endsAt: Date
    let device: DeviceInfo?
    /// The number of the current refresh token.
    var generation = 0
    /// When the current refresh token, or an access token issued with it, was first seen in use.
    var currentFirstUsedAt: Date?
    /// The same of earlier ones.
    var firstUses: [Int: Date] = [:]
    /// By generation.
    var refreshTokens: [Secret<String>] = []
    /// The first refresh token that is still answered; a change of password withdraws those before it.
    var oldestGeneration = 0
    var signingKey: RequestSigningKey?
    var end: End?

    enum End: Sendable { case reuse, otherwise }

    func isAlive(at now: Date) -> Bool { end == nil && now < idleEndsAt && now < endsAt }
}

struct AccessGrant: Sendable {
    let session: SessionID
    let generation: Int
    let expiresAt: Date
}

struct RefreshGrant: Sendable {
    let session: SessionID
    let generation: Int
}

struct PendingCode: Sendable {
    let id: String
    let code: OneTimeCode
    let expiresAt: Date
    var triesLeft: Int
}

struct PendingReset: Sendable {
    let token: String
    let account: AccountID
    let expiresAt: Date
}

struct PendingRegistration: Sendable {
    let call: Register
    let expiresAt: Date
}
