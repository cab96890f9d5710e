import Foundation
import OstiaryCore
import OstiaryEngine
import Synchronization

/// An external credential provider that adds a challenge to the sign-in of selected accounts; accounts and passwords
/// are those of the test server itself.
final class TestCredentialProvider: ExternalCredentialProvider {
    private let store: MemoryStore
    private let app: AppName
    private let passwords: TestPasswordHasher
    private let system: SystemDependencies
    private let challenges = Mutex<[AccountID: TestChallenge]>([:])

    init(_ store: MemoryStore, app: AppName, passwords: TestPasswordHasher, _ system: SystemDependencies) {
        self.store = store
        self.app = app
        self.passwords = passwords
        self.system = system
    }

    let kind = "local"
    let migratesPasswords = false
    private static let issuer = "https://challenges.test.example.com"

    func challenge(_ account: AccountID, with challenge: TestChallenge?) throws {
        if challenge != nil { try store.link(account, in: app, issuer: Self.issuer, subject: account.text) }
        challenges.withLock { $0[account] = challenge }
    }

    func isChallenged(_ account: AccountID) -> Bool { challenges.withLock { $0[account] != nil } }

    func signIn(_ identifier: String, password: Secret<String>) throws -> CredentialProviderAnswer {
        guard let account = store.account(named: identifier, in: app), account.isActive,
            passwords.check(password, against: account.passwordHash) == .matches
        else { throw CredentialProviderRefusal.refused }
        guard let challenge = challenges.withLock({ $0[account.id] }) else { return accepted(account) }
        return .step(
            CredentialProviderStep(
                name: challenge.name, session: Base64URL.encode(system.randomBytes(32)),
                username: account.id.text, lifetimeSeconds: TestChallenge.lifetimeSeconds))
    }

    func answer(_ step: CredentialProviderStep, _ answers: [String: Secret<String>]) throws -> CredentialProviderAnswer
    {
        let id = try AccountID(step.username)
        guard let challenge = challenges.withLock({ $0[id] }), let account = store.account(id, in: app) else {
            throw AuthError.authorizationRefused
        }
        guard account.isActive, challenge.accepts(answers) else { throw CredentialProviderRefusal.refused }
        challenges.withLock { $0[id] = nil }
        if challenge.setsPassword, let password = answers[TestChallenge.newPasswordAnswer] {
            _ = try store.setPassword(
                PasswordChange(
                    app: app, account: id, hash: passwords.hash(password), reason: .passwordChanged,
                    at: system.now()))
        }
        return accepted(account)
    }

    func renew(_ session: [UInt8]) -> [UInt8] { session }
    func end(_ session: [UInt8]) {}

    private func accepted(_ account: Account) -> CredentialProviderAnswer {
        let identity = ProviderIdentity(
            issuer: Self.issuer, subject: account.id.text, email: account.email,
            isEmailVerified: account.isEmailVerified, preferredUsername: account.username?.text,
            fullName: account.fullName)
        return .accepted(identity, session: [])
    }
}

/// A further step that the server requires at an account's next sign-in.
public struct TestChallenge: Hashable, Sendable {
    /// The challenge's name on the wire, for example `NEW_PASSWORD_REQUIRED`.
    public var name: String
    /// The expected answers by name; `nil` accepts any text.
    public var answers: [String: String?]

    /// The time in which an answer is accepted, in seconds.
    public static let lifetimeSeconds = 180
    static let newPasswordAnswer = "NEW_PASSWORD"

    /// Creates a challenge from its parts.
    public init(name: String, answers: [String: String?]) {
        self.name = name
        self.answers = answers
    }

    /// The replacement of a password that an administrator set.
    public static let newPassword = TestChallenge(
        name: "NEW_PASSWORD_REQUIRED", answers: [newPasswordAnswer: String?.none])
    /// Returns a second factor by SMS, which accepts `code`.
    public static func smsCode(_ code: String) -> TestChallenge {
        TestChallenge(name: "SMS_MFA", answers: ["SMS_MFA_CODE": code])
    }

    var setsPassword: Bool { answers.keys.contains(Self.newPasswordAnswer) }

    func accepts(_ given: [String: Secret<String>]) -> Bool {
        answers.allSatisfy { name, expected in
            guard let answer = given[name] else { return false }
            guard let expected else { return true }
            return answer.reveal().utf8.elementsEqual(expected.utf8)
        }
    }
}
