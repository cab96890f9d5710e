import Foundation
public import OstiaryCore

/// Sign-in to an account that must have a second factor and has none: the sign-in is refused with
/// ``OstiaryCore/AuthError/challengeRequired(_:)``, whose challenge is ``OstiaryCore/Challenge/enrollFactor``. Its methods are
/// those of factors that can be added. The first factor completes the sign-in.
extension AuthClient {
    /// Begins to add an authenticator app, as the answer to a challenge. Show the URI as a QR code or a button, and the
    /// secret as text, then call ``confirmTOTP(_:code:name:for:)``.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.challengeRefused` for a challenge that has expired, or whose
    ///   account has a factor by now: sign in again.
    public func addTOTP(for challenge: Challenge) async throws(ClientError) -> PendingTOTP {
        try await perform(BeginTOTP(accessToken: challenge.token))
    }

    /// Adds the authenticator app with a code that it shows, and signs in.
    ///
    /// - Parameters:
    ///   - code: The code as the user typed it.
    ///   - name: The name of the factor, of 1 to 64 code points; nil for the server's default.
    /// - Returns: The session, and the recovery codes, to be shown once.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.codeRefused` for a wrong code; with `AuthError.challengeRefused`
    ///   for a challenge that has expired; with `AuthError.notFound` ten minutes after ``addTOTP(for:)``.
    @discardableResult
    public func confirmTOTP(
        _ pending: PendingTOTP, code: String, name: String? = nil, for challenge: Challenge
    ) async throws(ClientError) -> EnrolledSession {
        let call = ConfirmTOTP(
            accessToken: challenge.token, factorID: pending.factorID, code: try parsed(.code, code, OneTimeCode.init),
            name: try factorName(name))
        return try await enrolled(call)
    }

    /// Creates a passkey, adds it as the account's first factor, and signs in.
    ///
    /// - Parameters:
    ///   - name: The name of the factor, of 1 to 64 code points; nil for the server's default.
    ///   - provider: The source of passkeys.
    /// - Returns: The session, and the recovery codes, to be shown once.
    /// - Throws: ``ClientError/cancelledByUser``; ``ClientError/refused(_:)`` with `AuthError.credentialRefused` for a passkey
    ///   that fails the verification; with `AuthError.challengeRefused` for a challenge that has expired.
    @discardableResult
    public func addPasskey(
        name: String? = nil, from provider: any PasskeyCredentialProvider, for challenge: Challenge
    ) async throws(ClientError) -> EnrolledSession {
        try await addPasskey(name: name, from: provider, with: challenge.token)
    }

    /// Creates a passkey, adds it, and signs in.
    ///
    /// - Parameter token: The token that takes the place of an access token.
    func addPasskey(
        name: String?, from provider: any PasskeyCredentialProvider, with token: Secret<String>
    ) async throws(ClientError) -> EnrolledSession {
        let name = try factorName(name)
        let options = try await perform(BeginPasskeyRegistration(accessToken: token))
        let registration = try await provider.register(
            PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        return try await enrolled(
            RegisterPasskey(
                accessToken: token, passkeyToken: options.token ?? Secret(""), credential: registration.text,
                name: name))
    }

    private func enrolled<Call: AuthOperation, Added: OperationAnswer>(
        _ call: Call
    ) async throws(ClientError) -> EnrolledSession where Call.Answer == FactorConfirmation<Added> {
        let begun = try await begin(by: .challenge, label: "") { () async throws(ClientError) in
            switch try await self.perform(call) {
            case .signedIn(let signedIn, let recoveryCodes): return (signedIn, recoveryCodes)
            case .added: throw ClientError.unexpectedAnswer
            }
        }
        return EnrolledSession(session: begun.session, recoveryCodes: begun.more)
    }
}

extension FactorConfirmation {
    /// Returns the factor that a session added.
    ///
    /// - Throws: ``ClientError/refused(_:)`` for an answer that opens a session, which no session asked for.
    func addedBySession() throws(ClientError) -> Added {
        guard let added else { throw .unexpectedAnswer }
        return added
    }
}

extension ClientError {
    /// The error for an answer of another kind than the operation's.
    fileprivate static let unexpectedAnswer = ClientError.refused(
        .rejected(status: 200, message: "The server's answer could not be understood."))
}

/// A session that began with the account's first second factor, or with the passkey of a new account.
public struct EnrolledSession: Hashable, Sendable {
    /// The session.
    public var session: SessionSnapshot
    /// The recovery codes, to be shown once; nil if the account has recovery codes already. Of a new
    /// account also nil if they could not be fetched: ``AuthClient/replaceRecoveryCodes()`` creates others.
    public var recoveryCodes: [Secret<String>]?

    /// Creates a result from its parts.
    public init(session: SessionSnapshot, recoveryCodes: [Secret<String>]?) {
        self.session = session
        self.recoveryCodes = recoveryCodes
    }
}
