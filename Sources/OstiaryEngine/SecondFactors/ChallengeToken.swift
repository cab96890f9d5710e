import Foundation
public import OstiaryCore

/// The state of a sign-in or a step-up until its next step is answered: sealed and held by the client, so the server
/// stores nothing.
struct ChallengeToken: Codable {
    /// The random part that makes each challenge single-use, 16 bytes.
    var id: [UInt8]
    var step: Step
    var expiresAt: Date

    /// The step that the answer completes.
    enum Step: Codable {
        /// A step of an external credential provider.
        case provider(DelegatedSignIn, CredentialProviderStep)
        /// The second factor of a sign-in.
        case secondFactor(PendingSignIn)
        /// The enrolment of the first factor of an account that must have one, before its session is opened.
        case enrolment(PendingSignIn)
        /// A step-up of a session.
        case stepUp(PendingStepUp)
        /// The registration of a passkey.
        case passkeyRegistration(PendingPasskey)
        /// A sign-in with a passkey, of whichever account has it.
        case passkeySignIn
        /// The registration of an account with a passkey.
        case passkeyAccount(PendingPasskeyAccount)
        /// The recovery of an account whose passkeys are lost, by the link of a mail.
        case passkeyRecovery(PendingPasskeyRecovery)
    }

    init(_ step: Step, id: [UInt8] = [], lifetimeSeconds: Int, at now: Date) {
        self.id = id
        self.step = step
        expiresAt = now.addingTimeInterval(Double(lifetimeSeconds))
    }

    /// Opens a token.
    ///
    /// - Throws: ``AuthError/challengeRefused`` for a token that this server did not seal, or that has expired.
    init(_ text: Secret<String>, in engine: AuthEngine) throws(AuthError) {
        guard let token = Self.opened(text, in: engine), engine.ports.system.now() < token.expiresAt else {
            throw .challengeRefused
        }
        self = token
    }

    /// Returns the token that this server sealed, also after it has expired; nil for every other text.
    fileprivate static func opened(_ text: Secret<String>, in engine: AuthEngine) -> ChallengeToken? {
        guard let sealed = Base64URL.decode(text.reveal().utf8),
            let plain = try? engine.ports.keys.open(sealed, for: .challenges, context: engine.app.name.text)
        else { return nil }
        return try? JSONDecoder().decode(ChallengeToken.self, from: Data(plain))
    }

    /// Returns the step of a token that adds a factor, and is presented in the place of an access token.
    ///
    /// - Returns: Nil for a text that is no such token.
    /// - Throws: ``AuthError/challengeRefused`` for one that has expired.
    static func addition(
        presentedAs accessToken: Secret<String>, in engine: AuthEngine
    ) throws(AuthError) -> AdditionStep? {
        guard let token = opened(accessToken, in: engine), let step = token.addition else { return nil }
        guard engine.ports.system.now() < token.expiresAt else { throw .challengeRefused }
        return step
    }

    /// A step that adds a factor.
    enum AdditionStep {
        case signIn(PendingSignIn)
        case recovery(PendingPasskeyRecovery)
    }

    fileprivate var addition: AdditionStep? {
        switch step {
        case .enrolment(let pending): .signIn(pending)
        case .passkeyRecovery(let pending): .recovery(pending)
        default: nil
        }
    }

    /// `true` if the challenge belongs to a sign-in whose first factor was the password.
    var followsPassword: Bool {
        guard case .secondFactor(let pending) = step else { return false }
        return AuthenticationContext(text: pending.context).events.contains { $0.method == .password }
    }

    func sealed(in engine: AuthEngine) throws -> Secret<String> {
        let plain = Array(try JSONEncoder().encode(self))
        return Secret(try engine.ports.keys.seal(plain, for: .challenges, context: engine.app.name.text).base64URL)
    }
}

extension AuthEngine {
    /// Returns `true` if a challenge token continues a sign-in at an external credential provider.
    package func isProviderStep(_ challengeToken: Secret<String>) -> Bool {
        guard case .provider? = try? ChallengeToken(challengeToken, in: self).step else { return false }
        return true
    }

    /// Returns `true` if the token of a request is that of a sign-in that must add a factor, or of a recovery, also after it has
    /// expired. There is no session yet whose key could sign the request.
    public func isEnrolment(_ accessToken: Secret<String>) -> Bool {
        ChallengeToken.opened(accessToken, in: self)?.addition != nil
    }
}

/// A sign-in whose first factor succeeded.
struct PendingSignIn: Codable {
    var account: String
    var credentialVersion: Int
    /// The text of the ``AuthenticationContext``.
    var context: String
    var rememberMe: Bool
    var device: DelegatedSignIn.Device
    var session: String?
    var attachment: [UInt8]?
    /// The method by which the sign-in began; nil for a registration, and in the token of an earlier version.
    var method: String?

    /// The risk of the first step; nil where it was not assessed, and in the token of an earlier version.
    var risk: PendingRisk?
    /// The thumbprint of the key with whose proof the sign-in began; nil without one, and in the token of an earlier version.
    var boundKey: String?

    var attribution: AttemptAttribution { AttemptAttribution(method: method, risk: risk?.assessment) }

    /// Returns the authentication of the sign-in after its next step.
    ///
    /// - Parameter account: The account, whose credentials have not changed since.
    func authentication(of account: Account, adding event: AuthenticationContext.Event) throws -> Authentication {
        var context = AuthenticationContext(text: context)
        context.add(event)
        var authentication = Authentication(
            account: account, method: method, factor: event.method, context: context,
            // The code stands for no factor that the account must have.
            isChallengeAnswered: risk?.asksCode != true,
            rememberMe: rememberMe, device: device.info,
            session: try session.map { try SessionID($0) }, attachment: attachment, pendingRisk: risk,
            ifOvertaken: .challengeRefused)
        authentication.boundKey = boundKey
        return authentication
    }

    init(_ authentication: Authentication) {
        account = authentication.account.id.text
        credentialVersion = authentication.account.credentialVersion
        context = authentication.context.text
        rememberMe = authentication.rememberMe
        device = DelegatedSignIn.Device(authentication.device)
        session = authentication.session?.text
        attachment = authentication.attachment
        method = authentication.method
        risk = authentication.risk.map { PendingRisk($0) }
        boundKey = authentication.boundKey
    }
}

/// A step-up of a session.
struct PendingStepUp: Codable {
    var account: String
    var credentialVersion: Int
    var session: String
    var requirement: AuthenticationRequirement
    /// The names of the methods that were offered; nil in the token of an earlier version.
    var methods: [String]?

    func offers(_ method: ChallengeMethod) -> Bool { methods?.contains(method.rawValue) ?? true }
}

/// A passkey whose authenticator has not answered yet.
struct PendingPasskey: Codable {
    var account: String
    var credentialVersion: Int
    /// The session that adds the passkey; nil for a sign-in that must add a factor, and for a recovery.
    var session: String?
    /// The user handle of the account, 32 bytes.
    var userHandle: [UInt8]
}

/// An account whose passkey the authenticator has not created yet.
struct PendingPasskeyAccount: Codable {
    /// The canonical form of the identifier.
    var identifier: String
    /// The user handle of the account, 32 bytes.
    var userHandle: [UInt8]
}
