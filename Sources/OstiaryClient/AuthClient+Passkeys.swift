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
        let options = try await perform(BeginPasskeySignIn())
        let assertion = try await provider.assert(try options.assertion)
        return try await signIn(
            with: ChosenPasskey(token: options.token ?? Secret(""), assertion: assertion), rememberMe: rememberMe)
    }

    /// Signs in with a passkey that the person chose, for example among the suggestions of
    /// ``suggestedPasskey(from:)``.
    ///
    /// - Parameter rememberMe: Requests the longer session lifetime, in contracts that have two.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.wrongCredentials` for a passkey that the server does not accept.
    @discardableResult
    public func signIn(
        with passkey: ChosenPasskey, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        try await begin(by: .passkey, label: "") { () throws(ClientError) in
            try await self.perform(
                SignInWithPasskey(
                    passkeyToken: passkey.token, credential: passkey.assertion.text, rememberMe: rememberMe,
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

    /// Signs the options of a sign-in with a passkey that the person chooses.
    func passkeyResponse(from provider: any PasskeyCredentialProvider) async throws(ClientError) -> PasskeyResponse {
        let options = try await perform(BeginPasskeySignIn())
        let assertion = try await provider.assert(try options.assertion)
        return PasskeyResponse(token: options.token ?? Secret(""), credential: assertion.text)
    }

    func assertion(
        for challenge: Challenge, from provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> String {
        let options = try await perform(BeginPasskeyChallenge(challengeToken: challenge.token))
        return try await provider.assert(try options.assertion).text
    }
}

extension PasskeyOptions {
    var assertion: PasskeyAssertionOptions {
        get throws(ClientError) { try PasskeyAssertionOptions(json: Data(publicKey.utf8)) }
    }
}

extension PasskeyAssertion {
    fileprivate var text: String { String(decoding: json, as: UTF8.self) }
}

extension PasskeyRegistration {
    var text: String { String(decoding: json, as: UTF8.self) }
}
