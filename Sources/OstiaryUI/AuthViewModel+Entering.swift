import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Signs in with the typed identifier and password.
    ///
    /// - Returns: `nil` if a field is missing or invalid, which is then shown at the field. The same holds for every
    ///   action with a form.
    @discardableResult
    public func signIn() -> Task<Void, Never>? {
        guard let typed = filled(.signIn), let identifier = screens.identifier else { return nil }
        return begin(.form(.signIn), retrying: { $0.signIn() }) { [auth] () async throws(ClientError) in
            switch identifier {
            case .email:
                try await auth.signIn(
                    email: typed.identifier, password: typed.password, rememberMe: typed.rememberMe)
            case .phoneNumber:
                try await auth.signIn(
                    phoneNumber: typed.identifier, password: typed.password, rememberMe: typed.rememberMe)
            default:
                try await auth.signIn(
                    username: typed.identifier, password: typed.password, rememberMe: typed.rememberMe)
            }
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// Creates an account, with the code that was sent if the app requires one.
    @discardableResult
    public func register() -> Task<Void, Never>? {
        guard let typed = filled(.register), let identifier = screens.identifier else { return nil }
        let code = code
        if screens.registersWithCode, code == nil { return nil }
        return begin(.form(.register), retrying: { $0.register() }) { [auth] () async throws(ClientError) in
            if let code {
                try await auth.register(code: code, digits: typed.code, password: typed.password)
            } else if identifier == .email {
                try await auth.register(
                    email: typed.identifier, password: typed.password, name: typed.name, rememberMe: typed.rememberMe)
            } else {
                try await auth.register(
                    username: typed.identifier, email: typed.email, password: typed.password, name: typed.name)
            }
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// Completes a registration with the token from the mail and the password that was chosen, and signs in.
    @discardableResult
    public func confirmRegistration() -> Task<Void, Never>? {
        guard let typed = filled(.confirmRegistration) else { return nil }
        return begin(.form(.confirmRegistration), retrying: { $0.confirmRegistration() }) {
            [auth] () async throws(ClientError) in
            try await auth.confirmRegistration(token: typed.registrationToken, password: typed.password)
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// Answers the step that the identity provider requires.
    @discardableResult
    public func answerChallenge() -> Task<Void, Never>? {
        guard let challenge, let form = challengeForm, let typed = filled(.answerChallenge) else { return nil }
        let answer = [form.answerName: typed.text(of: form.field.entry)]
        let rememberDevice = remembersDevice
        return begin(.form(.answerChallenge), retrying: { $0.answerChallenge() }) {
            [auth] () async throws(ClientError) in
            try await auth.answer(challenge, with: answer, rememberDevice: rememberDevice)
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// The time for which the server remembers this device after an answer by the current method, in days; `nil` if it does
    /// not. The form of the challenge then has the choice ``AuthFields/rememberDevice``.
    public var rememberDeviceDays: Int? {
        guard let method = challengeMethod, Self.rememberingMethods.contains(method) else { return nil }
        return challenge?.rememberDeviceDays
    }

    /// The methods that show a second factor, which the device can take the place of. A recovery code and a code by email
    /// show none.
    private static let rememberingMethods: Set<ChallengeMethod> = [.passkey, .totp, .smsCode]

    /// The field of that choice; `nil` where the server does not remember the device.
    var rememberDeviceField: FormField? {
        rememberDeviceDays == nil ? nil : FormField(.rememberDevice, .rememberDevice)
    }

    private var remembersDevice: Bool { rememberDeviceDays != nil && fields.rememberDevice }

    /// Chooses another one of ``challengeMethods``, and sends its code if it has one.
    ///
    /// - Returns: The sending of the code; `nil` if none is sent.
    @discardableResult
    public func chooseMethod(_ method: ChallengeMethod) -> Task<Void, Never>? {
        chosenMethod = method
        fields.forgetSecrets()
        error = nil
        return sendChallengeCode()
    }

    /// `true` if the code of the current method is sent by the server.
    public var sendsChallengeCode: Bool { challengeMethod.map(ChallengeForm.sentMethods.contains) ?? false }

    /// Sends the code of the current method, for the first time or again.
    ///
    /// - Returns: `nil` if the method has none, or ``resendSeconds`` is not 0 yet.
    @discardableResult
    public func sendChallengeCode() -> Task<Void, Never>? {
        guard let challenge, let method = challengeMethod, sendsChallengeCode, resendSeconds == 0 else { return nil }
        return begin(.challengeCode, retrying: { $0.sendChallengeCode() }) { [auth] () async throws(ClientError) in
            try await auth.sendCode(by: method, for: challenge)
        } take: { model, _ in
            model.countDown(from: model.options.codeCooldown)
        }
    }

    /// Answers the second factor with a passkey.
    ///
    /// - Returns: `nil` if the step cannot be answered with a passkey here.
    @discardableResult
    public func answerWithPasskey() -> Task<Void, Never>? {
        guard let challenge, let passkeys = options.passkeys, challengeMethods.contains(.passkey) else { return nil }
        let rememberDevice = remembersDevice
        return begin(.passkey, retrying: { $0.answerWithPasskey() }) { [auth] () async throws(ClientError) in
            try await auth.answer(challenge, withPasskeyFrom: passkeys, rememberDevice: rememberDevice)
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// Signs in with a passkey, in the place of a password and a second factor.
    ///
    /// - Returns: `nil` if the app or the contract has no passkeys.
    @discardableResult
    public func signInWithPasskey() -> Task<Void, Never>? {
        guard let passkeys = options.passkeys, offersPasskeySignIn else { return nil }
        let rememberMe = fields.rememberMe
        return begin(.passkey, retrying: { $0.signInWithPasskey() }) { [auth] () async throws(ClientError) in
            try await auth.signInWithPasskey(from: passkeys, rememberMe: rememberMe)
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// Signs in with an ID token that the device received from the identity provider, for example through Sign in with
    /// Apple.
    @discardableResult
    public func signIn(
        identityToken: String, provider: String, nonce: String, name: String? = nil
    ) -> Task<Void, Never> {
        begin(.identityToken(provider: provider), retrying: nil) { [auth] () async throws(ClientError) in
            try await auth.signIn(identityToken: identityToken, provider: provider, nonce: nonce, name: name)
        } take: { model, _ in
            model.didSignIn()
        }
    }

    /// `true` where passkeys can be suggested: the app's source of passkeys supports it, and nothing is under way.
    public var suggestsPasskeys: Bool {
        offersPasskeySignIn && options.passkeys is any PasskeyAutoFillProvider && step == .start
            && !running.keys.contains(where: \.isEntering)
    }

    /// Has passkeys suggested while the person types, and signs in with the one that is chosen. Call it while the sign-in is on
    /// the screen; it waits until the person chooses one, or its task is cancelled.
    ///
    /// A failure before the choice is not shown: the person asked for nothing.
    public func suggestPasskeys() async {
        guard suggestsPasskeys, let provider = options.passkeys as? any PasskeyAutoFillProvider else { return }
        let passkey: ChosenPasskey
        do { passkey = try await auth.suggestedPasskey(from: provider) } catch { return }
        guard suggestsPasskeys else { return }
        let rememberMe = fields.rememberMe
        await begin(.passkey, retrying: nil) { [auth] () async throws(ClientError) in
            try await auth.signIn(with: passkey, rememberMe: rememberMe)
        } take: { model, _ in
            model.didSignIn()
        }.value
    }

    /// Discards the input after a sign-in. The client publishes the new session through ``state``.
    func didSignIn() {
        fields.forgetSecrets()
        (step, code, challenge, chosenMethod, visitedEntries) = (.start, nil, nil, nil, [])
        endCountdown()
    }

    /// Ends the session. Other actions under way are abandoned.
    @discardableResult
    public func signOut() -> Task<Void, Never> {
        for action in running.keys where action != .signOut { abandon(action) }
        fields.forgetSecrets()
        return begin(.signOut, retrying: { $0.signOut() }) { [auth] () async throws(ClientError) in
            try await auth.signOut()
        } take: { model, result in
            if result == .revocationPending { model.notify(.revocationPending) }
        }
    }

    // MARK: Forgotten passwords

    /// Requests a mail with a link to choose a new password.
    ///
    /// - Returns: `nil` if the email address is missing or invalid.
    @discardableResult
    public func requestPasswordReset() -> Task<Void, Never>? {
        guard let typed = filled(.requestPasswordReset) else { return nil }
        let email = screens.identifier == .email ? typed.identifier : typed.email ?? ""
        return begin(.form(.requestPasswordReset), retrying: { $0.requestPasswordReset() }) {
            [auth] () async throws(ClientError) in
            try await auth.requestPasswordReset(email: email)
        } take: { model, _ in
            model.step = .resetSent
        }
    }

    // MARK: Device links

    /// Requests a link by which the account recognizes this device, for the typed identifier.
    ///
    /// - Returns: `nil` if the identifier is missing.
    @discardableResult
    public func requestDeviceLink() -> Task<Void, Never>? {
        let identifier = fields.identifier
        guard !isSignedIn, !identifier.isEmpty else { return nil }
        return begin(.requestDeviceLink, retrying: { $0.requestDeviceLink() }) { [auth] () async throws(ClientError) in
            try await auth.requestDeviceLink(for: identifier)
        } take: { model, _ in
            model.notify(.deviceLinkSent)
        }
    }

    /// Lets the account recognize this device, with the token of the link that opened the app.
    ///
    /// - Returns: `nil` without a link.
    @discardableResult
    public func redeemDeviceLink() -> Task<Void, Never>? {
        guard !isSignedIn, let token = deviceLinkToken else { return nil }
        return begin(.redeemDeviceLink, retrying: { $0.redeemDeviceLink() }) { [auth] () async throws(ClientError) in
            try await auth.redeemDeviceLink(token: token.reveal())
        } take: { model, _ in
            model.deviceLinkToken = nil
            model.notify(.deviceRecognized)
        }
    }

    /// Sets the typed new password, with the token from a link or with the code that was sent.
    ///
    /// - Returns: `nil` if a field is missing or invalid, or a required code was not sent.
    @discardableResult
    public func resetPassword() -> Task<Void, Never>? {
        guard let typed = filled(.resetPassword) else { return nil }
        let code = code
        let takesCode = screens.fields(of: .resetPassword).contains { $0.entry == .code }
        if takesCode, code == nil { return nil }
        return begin(.form(.resetPassword), retrying: { $0.resetPassword() }) { [auth] () async throws(ClientError) in
            if takesCode, let code {
                try await auth.resetPassword(code: code, digits: typed.code, newPassword: typed.newPassword)
            } else {
                try await auth.resetPassword(token: typed.resetToken, newPassword: typed.newPassword)
            }
        } take: { model, _ in
            model.didSignIn()
            model.step = .passwordReset
        }
    }

    /// Returns to the first step, and discards secrets and the progress of a sign-in. Sign-in actions under way are
    /// abandoned.
    public func startOver() {
        for action in running.keys where action.isEntering || isOfSignIn(action) { abandon(action) }
        if mustAddFactor { pendingTOTP = nil }
        fields.forgetSecrets()
        fields.rememberDevice = false
        (step, code, challenge, chosenMethod, visitedEntries, error) = (.start, nil, nil, nil, [], nil)
    }
}
