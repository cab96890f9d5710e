import OstiaryCore

extension Register: EngineOperation {
    var handler: SessionOpeningHandler<RegisterHandler> {
        SessionOpeningHandler(authenticator: RegisterHandler(call: self))
    }
}

/// Creates an account.
struct RegisterHandler: AuthenticationHandler {
    let call: Register

    static let action = Register.kind
    var identifier: Identifier? {
        if let username = call.username { return .username(username) }
        if let number = call.phoneNumber { return .phoneNumber(number) }
        return call.email.map { .email($0) }
    }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        try engine.requireOwnPasswords()
        let app = engine.app
        try checkIdentifier(app.rules)
        let attributes = try app.attributes.validated(call.attributes, by: .owner)
        let own = Account.ownNames(app.name, call.email, call.username, call.phoneNumber, call.fullName)
        if let password = call.password, let problem = await engine.problem(withNew: password, own: own) {
            throw AuthError.invalid(.password, problem)
        }
        try await engine.countRegistration()
        // Before the passkey is verified: a wrong code must not use up its challenge.
        let secret = try await provenCode(in: engine)
        let isConfirmedFirst = app.registersSafely && call.email != nil
        if isConfirmedFirst { try attributes.check(atMost: RegistrationToken.maximumAttributeBytes) }
        // The lookup saves a hash if the registration is going to be refused. The store decides races.
        if !isConfirmedFirst { try await checkFree(in: engine) }
        let (credential, context) = try await credential(in: engine)
        if isConfirmedFirst, let email = call.email {
            try await RegistrationToken.send(for: call, attributes, credential, to: email, in: engine)
            throw AuthError.confirmationRequired
        }
        var new = NewAccount(
            app: app.name, idKind: app.rules.accountIDs, email: call.email, username: call.username,
            phoneNumber: call.phoneNumber, fullName: call.fullName, passwordHash: credential.passwordHash,
            passkey: credential.passkey, createdAt: engine.ports.system.now())
        new.attributes = attributes.values
        let account = try await engine.add(
            new, spending: secret, by: secret == nil ? credential.registrationMethod : "code")
        await engine.rememberNetwork(for: account)
        return Authentication(
            account: account, isNewAccount: true, context: context, rememberMe: call.rememberMe, device: call.device)
    }

    /// Hashes the password, or verifies the passkey.
    ///
    /// - Returns: The account's first credential, and the authentication by it.
    private func credential(in engine: AuthEngine) async throws -> (FirstCredential, AuthenticationContext) {
        if let response = call.passkey, let identifier {
            let (passkey, event) = try await engine.newPasskey(response, of: identifier)
            return (.passkey(passkey), AuthenticationContext([event]))
        }
        guard let password = call.password else { throw AuthError.invalid(.password, .missing) }
        return (.password(hash: try await engine.ports.passwords.hash(password)), engine.context(of: .password))
    }

    private func checkIdentifier(_ rules: AppRules) throws(AuthError) {
        switch rules.identifier {
        case .email: if call.email == nil { throw .invalid(.email, .missing) }
        case .phoneNumber: if call.phoneNumber == nil { throw .invalid(.phoneNumber, .missing) }
        case .username: if call.username == nil { throw .invalid(.username, .missing) }
        case .subject: throw .notFound
        }
        if let email = call.email, !email.isFit { throw .invalid(.email, .malformed) }
        guard let username = call.username else { return }
        if !username.isFit(for: rules) { throw .invalid(.username, .malformed) }
    }

    private func provenCode(in engine: AuthEngine) async throws -> SingleUseSecret? {
        guard engine.app.rules.registersWithCode else { return nil }
        guard let number = call.phoneNumber else { throw AuthError.invalid(.phoneNumber, .missing) }
        guard let code = call.code else { throw AuthError.invalid(.code, .missing) }
        let address = [engine.addressBucket(.codeCheck)].compactMap(\.self)
        try await engine.count(address)
        let pending = try await engine.check(code, sentTo: number, codeSession: nil)
        try await engine.forgive(CountReversal(refunded: address))
        return .code(id: pending.id, app: engine.app.name)
    }

    private func checkFree(in engine: AuthEngine) async throws {
        let claimed: [Identifier?] = [
            call.username.map { .username($0) }, call.email.map { .email($0) },
            call.phoneNumber.map { .phoneNumber($0) },
        ]
        for identifier in claimed.compactMap(\.self)
        where try await engine.ports.store.account(identifiedBy: identifier, in: engine.app.name) != nil {
            throw AuthError.identifierTaken
        }
    }
}

/// The credential that an account begins with.
enum FirstCredential: Sendable {
    case password(hash: String)
    case passkey(NewPasskey)

    var passwordHash: String? { if case .password(let hash) = self { hash } else { nil } }
    var passkey: NewPasskey? { if case .passkey(let passkey) = self { passkey } else { nil } }

    /// The way in, for the hook before a registration.
    var registrationMethod: String {
        switch self {
        case .password: "password"
        case .passkey: "passkey"
        }
    }
}

extension AuthEngine {
    /// Creates an account that its owner registers.
    ///
    /// - Parameter method: See ``requireRegistration(of:by:)``.
    func add(
        _ account: NewAccount, spending secret: SingleUseSecret? = nil, by method: String
    ) async throws -> Account {
        try await requireRegistration(of: account, by: method)
        do {
            return try await ports.store.add(account, spending: secret)
        } catch StoreRefusal.identifierTaken {
            throw AuthError.identifierTaken
        } catch StoreRefusal.alreadySpent {
            throw AuthError.codeRefused
        }
    }
}
