import OstiaryCore

extension SignIn: EngineOperation {
    var handler: SessionOpeningHandler<SignInHandler> {
        SessionOpeningHandler(authenticator: SignInHandler(call: self))
    }
}

/// Checks a password. Unknown account, wrong password and disabled account get the same refusal after the same time.
struct SignInHandler: AuthenticationHandler {
    let call: SignIn

    static let action = SignIn.kind
    var identifier: Identifier? { call.identifier }
    var attempts: Attempts {
        Attempts(kind: Self.action.description.attempts, identifier: call.identifier, password: call.password)
    }

    func attribution(in engine: AuthEngine) -> AttemptAttribution { AttemptAttribution(method: SignInMethod.password) }

    func authenticate(in engine: AuthEngine) async throws -> Authentication {
        let ports = engine.ports
        if let credentialProvider = ports.identities.credentialProvider {
            return try await engine.delegate(call, to: credentialProvider)
        }
        let found = try await ports.store.account(identifiedBy: call.identifier, in: engine.app.name)
        let match = try await ports.passwords.check(call.password, against: found?.passwordHash)
        guard var account = found, account.isActive, match != .differs, !engine.refusesPassword else {
            throw Refused(.wrongCredentials, account: found?.id)
        }
        if match == .matchesOutdatedHash, let old = account.passwordHash {
            let hash = try await ports.passwords.hash(call.password)
            try await ports.store.upgradePasswordHash(of: account.id, in: account.app, from: old, to: hash)
            account.passwordHash = hash
        }
        return Authentication(
            account: account, method: SignInMethod.password, password: call.password,
            context: engine.context(of: .password), rememberMe: call.rememberMe, device: call.device)
    }
}
