import Foundation
import OstiaryCore

extension ConfirmRegistration: EngineOperation {
    var handler: SessionOpeningHandler<ConfirmRegistrationHandler> {
        SessionOpeningHandler(authenticator: ConfirmRegistrationHandler(call: self))
    }
}

/// Completes a registration that the owner of the address confirmed.
struct ConfirmRegistrationHandler: AuthenticationHandler {
    let call: ConfirmRegistration

    static let action = ConfirmRegistration.kind

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        try engine.requireOwnPasswords()
        let token = try RegistrationToken(call.token, in: engine)
        let counted = try await engine.countGuess(
            at: "registration \(EmailAddress(token.email).canonical)", as: "registration")
        try await engine.countingGuess(counted) {
            guard try await engine.ports.passwords.check(call.password, against: token.passwordHash) != .differs else {
                throw AuthError.wrongCredentials
            }
        }
        // A token used twice collides with the account that it created.
        let account = try await engine.add(token.account(in: engine))
        await engine.rememberNetwork(for: account)
        return Authentication(
            account: account, context: engine.context(of: .password), rememberMe: token.rememberMe, device: nil)
    }
}

/// The state of a registration until it is confirmed: sealed and sent by mail, so the server stores nothing.
struct RegistrationToken: Codable {
    var email: String
    var username: String?
    var fullName: String?
    var passwordHash: String
    var rememberMe: Bool
    var expiresAt: Date

    static let lifetimeSeconds = 86_400

    /// Sends mail to the owner of the address: the token if the address has no account, otherwise a notice of the
    /// attempt.
    ///
    /// The password is hashed and a message queued in either case, so both take the same time.
    static func send(for call: Register, to email: EmailAddress, in engine: AuthEngine) async throws {
        let ports = engine.ports
        let hash = try await ports.passwords.hash(call.password)
        let token = RegistrationToken(
            email: email.text, username: call.username?.text, fullName: call.fullName?.text, passwordHash: hash,
            rememberMe: call.rememberMe,
            expiresAt: ports.system.now().addingTimeInterval(Double(lifetimeSeconds)))
        let sealed = try ports.keys.seal(
            Array(JSONEncoder().encode(token)), for: .registrations, context: engine.app.name.text)
        let owner = try await ports.store.account(identifiedBy: .email(email), in: engine.app.name)
        let notice =
            owner == nil
            ? NotificationContent.registrationConfirmation(
                token: Secret(sealed.base64URL), lifetimeSeconds: lifetimeSeconds)
            : .registrationAttempted
        // The owner of an address gets one message per cooldown, regardless of the number of registrations.
        _ = try await engine.send(
            notice, to: .email(email),
            within: [engine.cooldown("register", email.canonical, seconds: engine.app.resets.silentSeconds)])
    }

    /// Opens a token.
    ///
    /// - Throws: ``AuthError/registrationTokenRefused`` for a token that this server did not seal, or that has expired.
    init(_ text: Secret<String>, in engine: AuthEngine) throws(AuthError) {
        guard let sealed = Base64URL.decode(text.reveal().utf8),
            let plain = try? engine.ports.keys.open(sealed, for: .registrations, context: engine.app.name.text),
            let token = try? JSONDecoder().decode(RegistrationToken.self, from: Data(plain)),
            engine.ports.system.now() < token.expiresAt
        else { throw .registrationTokenRefused }
        self = token
    }

    private init(
        email: String, username: String?, fullName: String?, passwordHash: String, rememberMe: Bool, expiresAt: Date
    ) {
        self.email = email
        self.username = username
        self.fullName = fullName
        self.passwordHash = passwordHash
        self.rememberMe = rememberMe
        self.expiresAt = expiresAt
    }

    func account(in engine: AuthEngine) throws -> NewAccount {
        NewAccount(
            app: engine.app.name, idKind: engine.app.rules.accountIDs, email: try EmailAddress(email),
            username: try username.map { try Username($0) }, fullName: try fullName.map { try PersonName($0) },
            passwordHash: passwordHash, isEmailVerified: true, createdAt: engine.ports.system.now())
    }
}
