public import OstiaryCore

extension AuthEngine {
    /// Ends the session of tokens that a client presents by its own authentication, without a proof of the session's key.
    public func signOutClient(_ call: SignOut) async throws(AuthError) {
        _ = try await run(SignOutHandler(call: call, requiresProof: false))
    }
}

extension SignOut: EngineOperation {
    var handler: SignOutHandler { SignOutHandler(call: self) }
}

/// Ends the session of the given tokens. Idempotent: invalid tokens and ended sessions change nothing.
struct SignOutHandler: OperationHandler {
    let call: SignOut
    /// `false` for a caller that presents the tokens of another: the holder of a client's credentials.
    var requiresProof = true

    static let action = SignOut.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        var ended: SessionState?
        if let state = try await session(accessToken: call.accessToken, in: engine) {
            try requireProof(of: state, in: engine)
            ended = state
            try await end(state, in: engine)
        }
        // An earlier refresh token ends the session too: its owner may have missed the rotation.
        if let token = call.refreshToken, let content = engine.ports.refreshTokens.read(token),
            let state = try await engine.ports.store.session(content.session, in: engine.app.name)
        {
            // A proof is accepted once.
            if ended?.session.id != state.session.id { try requireProof(of: state, in: engine) }
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

    private func requireProof(of state: SessionState, in engine: AuthEngine) throws(AuthError) {
        guard requiresProof, let key = state.session.boundKey else { return }
        try engine.requireProof(ofKey: key, ending: call.accessToken)
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
