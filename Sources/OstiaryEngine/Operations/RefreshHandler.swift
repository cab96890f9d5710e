import Foundation
import OstiaryCore

extension Refresh: EngineOperation {
    var handler: RefreshHandler { RefreshHandler(call: self) }
}

/// Exchanges a refresh token: rotates it, accepts an earlier token once more, or detects a theft.
struct RefreshHandler: OperationHandler {
    let call: Refresh

    static let action = Refresh.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Tokens> {
        guard let content = engine.ports.refreshTokens.read(call.refreshToken) else {
            throw AuthError.refreshTokenInvalid
        }
        let (id, generation) = (content.session, content.generation)
        try engine.countFlood(.refresh, "session", id.text)
        if let key = content.boundKey {
            // Before the rotation, so that a stolen token changes nothing.
            do { try await engine.requireProof(ofKey: key) } catch AuthError.invalidDPoPProof {
                throw Refused(.invalidDPoPProof, session: id)
            }
        } else if engine.app.dpop.requirement == .required {
            try await endUnbound(id, in: engine)
        }
        let isBoundToApp = try await engine.requireAppKey(of: id)
        let claims = try await furtherClaims(of: id, in: engine)
        let rotation = try await engine.rotate(id, from: generation)
        switch rotation {
        case .rotated(let state):
            // A session from before is bound to the first key that refreshes it.
            if !isBoundToApp { try await engine.bindAppKey(to: id) }
            return try await answer(state, with: claims, in: engine)
        case .superseded(let state, let successorFirstUsedAt):
            let now = engine.ports.system.now()
            switch engine.app.replay.verdict(successorFirstUsedAt: successorFirstUsedAt, now: now) {
            case .answerAgain:
                return try await answer(state, with: claims, in: engine)
            case .theft:
                try await engine.endReused(state)
                throw Refused(.refreshTokenReused, account: state.account.id, session: id)
            }
        // Not theft: a client that lost the response to the change of password has no other token.
        case .withdrawn(let state):
            throw Refused(.refreshTokenRevoked, account: state.account.id, session: id)
        case .ended(let state):
            throw Refused(Self.refusal(state), account: state.account.id, session: id)
        case .unknown: throw AuthError.refreshTokenInvalid
        }
    }

    /// Ends a session that was opened without a key, which the app requires by now. A session is never bound later: the
    /// token may have been stolen before.
    private func endUnbound(_ id: SessionID, in engine: AuthEngine) async throws {
        guard let state = try await engine.liveState(id) else { return }
        try await engine.end(id, .unbound)
        throw Refused(.dpopRequired, account: state.account.id, session: id)
    }

    /// Asks for the claims before the rotation: without an answer the client keeps the token that it has.
    private func furtherClaims(of id: SessionID, in engine: AuthEngine) async throws -> TokenClaims {
        let now = engine.ports.system.now()
        guard engine.ports.hooks.tokenClaims != nil, let state = try await engine.liveState(id) else { return .none }
        return try await engine.furtherClaims(of: state, at: now)
    }

    private func answer(
        _ state: SessionState, with claims: TokenClaims, in engine: AuthEngine
    ) async throws -> Outcome<Tokens> {
        Outcome(
            try await engine.tokens(for: state, at: engine.ports.system.now(), with: claims),
            account: state.account.id, session: state.session.id)
    }

    private static func refusal(_ state: SessionState) -> AuthError {
        // Checked first, because disabling an account revokes its sessions.
        guard state.account.isActive else { return .accountDisabled }
        guard let revocation = state.session.revocation else { return .refreshTokenExpired }
        return revocation.reason == .reuse ? .refreshTokenReused : .refreshTokenRevoked
    }
}
