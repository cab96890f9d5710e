import Foundation
import OstiaryCore

extension AuthEngine {
    /// The maximum length of a password that is sent to an external credential provider, in UTF-8 bytes: Cognito
    /// accepts 256 characters, of four bytes at most.
    static let longestDelegatedPassword = 1_024

    /// Signs in at the app's external credential provider. Local hashes are not used, even if the provider is
    /// unavailable: otherwise an outage would make old passwords valid again.
    func delegate(_ call: SignIn, to credentialProvider: any ExternalCredentialProvider) async throws -> Authentication
    {
        guard call.password.reveal().utf8.count <= Self.longestDelegatedPassword, !refusesPassword else {
            throw AuthError.wrongCredentials
        }
        let key = try proofOfNewKey()?.thumbprint
        let answer = try await translatingUpstreamErrors {
            try await credentialProvider.signIn(call.identifier.typed, password: call.password)
        }
        let hash = try await migratedHash(of: call.password, for: credentialProvider)
        var signIn = DelegatedSignIn(call, passwordHash: hash)
        signIn.boundKey = key
        return try await follow(answer, signIn, of: credentialProvider)
    }

    /// Returns the authentication of a person whom the credential provider accepts, or asks for the next step.
    ///
    /// - Throws: ``AuthError/challengeRequired(_:)``.
    ///
    /// - Parameter factor: The second factor that the credential provider has checked; `nil` for none.
    func follow(
        _ answer: CredentialProviderAnswer, _ signIn: DelegatedSignIn, after factor: AuthenticationMethod? = nil,
        of credentialProvider: any ExternalCredentialProvider
    ) async throws -> Authentication {
        switch answer {
        case .accepted(let identity, let upstreamSession):
            let id = try newSessionID()
            let found = try await account(
                of: identity, kind: credentialProvider.kind, passwordHash: signIn.passwordHash,
                identifier: signIn.identifier,
                ifDisabled: .wrongCredentials)
            let account = found.account
            var context = context(of: .password)
            if let factor { context.add(AuthenticationContext.Event(method: factor, at: ports.system.now())) }
            return Authentication(
                account: account, method: SignInMethod.password, factor: factor,
                isNewAccount: found.isNew, context: context, rememberMe: signIn.rememberMe, device: signIn.device.info,
                session: id,
                attachment: try seal(upstreamSession, with: id))
        case .step(let step):
            let token = ChallengeToken(
                .provider(signIn, step), lifetimeSeconds: step.lifetimeSeconds, at: ports.system.now())
            throw AuthError.challengeRequired(Challenge(name: step.name, token: try token.sealed(in: self)))
        }
    }

    /// Returns the hash with which this server can later verify an accepted password alone; `nil` where that is not
    /// wanted or not possible. A sign-in does not fail for it: the next one presents the password again.
    func migratedHash(of password: Secret<String>, for credentialProvider: any ExternalCredentialProvider) async throws
        -> String?
    {
        let bytes = password.reveal().utf8
        guard credentialProvider.migratesPasswords, bytes.count <= PasswordRule.maximumBytes, !bytes.contains(0) else {
            return nil
        }
        do {
            return try await ports.passwords.hash(password)
        } catch .busy {
            return nil
        }
    }

    func seal(_ attachment: [UInt8], with session: SessionID) throws -> [UInt8] {
        try ports.keys.seal(
            attachment, for: .attachments,
            context: SealedValue.Kind.sessionAttachment.context(app.name.text, session.text))
    }

    /// Returns the credential provider's state of a session, unsealed.
    func open(_ attachment: SessionAttachment, of session: SessionID) throws -> [UInt8] {
        try ports.keys.open(
            attachment.bytes, for: .attachments,
            context: SealedValue.Kind.sessionAttachment.context(app.name.text, session.text))
    }
}

/// A sign-in at an external credential provider as it is remembered between its steps.
struct DelegatedSignIn: Codable {
    var identifier: Identifier
    var rememberMe: Bool
    var device: Device
    /// The hash of the password that the credential provider accepted, where passwords are migrated.
    var passwordHash: String?
    /// The thumbprint of the key with whose proof the sign-in began; nil without one, and in the token of an earlier version.
    var boundKey: String?

    init(_ call: SignIn, passwordHash: String?) {
        identifier = call.identifier
        rememberMe = call.rememberMe
        device = Device(call.device)
        self.passwordHash = passwordHash
    }

    enum CodingKeys: String, CodingKey { case field, identifier, rememberMe, device, passwordHash, boundKey }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .identifier)
        switch try container.decode(Field.self, forKey: .field) {
        case .email: identifier = .email(try EmailAddress(text))
        case .phoneNumber: identifier = .phoneNumber(try PhoneNumber(text))
        default: identifier = .username(try Username(text))
        }
        rememberMe = try container.decode(Bool.self, forKey: .rememberMe)
        device = try container.decode(Device.self, forKey: .device)
        passwordHash = try container.decodeIfPresent(String.self, forKey: .passwordHash)
        boundKey = try container.decodeIfPresent(String.self, forKey: .boundKey)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(identifier.field, forKey: .field)
        try container.encode(identifier.typed, forKey: .identifier)
        try container.encode(rememberMe, forKey: .rememberMe)
        try container.encode(device, forKey: .device)
        try container.encodeIfPresent(passwordHash, forKey: .passwordHash)
        try container.encodeIfPresent(boundKey, forKey: .boundKey)
    }

    struct Device: Codable {
        var id: String?
        var platform: String?
        var osVersion: String?
        var appVersion: String?
        var isGiven: Bool

        init(_ info: DeviceInfo?) {
            (id, platform, osVersion, appVersion) = (info?.deviceID, info?.platform, info?.osVersion, info?.appVersion)
            isGiven = info != nil
        }

        var info: DeviceInfo? {
            guard isGiven else { return nil }
            return DeviceInfo(deviceID: id, platform: platform, osVersion: osVersion, appVersion: appVersion)
        }
    }
}

extension Identifier {
    /// The identifier as the person typed it, for an external credential provider.
    var typed: String {
        switch self {
        case .email(let email): email.text
        case .phoneNumber(let number): number.e164
        case .username(let username): username.text
        }
    }
}
