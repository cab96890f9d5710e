import Foundation
public import OstiaryCore

/// Passkeys: as a way to sign in, and as a second factor. `PasskeyAuthenticator` is the provider on Apple's platforms.
extension AuthClient {
    // MARK: Passkeys

    /// Signs in with a passkey that the person chooses, in the place of a password and a second factor.
    ///
    /// - Parameters:
    ///   - provider: The source of passkeys.
    ///   - rememberMe: Requests the longer session lifetime, in contracts that have two.
    /// - Throws: ``ClientError/cancelledByUser`` if the person chose none; ``ClientError/refused(_:)`` with
    ///   `AuthError.wrongCredentials` for a passkey that the server does not accept, with `AuthError.notFound` for an app
    ///   without passkeys.
    @discardableResult
    public func signInWithPasskey(
        from provider: any PasskeyCredentialProvider, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        let passkey = try await passkeyResponse(from: provider)
        return try await begin(by: .passkey, label: "") { () throws(ClientError) in
            try await self.perform(
                SignInWithPasskey(
                    passkeyToken: passkey.token, credential: passkey.credential, rememberMe: rememberMe,
                    device: await self.device(in: .signInWithPasskey)))
        }
    }

    /// Continues a sign-in that was refused with ``OstiaryCore/AuthError/challengeRequired(_:)`` whose methods include
    /// `ChallengeMethod.passkey`.
    ///
    /// - Throws: ``ClientError/cancelledByUser`` if the person chose none; ``ClientError/refused(_:)`` with
    ///   `AuthError.codeRefused` for a passkey that the server does not accept.
    @discardableResult
    public func answer(
        _ challenge: Challenge, withPasskeyFrom provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> SessionSnapshot {
        try await answer(challenge, withPasskeyFrom: provider, rememberDevice: false)
    }

    /// Continues a sign-in with a passkey, and has the server remember this device.
    ///
    /// - Parameter rememberDevice: `true` to ask no second factor on this device for a time, if the server permits it.
    /// - Throws: The errors of ``answer(_:withPasskeyFrom:)``.
    @discardableResult
    public func answer(
        _ challenge: Challenge, withPasskeyFrom provider: any PasskeyCredentialProvider, rememberDevice: Bool
    ) async throws(ClientError) -> SessionSnapshot {
        let credential = try await assertion(for: challenge, from: provider)
        return try await begin(by: .challenge, label: "") { () throws(ClientError) in
            try await self.perform(
                AnswerChallenge(
                    challengeToken: challenge.token, credential: credential, rememberDevice: rememberDevice))
        }
    }

    /// Creates a passkey and adds it as a second factor. The account's other sessions end.
    ///
    /// - Parameters:
    ///   - name: The name of the factor, of 1 to 64 code points; nil for the server's default.
    ///   - provider: The source of passkeys.
    /// - Returns: The factor, and the recovery codes, to be shown once; nil if the account has recovery codes already.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.stepUpRequired` unless the session was authenticated recently;
    ///   with `AuthError.factorLimitReached` for an account with ten factors; with `AuthError.credentialRefused` for a
    ///   passkey that fails the verification; with `AuthError.notFound` for an app without passkeys.
    public func addPasskey(
        name: String? = nil, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> AddedFactor {
        let name = try factorName(name)
        let options = try await authorized { BeginPasskeyRegistration(accessToken: $0) }.answer
        let registration = try await provider.register(
            PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        return try await authorized { token in
            RegisterPasskey(
                accessToken: token, passkeyToken: options.token ?? Secret(""), credential: registration.text,
                name: name)
        }.answer.addedBySession()
    }

    // MARK: Accounts with a passkey and no password

    /// Registers an account with an email address and a passkey, and signs in.
    ///
    /// - Parameters:
    ///   - name: The full name; nil or empty sends none.
    ///   - provider: The source of passkeys.
    ///   - rememberMe: Requests the longer session lifetime, in contracts that have two.
    /// - Returns: The session, and the recovery codes of the account, to be shown once; see ``PasskeyAccount``.
    /// - Throws: ``ClientError/cancelledByUser`` if the person created no passkey; ``ClientError/refused(_:)`` with
    ///   `AuthError.notFound` for an app without passkeys, with `AuthError.confirmationRequired` if the address must be
    ///   confirmed first: see ``confirmRegistration(token:withPasskeyFrom:)``.
    @discardableResult
    public func registerWithPasskey(
        email: String, name: String? = nil, from provider: any PasskeyCredentialProvider, rememberMe: Bool = false
    ) async throws(ClientError) -> PasskeyAccount {
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
    /// - Returns: The session, and the recovery codes of the account, to be shown once; see ``PasskeyAccount``.
    /// - Throws: As ``registerWithPasskey(email:name:from:rememberMe:)``.
    @discardableResult
    public func registerWithPasskey(
        username: String, email: String? = nil, name: String? = nil, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> PasskeyAccount {
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
    /// - Returns: The session, and the recovery codes of the account, to be shown once; see ``PasskeyAccount``.
    /// - Throws: As ``registerWithPasskey(email:name:from:rememberMe:)``.
    @discardableResult
    public func registerWithPasskey(
        code: RequestedCode, digits: String, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> PasskeyAccount {
        let digits = try parsed(.code, digits, OneTimeCode.init)
        return try await register(.phoneNumber(code.phoneNumber), from: provider) { passkey, device in
            Register(phoneNumber: code.phoneNumber, passkey: passkey, code: digits, device: device)
        }
    }

    private func register(
        _ identifier: Identifier, from provider: any PasskeyCredentialProvider,
        _ call: (PasskeyResponse, DeviceInfo?) -> Register
    ) async throws(ClientError) -> PasskeyAccount {
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

    /// Signs the options of a sign-in with a passkey that the person chooses.
    func passkeyResponse(from provider: any PasskeyCredentialProvider) async throws(ClientError) -> PasskeyResponse {
        let options = try await perform(BeginPasskeySignIn())
        let assertion = try await provider.assert(try options.assertion)
        return PasskeyResponse(token: options.token ?? Secret(""), credential: assertion.text)
    }

    /// Creates the recovery codes of a new account. The session exists in any case.
    func withRecoveryCodes(_ session: SessionSnapshot) async -> PasskeyAccount {
        PasskeyAccount(session: session, recoveryCodes: try? await replaceRecoveryCodes())
    }

    func assertion(
        for challenge: Challenge, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> String {
        let options = try await perform(BeginPasskeyChallenge(challengeToken: challenge.token))
        return try await provider.assert(try options.assertion).text
    }
}

/// The session of a new account with a passkey and no password, and its recovery codes.
public struct PasskeyAccount: Sendable {
    /// The session.
    public let session: SessionSnapshot
    /// The recovery codes, to be shown once: with a reset of the password they replace a lost passkey. Nil if they could not
    /// be fetched; ``AuthClient/replaceRecoveryCodes()`` creates others.
    public let recoveryCodes: [Secret<String>]?
}

extension PasskeyOptions {
    fileprivate var assertion: PasskeyAssertionOptions {
        get throws(ClientError) { try PasskeyAssertionOptions(json: Data(publicKey.utf8)) }
    }
}

extension PasskeyAssertion {
    fileprivate var text: String { String(decoding: json, as: UTF8.self) }
}

extension PasskeyRegistration {
    var text: String { String(decoding: json, as: UTF8.self) }
}
