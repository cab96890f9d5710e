import OstiaryContracts
public import OstiaryCore

/// A one-time code that was sent somewhere, and what it is to be checked with.
public struct RequestedCode: Hashable, Sendable {
    public let phoneNumber: PhoneNumber
    let codeSession: String

    public init(phoneNumber: PhoneNumber, codeSession: String) {
        self.phoneNumber = phoneNumber
        self.codeSession = codeSession
    }
}

/// All of these throw ``ClientError``: `refused` with the reason where the server said no, and `refused(.invalid)` before
/// anything is sent where a text is not what it should be.
extension AuthClient {
    // MARK: Password

    /// - Parameter rememberMe: Whether the session lives long, where the contract has two lifetimes.
    @discardableResult
    public func signIn(
        email: String, password: String, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        try await signIn(.email(parsed(.email, email, EmailAddress.init)), password, rememberMe)
    }

    /// - Parameter rememberMe: As with an email.
    @discardableResult
    public func signIn(
        phoneNumber: String, password: String, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        let number = try parsed(.phoneNumber, phoneNumber, PhoneNumber.init(typed:))
        return try await signIn(.phoneNumber(number), password, rememberMe)
    }

    /// - Parameters:
    ///   - username: Or the email, where people have both.
    ///   - rememberMe: As with an email.
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

    /// Goes on with a sign-in that was refused with ``OstiaryCore/AuthError/challengeRequired(_:)``.
    ///
    /// - Parameter answers: The provider's names and what the person typed for each, for example `NEW_PASSWORD`.
    @discardableResult
    public func answer(
        _ challenge: Challenge, with answers: [String: String]
    ) async throws(ClientError) -> SessionSnapshot {
        try await begin(by: .challenge, label: "") { () throws(ClientError) in
            try await self.perform(
                AnswerChallenge(challengeToken: challenge.token, answers: answers.mapValues { Secret($0) }))
        }
    }

    // MARK: Registration

    @discardableResult
    public func register(
        email: String, password: String, name: String? = nil, rememberMe: Bool = false
    ) async throws(ClientError) -> SessionSnapshot {
        let address = try parsed(.email, email, EmailAddress.init)
        let call = Register(
            email: address, password: Secret(password), fullName: try personName(name), rememberMe: rememberMe,
            device: await device(in: .register))
        return try await register(call, label: address.text)
    }

    @discardableResult
    public func register(
        username: String, email: String? = nil, password: String, name: String? = nil
    ) async throws(ClientError) -> SessionSnapshot {
        let username = try parsed(.username, username, Username.init)
        var call = Register(
            username: username, password: Secret(password), fullName: try personName(name),
            device: await device(in: .register))
        if let email { call.email = try parsed(.email, email, EmailAddress.init) }
        return try await register(call, label: username.text)
    }

    /// Finishes a registration that was refused with ``OstiaryCore/AuthError/confirmationRequired``, and signs in.
    ///
    /// - Parameters:
    ///   - token: Out of the link in the mail: see ``RegistrationLink``.
    ///   - password: The one that was chosen then.
    /// - Throws: ``ClientError/refused(_:)`` with ``OstiaryCore/AuthError/registrationTokenRefused`` for a link that is over,
    ///   with ``OstiaryCore/AuthError/wrongCredentials`` for another password.
    @discardableResult
    public func confirmRegistration(token: String, password: String) async throws(ClientError) -> SessionSnapshot {
        try await register(ConfirmRegistration(token: Secret(token), password: Secret(password)), label: "")
    }

    private func register<Call: WireOperation>(
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

    /// Has a one-time code sent to a phone.
    public func requestCode(for phoneNumber: String) async throws(ClientError) -> RequestedCode {
        let number = try parsed(.phoneNumber, phoneNumber, PhoneNumber.init(typed:))
        let answer = try await perform(RequestCode(phoneNumber: number))
        return RequestedCode(phoneNumber: number, codeSession: answer.codeSession)
    }

    /// Checks a code without spending it.
    public func verify(_ code: RequestedCode, digits: String) async throws(ClientError) {
        let digits = try parsed(.code, digits, OneTimeCode.init)
        _ = try await perform(VerifyCode(phoneNumber: code.phoneNumber, code: digits, codeSession: code.codeSession))
    }

    @discardableResult
    public func register(
        code: RequestedCode, digits: String, password: String
    ) async throws(ClientError) -> SessionSnapshot {
        let call = Register(
            phoneNumber: code.phoneNumber, password: Secret(password),
            code: try parsed(.code, digits, OneTimeCode.init), device: await device(in: .register))
        return try await register(call, label: code.phoneNumber.e164)
    }

    // MARK: Identity providers on the device

    /// Signs in with an ID token that this device got from an identity provider itself, such as Sign in with Apple.
    ///
    /// - Parameters:
    ///   - nonce: What the app made up before it asked the provider.
    ///   - name: What the provider told the device alone.
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

    // MARK: What they have in common

    /// Signs in some way, begins the session, and counts.
    @discardableResult
    func begin(
        by method: ClientEvent.SignInMethod, label: String,
        _ signIn: @Sendable () async throws(ClientError) -> SignedIn
    ) async throws(ClientError) -> SessionSnapshot {
        do {
            let signedIn = try await signIn()
            keeper.events.send(.signIn(method: method, failure: nil))
            return await adopt(signedIn, label: label)
        } catch {
            keeper.events.send(.signIn(method: method, failure: FailureCode(error)))
            throw error
        }
    }

    private func adopt(_ signedIn: SignedIn, label: String) async -> SessionSnapshot {
        await keeper.beginSession(signedIn, label: label)
    }

    func perform<Operation: WireOperation>(_ operation: Operation) async throws(ClientError) -> Operation.Answer {
        try await auth.perform(operation, at: options.surroundings)
    }

    /// A text in the form that the contract's field has.
    func parsed<Value>(
        _ field: Field, _ text: String, _ read: (String) throws(FieldProblem) -> Value
    ) throws(ClientError) -> Value {
        do { return try read(text) } catch { throw .refused(.invalid(field, error)) }
    }

    func personName(_ name: String?) throws(ClientError) -> PersonName? {
        guard let name, !name.isEmpty else { return nil }
        return try parsed(.fullName, name, PersonName.init)
    }

    /// What is said about this device, where the contract has a place for it.
    func device(in kind: OperationKind) async -> DeviceInfo? {
        guard auth.codec.takesDevice(in: kind) else { return nil }
        if let device = options.device { return device }
        return .ofThisDevice(deviceID: await keeper.deviceID())
    }
}
