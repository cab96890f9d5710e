import Foundation
package import OstiaryCore

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
        /// A step-up of a session.
        case stepUp(PendingStepUp)
        /// The registration of a passkey.
        case passkeyRegistration(PendingPasskey)
        /// A sign-in with a passkey, of whichever account has it.
        case passkeySignIn
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
        guard let sealed = Base64URL.decode(text.reveal().utf8),
            let plain = try? engine.ports.keys.open(sealed, for: .challenges, context: engine.app.name.text),
            let token = try? JSONDecoder().decode(ChallengeToken.self, from: Data(plain)),
            engine.ports.system.now() < token.expiresAt
        else { throw .challengeRefused }
        self = token
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

    init(_ authentication: Authentication) {
        account = authentication.account.id.text
        credentialVersion = authentication.account.credentialVersion
        context = authentication.context.text
        rememberMe = authentication.rememberMe
        device = DelegatedSignIn.Device(authentication.device)
        session = authentication.session?.text
        attachment = authentication.attachment
    }
}

/// A step-up of a session.
struct PendingStepUp: Codable {
    var account: String
    var credentialVersion: Int
    var session: String
    var requirement: AuthenticationRequirement
}

/// A passkey whose authenticator has not answered yet.
struct PendingPasskey: Codable {
    var account: String
    var credentialVersion: Int
    var session: String
    /// The user handle of the account, 32 bytes.
    var userHandle: [UInt8]
}
