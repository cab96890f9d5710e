import Foundation
import OstiaryCore

/// Exchanges a refresh token: rotation, one more answer to an earlier token, or the discovery of a theft.
struct Refreshing: Step {
    let call: Refresh

    static let action = OperationKind.refresh
    static let auditing = Auditing.refusals
    var attempts: Attempts { Attempts(kind: .refresh, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Tokens> {
        let sessions = engine.ports.sessions
        let now = engine.ports.surroundings.now()
        guard let (id, generation) = engine.ports.refreshTokens.read(call.refreshToken) else {
            throw AuthError.refreshTokenInvalid
        }
        try engine.countFlood(.refresh, "session", id.text)
        let rotation = try await sessions.rotate(
            id, in: engine.app.name, from: generation, at: now, address: engine.caller.address,
            forgettingBefore: now.addingTimeInterval(-Double(engine.app.replay.window)))
        switch rotation {
        case .rotated(let state):
            return try await answer(state, in: engine)
        case .superseded(let state, let successorFirstUsedAt):
            switch engine.app.replay.verdict(successorFirstUsedAt: successorFirstUsedAt, now: now) {
            case .answerAgain:
                return try await answer(state, in: engine)
            case .theft:
                _ = try await sessions.revoke(id, in: engine.app.name, Revocation(reason: .reuse, at: now))
                throw Refused(.refreshTokenReused, account: state.account.id, session: id)
            }
        case .ended(let state):
            throw Refused(Self.refusal(state), account: state.account.id, session: id)
        case .unknown: throw AuthError.refreshTokenInvalid
        }
    }

    private func answer(_ state: SessionState, in engine: AuthEngine) async throws -> Outcome<Tokens> {
        Outcome(try await engine.tokens(for: state), account: state.account.id, session: state.session.id)
    }

    private static func refusal(_ state: SessionState) -> AuthError {
        // First, because disabling an account revokes its sessions.
        guard state.account.isActive else { return .accountDisabled }
        guard let revocation = state.session.revocation else { return .refreshTokenExpired }
        return revocation.reason == .reuse ? .refreshTokenReused : .refreshTokenRevoked
    }
}
