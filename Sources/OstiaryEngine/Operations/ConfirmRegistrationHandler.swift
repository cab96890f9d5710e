import Foundation
public import OstiaryCore

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
        let (credential, context) = try await proven(token, in: engine)
        // A token used twice collides with the account that it created.
        let account = try await engine.add(
            token.account(with: credential, in: engine), by: credential.registrationMethod)
        await engine.rememberNetwork(for: account)
        return Authentication(
            account: account, isNewAccount: true, context: context, rememberMe: token.rememberMe, device: nil)
    }

    /// Requires the credential of the registration again.
    private func proven(
        _ token: RegistrationToken, in engine: AuthEngine
    ) async throws -> (FirstCredential, AuthenticationContext) {
        switch try token.credential() {
        case .password(let hash):
            guard let password = call.password else { throw AuthError.invalid(.password, .missing) }
            let counted = try await engine.countGuess(
                at: "registration \(EmailAddress(token.email).canonical)", as: "registration")
            try await engine.countingGuess(counted) {
                guard try await engine.ports.passwords.check(password, against: hash) != .differs else {
                    throw AuthError.wrongCredentials
                }
            }
            return (.password(hash: hash), engine.context(of: .password))
        case .passkey(let passkey):
            guard let response = call.passkey else { throw AuthError.invalid(.credential, .missing) }
            let (current, event) = try await engine.verify(response, by: passkey)
            return (.passkey(current), AuthenticationContext([event]))
        }
    }
}

/// The state of a registration until it is confirmed: sealed and sent by mail, so the server stores nothing.
struct RegistrationToken: Codable {
    var email: String
    var username: String?
    var fullName: String?
    /// Nil for a registration with a passkey.
    var passwordHash: String?
    /// Nil for a registration with a password.
    var passkey: Passkey?
    /// Nil in a token of an earlier version, and without attributes.
    var attributes: [String: AttributeValue]?
    var rememberMe: Bool
    var expiresAt: Date

    /// The passkey of a registration.
    struct Passkey: Codable {
        var id: String
        var material: Data
        var credentialID: Data
        var counter: Int64
    }

    static let lifetimeSeconds = 86_400
    /// The maximum size of the attributes, in bytes: the token is part of a link.
    static let maximumAttributeBytes = 1024

    /// Sends mail to the owner of the address: the token if the address has no account, otherwise a notice of the
    /// attempt.
    ///
    /// The credential is made and a message queued in either case, so both take the same time.
    static func send(
        for call: Register, _ attributes: AttributeChange, _ credential: FirstCredential, to email: EmailAddress,
        in engine: AuthEngine
    ) async throws {
        let ports = engine.ports
        let token = RegistrationToken(
            email: email.text, username: call.username?.text, fullName: call.fullName?.text,
            passwordHash: credential.passwordHash, passkey: credential.passkey.map(Passkey.init),
            attributes: attributes.values.isEmpty ? nil : attributes.values, rememberMe: call.rememberMe,
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
            within: [
                engine.cooldown(
                    "register", Recipient.email(email).destination, seconds: engine.app.resets.silentSeconds)
            ])
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
        email: String, username: String?, fullName: String?, passwordHash: String?, passkey: Passkey?,
        attributes: [String: AttributeValue]?, rememberMe: Bool, expiresAt: Date
    ) {
        self.email = email
        self.username = username
        self.fullName = fullName
        self.passwordHash = passwordHash
        self.passkey = passkey
        self.attributes = attributes
        self.rememberMe = rememberMe
        self.expiresAt = expiresAt
    }

    /// The credential of the registration.
    ///
    /// - Throws: ``AuthError/registrationTokenRefused`` for a token without one.
    func credential() throws -> FirstCredential {
        if let passwordHash { return .password(hash: passwordHash) }
        guard let passkey else { throw AuthError.registrationTokenRefused }
        return .passkey(
            NewPasskey(
                id: try FactorID(passkey.id), name: AuthEngine.usualPasskeyName, material: Array(passkey.material),
                credentialID: Array(passkey.credentialID), counter: passkey.counter))
    }

    func account(with credential: FirstCredential, in engine: AuthEngine) throws -> NewAccount {
        var account = NewAccount(
            app: engine.app.name, idKind: engine.app.rules.accountIDs, email: try EmailAddress(email),
            username: try username.map { try Username($0) }, fullName: try fullName.map { try PersonName($0) },
            passwordHash: credential.passwordHash, isEmailVerified: true, passkey: credential.passkey,
            createdAt: engine.ports.system.now())
        // Declarations may have changed since the registration.
        account.attributes = engine.app.attributes.fitting(attributes ?? [:])
        return account
    }
}

extension RegistrationToken.Passkey {
    fileprivate init(_ passkey: NewPasskey) {
        self.init(
            id: passkey.id.text, material: Data(passkey.material), credentialID: Data(passkey.credentialID),
            counter: passkey.counter)
    }
}

extension AuthEngine {
    /// Returns `true` if a registration is confirmed with the passkey that it was made with, and not with a password.
    public func isPasskeyRegistration(_ token: Secret<String>) -> Bool {
        (try? RegistrationToken(token, in: self))?.passkey != nil
    }
}
