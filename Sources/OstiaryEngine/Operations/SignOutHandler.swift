import OstiaryCore

extension SignOut: EngineOperation {
    var handler: SignOutHandler { SignOutHandler(call: self) }
}

/// Ends the session of the given tokens. Idempotent: invalid tokens and ended sessions change nothing.
struct SignOutHandler: OperationHandler {
    let call: SignOut

    static let action = SignOut.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        var ended: SessionState?
        if let state = try await session(accessToken: call.accessToken, in: engine) {
            ended = state
            try await end(state, in: engine)
        }
        // An earlier refresh token ends the session too: its owner may have missed the rotation.
        if let token = call.refreshToken, let (id, _) = engine.ports.refreshTokens.read(token),
            let state = try await engine.ports.store.session(id, in: engine.app.name)
        {
            ended = ended ?? state
            try await end(state, in: engine)
        }
        if let owner = ended?.account, let other = try await session(accessToken: call.alsoEnding, in: engine),
            other.account.id == owner.id
        {
            try await end(other, in: engine)
        }
        return Outcome(Done(), account: ended?.account.id, session: ended?.session.id)
    }

    private func session(accessToken: Secret<String>?, in engine: AuthEngine) async throws -> SessionState? {
        guard let accessToken,
            let tokenClaims = try await engine.ports.accessTokens.read(accessToken, at: engine.ports.system.now())
        else { return nil }
        let state = try await engine.ports.store.session(tokenClaims.session, in: engine.app.name)
        guard let state, tokenClaims.subject.utf8.elementsEqual(engine.tokenSubject(of: state.account).utf8) else {
            return nil
        }
        try await engine.requirePermitted(state.session, of: state.account)
        return state
    }

    private func end(_ state: SessionState, in engine: AuthEngine) async throws {
        _ = try await engine.end(state.session.id, .signOut)
    }
}
