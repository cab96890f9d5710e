import Foundation
import OstiaryCore

/// Accounts with a passkey and no password.
extension AuthClient {
    /// Registers an account with an email address and a passkey, and signs in.
    ///
    /// - Parameters:
    ///   - name: The full name; nil or empty sends none.
    ///   - provider: The source of passkeys.
    ///   - rememberMe: Requests the longer session lifetime, in contracts that have two.
    /// - Returns: The session, and the recovery codes of the account, to be shown once.
    /// - Throws: ``ClientError/cancelledByUser`` if the person created no passkey; ``ClientError/refused(_:)`` with
    ///   `AuthError.notFound` for an app without passkeys, with `AuthError.confirmationRequired` if the address must be
    ///   confirmed first: see ``confirmRegistration(token:withPasskeyFrom:)``.
    @discardableResult
    public func registerWithPasskey(
        email: String, name: String? = nil, from provider: any PasskeyCredentialProvider, rememberMe: Bool = false
    ) async throws(ClientError) -> EnrolledSession {
        let address = try parsed(.email, email, EmailAddress.init)
        let fullName = try personName(name)
        return try await register(.email(address), from: provider) { passkey, device in
            Register(email: address, passkey: passkey, fullName: fullName, rememberMe: rememberMe, device: device)
        }
    }

    /// Registers an account with a username and a passkey, and signs in.
    ///
    /// - Parameters:
    ///   - email: The account's address, if the user gives one.
    ///   - name: The full name; nil or empty sends none.
    ///   - provider: The source of passkeys.
    /// - Returns: The session, and the recovery codes of the account, to be shown once.
    /// - Throws: As ``registerWithPasskey(email:name:from:rememberMe:)``.
    @discardableResult
    public func registerWithPasskey(
        username: String, email: String? = nil, name: String? = nil, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> EnrolledSession {
        let username = try parsed(.username, username, Username.init)
        let fullName = try personName(name)
        var address: EmailAddress?
        if let email { address = try parsed(.email, email, EmailAddress.init) }
        return try await register(.username(username), from: provider) { [address] passkey, device in
            Register(email: address, username: username, passkey: passkey, fullName: fullName, device: device)
        }
    }

    /// Registers an account with a passkey and a phone number proven by a one-time code, and signs in.
    ///
    /// - Parameters:
    ///   - digits: The code as the user typed it.
    ///   - provider: The source of passkeys.
    /// - Returns: The session, and the recovery codes of the account, to be shown once.
    /// - Throws: As ``registerWithPasskey(email:name:from:rememberMe:)``.
    @discardableResult
    public func registerWithPasskey(
        code: RequestedCode, digits: String, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> EnrolledSession {
        let digits = try parsed(.code, digits, OneTimeCode.init)
        return try await register(.phoneNumber(code.phoneNumber), from: provider) { passkey, device in
            Register(phoneNumber: code.phoneNumber, passkey: passkey, code: digits, device: device)
        }
    }

    /// Adds a passkey to an account whose passkeys are lost, with the link of a mail, and signs in. The mail is requested as a
    /// password reset. If the address is not verified, the server removes the earlier passkeys and recovery codes.
    ///
    /// - Parameters:
    ///   - token: The token from the link: see ``PasskeyRecoveryLink``.
    ///   - name: The name of the passkey, of 1 to 64 code points; nil for the server's default.
    ///   - provider: The source of passkeys.
    /// - Throws: ``ClientError/cancelledByUser`` if the person created no passkey; ``ClientError/rateLimited(until:)`` until a
    ///   day after the request; ``ClientError/refused(_:)`` with `AuthError.challengeRefused` for a link that was used or has
    ///   expired, or after a sign-in with a passkey; with `AuthError.credentialRefused` for a passkey that fails the
    ///   verification.
    @discardableResult
    public func recoverAccount(
        token: String, name: String? = nil, withPasskeyFrom provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> SessionSnapshot {
        try await addPasskey(name: name, from: provider, with: Secret(token)).session
    }

    private func register(
        _ identifier: Identifier, from provider: any PasskeyCredentialProvider,
        _ call: (PasskeyResponse, DeviceInfo?) -> Register
    ) async throws(ClientError) -> EnrolledSession {
        // Without the field the passkey would be created, and not sent.
        guard auth.codec.contract.endpoint(for: .register)?.takes?.contains(.optional(.passkeyToken)) == true else {
            throw .refused(.notFound)
        }
        let options = try await perform(BeginPasskeyAccount(identifier: identifier))
        let registration = try await provider.register(
            PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        let passkey = PasskeyResponse(token: options.token ?? Secret(""), credential: registration.text)
        let session = try await register(
            call(passkey, await device(in: .register)), label: identifier.text)
        return await withRecoveryCodes(session)
    }

    /// Creates the recovery codes of a new account. The session exists in any case.
    func withRecoveryCodes(_ session: SessionSnapshot) async -> EnrolledSession {
        EnrolledSession(session: session, recoveryCodes: try? await replaceRecoveryCodes())
    }
}
