import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// An ID token that a provider gave to a device.
struct IssuedIdentityToken: Sendable {
    let provider: TestProvider
    let person: TestPerson
    let nonce: String
    let expiresAt: Date
}

extension ServerState {
    /// The account of a person that a provider vouches for; made if there is none.
    mutating func account(
        of person: TestPerson, at provider: TestProvider, newName: PersonName? = nil
    ) throws(AuthError) -> ServerAccount {
        let known = accounts.values.first { account in
            account.identity.map {
                $0.issuer.utf8.elementsEqual(provider.issuer.utf8) && $0.subject.utf8.elementsEqual(person.subject.utf8)
            } ?? false
        }
        guard var account = known else { return try add(person, from: provider, newName: newName) }
        guard account.isActive else { throw .accountDisabled }
        // Labels follow the provider, and stay where it says nothing.
        account.user.email = person.email ?? account.user.email
        account.user.fullName = person.fullName ?? account.user.fullName
        if identifiers.identifier == .subject, let name = person.preferredUsername.flatMap({ try? Username($0) }) {
            account.user.username = name
        }
        accounts[account.user.id] = account
        return account
    }

    private mutating func add(
        _ person: TestPerson, from provider: TestProvider, newName: PersonName?
    ) throws(AuthError) -> ServerAccount {
        let isUnique = identifiers.identifier == .username
        let username = usernames(of: person, at: provider).first { !isUnique || names[$0.canonical] == nil }
        if isUnique, username == nil { throw .identifierTaken }
        let user = User(
            id: try newAccountID(), email: person.email, username: username, fullName: person.fullName ?? newName,
            authProvider: provider.kind)
        let account = ServerAccount(user: user, identity: (provider.issuer, person.subject))
        accounts[user.id] = account
        if isUnique, let name = username?.canonical { names[name] = user.id }
        return account
    }

    /// What a person may be called here, the best first.
    private mutating func usernames(of person: TestPerson, at provider: TestProvider) -> [Username] {
        let names: [String?]
        switch identifiers.identifier {
        case .subject: names = [person.preferredUsername, person.email?.text, person.subject]
        case .username:
            let begins = person.subject.utf8.starts(with: "\(provider.kind)|".utf8)
            names = [person.email?.text, begins ? person.subject : "\(provider.kind)|\(person.subject)"]
        case .email, .phoneNumber: return []
        }
        return (names + ["user-\(random.uuid().prefix(8))"]).compactMap { $0.flatMap { try? Username($0) } }
    }

    // MARK: ID tokens

    mutating func signInWithIdentityToken(
        _ call: SignInWithIdentityToken, at now: Date
    ) throws(AuthError) -> SignedIn {
        guard !providers.isEmpty else { throw .notConfigured }
        guard let provider = providers.first(where: { $0.name.utf8.elementsEqual(call.provider.utf8) }) else {
            throw .notFound
        }
        guard call.nonce.reveal().utf8.count >= 16 else { throw .invalid(.nonce, .malformed) }
        let key = call.identityToken.reveal()
        guard let token = identityTokens[key], token.provider == provider, now < token.expiresAt,
            Self.isNonce(token.nonce, of: call.nonce)
        else { throw .identityTokenInvalid }
        // Used once, it is over.
        identityTokens[key] = nil
        let account = try account(of: token.person, at: provider, newName: call.fullName)
        return openSession(of: account, rememberMe: false, device: nil, at: now)
    }

    /// The token carries what the app made up, or its SHA-256 in hexadecimal digits.
    private static func isNonce(_ carried: String, of nonce: Secret<String>) -> Bool {
        let digest = SHA256.hash(data: Data(nonce.reveal().utf8))
            .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return carried.utf8.elementsEqual(nonce.reveal().utf8) || carried.utf8.elementsEqual(digest.utf8)
    }

    // MARK: Challenges

    mutating func challenged(
        _ account: ServerAccount, by challenge: TestChallenge, _ call: SignIn, at now: Date
    ) -> AuthError {
        let token = random.token()
        challenges[token] = PendingChallenge(
            account: account.user.id, challenge: challenge, rememberMe: call.rememberMe, device: call.device,
            expiresAt: now + TimeInterval(TestChallenge.lifetimeSeconds))
        return .challengeRequired(Challenge(name: challenge.name, token: Secret(token)))
    }

    mutating func answerChallenge(_ call: AnswerChallenge, at now: Date) throws(AuthError) -> SignedIn {
        let key = call.challengeToken.reveal()
        guard let pending = challenges[key], now < pending.expiresAt, let account = accounts[pending.account] else {
            throw .authorizationRefused
        }
        let isRight = pending.challenge.answers.allSatisfy { name, expected in
            call.answers[name].map { expected == nil || $0.reveal().utf8.elementsEqual((expected ?? "").utf8) } ?? false
        }
        guard account.isActive, isRight else { throw .wrongCredentials }
        challenges[key] = nil
        accounts[account.user.id]?.challenge = nil
        if let password = call.answers[TestChallenge.newPasswordAnswer], pending.challenge.setsPassword {
            accounts[account.user.id]?.password = password
        }
        return openSession(of: account, rememberMe: pending.rememberMe, device: pending.device, at: now)
    }
}

struct PendingChallenge: Sendable {
    let account: AccountID
    let challenge: TestChallenge
    let rememberMe: Bool
    let device: DeviceInfo?
    let expiresAt: Date
}

/// A next step that the server asks for at an account's next sign-in.
public struct TestChallenge: Hashable, Sendable {
    /// For example `NEW_PASSWORD_REQUIRED`.
    public var name: String
    /// What has to be answered, by name; nil where anything will do.
    public var answers: [String: String?]

    /// How long an answer is waited for, in seconds.
    public static let lifetimeSeconds = 180
    static let newPasswordAnswer = "NEW_PASSWORD"

    public init(name: String, answers: [String: String?]) {
        self.name = name
        self.answers = answers
    }

    /// A password that somebody else set has to be replaced.
    public static let newPassword = TestChallenge(
        name: "NEW_PASSWORD_REQUIRED", answers: [newPasswordAnswer: String?.none])
    /// A second factor by SMS.
    public static func smsCode(_ code: String) -> TestChallenge {
        TestChallenge(name: "SMS_MFA", answers: ["SMS_MFA_CODE": code])
    }

    var setsPassword: Bool { answers.keys.contains(Self.newPasswordAnswer) }
}
