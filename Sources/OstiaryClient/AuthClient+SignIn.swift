import OstiaryContracts
public import OstiaryCore

/// A one-time code that was sent to a phone, with the session in which it is checked.
public struct RequestedCode: Hashable, Sendable {
    /// The number that the code was sent to.
    public let phoneNumber: PhoneNumber
    let codeSession: String

    /// Creates a requested code from its parts.
    ///
    /// - Parameter codeSession: The server's identifier for this code, from its answer.
    public init(phoneNumber: PhoneNumber, codeSession: String) {
        self.phoneNumber = phoneNumber
        self.codeSession = codeSession
    }
}

/// Sign-in and registration. Every method throws ``ClientError``: `refused` with the reason if the server rejects the
/// operation, and `refused(.invalid)` before anything is sent if a text is not valid for its field.
extension AuthClient {
    // MARK: Password

    /// Signs in with an email address and a password.
    ///
    /// - Parameter rememberMe: Requests the longer session lifetime, in contracts that have two.
    @discardableResult
    public func signIn(
        email: String, password: String, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        try await signIn(.email(parsed(.email, email, EmailAddress.init)), password, rememberMe)
    }

    /// Signs in with a phone number and a password.
    ///
    /// - Parameters:
    ///   - phoneNumber: The number as the user typed it.
    ///   - rememberMe: Requests the longer session lifetime, in contracts that have two.
    @discardableResult
    public func signIn(
        phoneNumber: String, password: String, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        let number = try parsed(.phoneNumber, phoneNumber, PhoneNumber.init(typed:))
        return try await signIn(.phoneNumber(number), password, rememberMe)
    }

    /// Signs in with a username and a password.
    ///
    /// - Parameters:
    ///   - username: The username, or the email address where accounts have both.
    ///   - rememberMe: Requests the longer session lifetime, in contracts that have two.
    @discardableResult
    public func signIn(
        username: String, password: String, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        try await signIn(.username(parsed(.username, username, Username.init)), password, rememberMe)
    }

    private func signIn(
        _ identifier: Identifier, _ password: String, _ rememberMe: Bool
    ) async throws(ClientError) -> SessionSnapshot {
        try await begin(by: .password, label: identifier.text) { () throws(ClientError) in
            try await self.perform(
                SignIn(
                    identifier: identifier, password: Secret(password), rememberMe: rememberMe,
                    device: await self.device(in: .signIn)))
        }
    }

    /// Continues a sign-in that was refused with ``OstiaryCore/AuthError/challengeRequired(_:)``.
    ///
    /// - Parameter answers: The user's answers by the provider's field names, for example `NEW_PASSWORD`.
    @discardableResult
    public func answer(
        _ challenge: Challenge, with answers: [String: String]
    ) async throws(ClientError) -> SessionSnapshot {
        try await answer(challenge, with: answers, rememberDevice: false)
    }

    /// Continues a sign-in that was refused with ``OstiaryCore/AuthError/challengeRequired(_:)``.
    ///
    /// - Parameters:
    ///   - answers: The user's answers by method.
    ///   - rememberDevice: `true` to ask no second factor on this device for a time, if the server permits it.
    @discardableResult
    public func answer(
        _ challenge: Challenge, with answers: [String: String], rememberDevice: Bool
    ) async throws(ClientError) -> SessionSnapshot {
        try await begin(by: .challenge, label: "") { () throws(ClientError) in
            try await self.perform(
                AnswerChallenge(
                    challengeToken: challenge.token, answers: answers.mapValues { Secret($0) },
                    rememberDevice: rememberDevice))
        }
    }

    /// Sends a code that answers a challenge of a sign-in or a step-up, by text message or email.
    ///
    /// - Parameter method: `.smsCode` or `.emailCode`, if the challenge offers it.
    /// - Throws: ``ClientError/rateLimited(until:)`` for a second code within a minute or a sixth within an hour;
    ///   ``ClientError/refused(_:)`` with ``OstiaryCore/AuthError/challengeRefused`` for a challenge that has expired.
    public func sendCode(by method: ChallengeMethod, for challenge: Challenge) async throws(ClientError) {
        _ = try await perform(SendChallengeCode(challengeToken: challenge.token, method: method))
    }

    // MARK: Registration

    /// Registers an account with an email address, and signs in.
    ///
    /// - Parameters:
    ///   - name: The full name; nil or empty sends none.
    ///   - rememberMe: Requests the longer session lifetime, in contracts that have two.
    /// - Throws: ``ClientError/refused(_:)`` with ``OstiaryCore/AuthError/confirmationRequired`` if the address must be
    ///   confirmed first: see ``confirmRegistration(token:password:)``.
    @discardableResult
    public func register(
        email: String, password: String, name: String? = nil, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        try await register(email: email, password: password, name: name, rememberMe: rememberMe, attributes: [:])
    }

    /// Registers an account with an email address and attributes, and signs in.
    ///
    /// - Parameters:
    ///   - name: The full name; nil or empty sends none.
    ///   - rememberMe: Requests the longer session lifetime, in contracts that have two.
    ///   - attributes: Values of account attributes, by the names that the app declares on the server.
    /// - Throws: The errors of ``register(email:password:name:rememberMe:)``; ``ClientError/refused(_:)`` with
    ///   ``OstiaryCore/AuthError/invalidAttribute(_:_:)`` if the server rejects an attribute.
    @discardableResult
    public func register(
        email: String, password: String, name: String? = nil, rememberMe: Bool = false,
        attributes: [String: AttributeValue]
    ) async throws(ClientError) -> SessionSnapshot {
        let address = try parsed(.email, email, EmailAddress.init)
        var call = Register(
            email: address, password: Secret(password), fullName: try personName(name), rememberMe: rememberMe,
            device: await device(in: .register))
        call.attributes = attributes
        return try await register(call, label: address.text)
    }

    /// Registers an account with a username, and signs in.
    ///
    /// - Parameters:
    ///   - email: The account's address, if the user gives one.
    ///   - name: The full name; nil or empty sends none.
    @discardableResult
    public func register(
        username: String, email: String? = nil, password: String, name: String? = nil
    ) async throws(ClientError) -> SessionSnapshot {
        try await register(username: username, email: email, password: password, name: name, attributes: [:])
    }

    /// Registers an account with a username and attributes, and signs in.
    ///
    /// - Parameters:
    ///   - email: The account's address, if the user gives one.
    ///   - name: The full name; nil or empty sends none.
    ///   - attributes: Values of account attributes, by the names that the app declares on the server.
    @discardableResult
    public func register(
        username: String, email: String? = nil, password: String, name: String? = nil,
        attributes: [String: AttributeValue]
    ) async throws(ClientError) -> SessionSnapshot {
        let username = try parsed(.username, username, Username.init)
        var call = Register(
            username: username, password: Secret(password), fullName: try personName(name),
            device: await device(in: .register))
        call.attributes = attributes
        if let email { call.email = try parsed(.email, email, EmailAddress.init) }
        return try await register(call, label: username.text)
    }

    /// Completes a registration that was refused with ``OstiaryCore/AuthError/confirmationRequired``, and signs in.
    ///
    /// - Parameters:
    ///   - token: The token from the link in the email: see ``RegistrationLink``.
    ///   - password: The password chosen at registration.
    /// - Throws: ``ClientError/refused(_:)`` with ``OstiaryCore/AuthError/registrationTokenRefused`` for a link that
    ///   was used or has expired, with ``OstiaryCore/AuthError/wrongCredentials`` for another password.
    @discardableResult
    public func confirmRegistration(token: String, password: String) async throws(ClientError) -> SessionSnapshot {
        try await register(ConfirmRegistration(token: Secret(token), password: Secret(password)), label: "")
    }

    /// Completes a registration with a passkey that was refused with ``OstiaryCore/AuthError/confirmationRequired``, and
    /// signs in.
    ///
    /// - Parameters:
    ///   - token: The token from the link in the email: see ``RegistrationLink``.
    ///   - provider: The source of the passkey that was created at registration.
    /// - Returns: The session, and the recovery codes of the account, to be shown once.
    /// - Throws: ``ClientError/refused(_:)`` with ``OstiaryCore/AuthError/registrationTokenRefused`` for a link that was
    ///   used or has expired, with ``OstiaryCore/AuthError/wrongCredentials`` for another passkey.
    @discardableResult
    public func confirmRegistration(
        token: String, withPasskeyFrom provider: any PasskeyCredentialProvider
    ) async throws(ClientError) -> EnrolledSession {
        let passkey = try await passkeyResponse(from: provider)
        let session = try await register(ConfirmRegistration(token: Secret(token), passkey: passkey), label: "")
        return await withRecoveryCodes(session)
    }

    func register<Call: AuthOperation>(
        _ call: Call, label: String
    ) async throws(ClientError) -> SessionSnapshot where Call.Answer == SignedIn {
        do {
            let signedIn = try await perform(call)
            keeper.events.send(.registration(failure: nil))
            return await adopt(signedIn, label: label)
        } catch {
            keeper.events.send(.registration(failure: FailureCode(error)))
            throw error
        }
    }

    // MARK: Codes

    /// Requests a one-time code by message to a phone.
    ///
    /// - Parameter phoneNumber: The number as the user typed it.
    /// - Returns: The handle with which the code is checked or redeemed.
    public func requestCode(for phoneNumber: String) async throws(ClientError) -> RequestedCode {
        let number = try parsed(.phoneNumber, phoneNumber, PhoneNumber.init(typed:))
        let answer = try await perform(RequestCode(phoneNumber: number))
        return RequestedCode(phoneNumber: number, codeSession: answer.codeSession)
    }

    /// Checks a code without redeeming it.
    ///
    /// - Parameter digits: The code as the user typed it.
    /// - Throws: ``ClientError/refused(_:)`` with ``OstiaryCore/AuthError/codeRefused`` for a code that is wrong,
    ///   expired, redeemed or out of attempts.
    public func verify(_ code: RequestedCode, digits: String) async throws(ClientError) {
        let digits = try parsed(.code, digits, OneTimeCode.init)
        _ = try await perform(VerifyCode(phoneNumber: code.phoneNumber, code: digits, codeSession: code.codeSession))
    }

    /// Registers an account with a phone number proven by a one-time code, and signs in.
    ///
    /// - Parameter digits: The code as the user typed it.
    @discardableResult
    public func register(
        code: RequestedCode, digits: String, password: String
    ) async throws(ClientError) -> SessionSnapshot {
        try await register(code: code, digits: digits, password: password, attributes: [:])
    }

    /// Registers an account with a phone number proven by a one-time code and with attributes, and signs in.
    ///
    /// - Parameters:
    ///   - digits: The code as the user typed it.
    ///   - attributes: Values of account attributes, by the names that the app declares on the server.
    @discardableResult
    public func register(
        code: RequestedCode, digits: String, password: String, attributes: [String: AttributeValue]
    ) async throws(ClientError) -> SessionSnapshot {
        var call = Register(
            phoneNumber: code.phoneNumber, password: Secret(password),
            code: try parsed(.code, digits, OneTimeCode.init), device: await device(in: .register))
        call.attributes = attributes
        return try await register(call, label: code.phoneNumber.e164)
    }

    // MARK: Identity providers on the device

    /// Signs in with an ID token that this device obtained from an identity provider directly, such as Sign in with
    /// Apple.
    ///
    /// - Parameters:
    ///   - provider: The provider's name in the contract, for example `apple`.
    ///   - nonce: The nonce that the app generated before it called the provider.
    ///   - name: The full name, if the provider gave it to the device only.
    @discardableResult
    public func signIn(
        identityToken: String, provider: String, nonce: String, name: String? = nil
    ) async throws(ClientError) -> SessionSnapshot {
        let fullName = try personName(name)
        return try await begin(by: .identityToken, label: "") { () throws(ClientError) in
            try await self.perform(
                SignInWithIdentityToken(
                    provider: provider, identityToken: Secret(identityToken), nonce: Secret(nonce), fullName: fullName))
        }
    }

    // MARK: Shared steps

    /// Performs a sign-in, begins the session, and reports the event.
    @discardableResult
    func begin(
        by method: ClientEvent.SignInMethod, label: String,
        _ signIn: @Sendable () async throws(ClientError) -> SignedIn
    ) async throws(ClientError) -> SessionSnapshot {
        try await begin(by: method, label: label) { () throws(ClientError) in (try await signIn(), ()) }.session
    }

    /// Performs a sign-in whose answer contains more than the session, begins the session, and reports the event.
    func begin<More: Sendable>(
        by method: ClientEvent.SignInMethod, label: String,
        _ signIn: @Sendable () async throws(ClientError) -> (SignedIn, More)
    ) async throws(ClientError) -> (session: SessionSnapshot, more: More) {
        do {
            let (signedIn, more) = try await signIn()
            keeper.events.send(.signIn(method: method, failure: nil))
            return (await adopt(signedIn, label: label), more)
        } catch {
            keeper.events.send(.signIn(method: method, failure: FailureCode(error)))
            throw error
        }
    }

    private func adopt(_ signedIn: SignedIn, label: String) async -> SessionSnapshot {
        await keeper.beginSession(signedIn, label: label)
    }

    func perform<Operation: AuthOperation>(_ operation: Operation) async throws(ClientError) -> Operation.Answer {
        // What signs in presents the device, so that the account recognizes it.
        let isSignIn = Operation.Answer.self == SignedIn.self
        let deviceToken = isSignIn || Operation.description.presentsDevice ? await keeper.deviceToken() : nil
        let answer = try await auth.perform(operation, deviceToken: deviceToken, at: options.system)
        // That of a sign-in is stored with its session.
        if !isSignIn, let next = answer.deviceToken { await keeper.keep(deviceToken: next) }
        return answer
    }

    /// Parses a text into the form of the contract's field.
    ///
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.invalid`.
    func parsed<Value>(
        _ field: Field, _ text: String, _ read: (String) throws(FieldProblem) -> Value
    ) throws(ClientError) -> Value {
        do { return try read(text) } catch { throw .refused(.invalid(field, error)) }
    }

    /// Parses the name of a factor; nil leaves it to the server.
    func factorName(_ name: String?) throws(ClientError) -> FactorName? {
        guard let name else { return nil }
        return try parsed(.name, name, FactorName.init)
    }

    func personName(_ name: String?) throws(ClientError) -> PersonName? {
        guard let name, !name.isEmpty else { return nil }
        return try parsed(.fullName, name, PersonName.init)
    }

    /// The description of this device, or nil if the contract has no field for it.
    func device(in kind: OperationKind) async -> DeviceInfo? {
        guard auth.codec.takesDevice(in: kind) else { return nil }
        if let device = options.device { return device }
        return .ofThisDevice(deviceID: await keeper.deviceID())
    }
}
