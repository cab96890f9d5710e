import Foundation
import OstiaryCore

extension AuthEngine {
    /// Rotates a session; where an external credential provider verifies the app's passwords, only if it lets the
    /// person continue.
    ///
    /// The credential provider is also asked about an earlier refresh token that is accepted again: otherwise a caller
    /// who keeps presenting it could continue for as long as the session lasts, regardless of the credential provider.
    func rotate(_ id: SessionID, from generation: Int) async throws -> Rotation {
        guard let credentialProvider = ports.identities.credentialProvider else {
            return try await rotateNow(id, from: generation)
        }
        if try await liveState(id)?.session.generation == generation {
            return try await rotate(id, from: generation) {
                // If the generation is no longer current, the credential provider was asked while this request waited.
                guard let state = try await liveState(id), state.session.generation == generation else { return }
                try await renew(state, at: credentialProvider)
            }
        }
        let rotation = try await rotateNow(id, from: generation)
        // For refused tokens the credential provider is not asked: a stolen token must not cause requests to it.
        guard case .superseded(_, let firstUsedAt) = rotation,
            app.replay.verdict(successorFirstUsedAt: firstUsedAt, now: ports.system.now()) == .answerAgain
        else { return rotation }
        return try await rotate(id, from: generation) {
            if let state = try await liveState(id) { try await renew(state, at: credentialProvider) }
        }
    }

    /// Rotates a session after asking, as one single flight: between renewing and rotating, another request would find
    /// the session as before, and ask again. A credential provider whose tokens are single-use would treat that as
    /// theft.
    private func rotate(
        _ id: SessionID, from generation: Int, after asking: @escaping @Sendable () async throws -> Void
    ) async throws -> Rotation {
        let rotation = try await renewals.run(id) {
            try await asking()
            return try await rotateNow(id, from: generation)
        }
        return rotation.isOwn ? rotation.value : try await rotateNow(id, from: generation)
    }

    private func rotateNow(_ id: SessionID, from generation: Int) async throws -> Rotation {
        let now = ports.system.now()
        return try await ports.store.rotate(
            id, in: app.name, from: generation, at: now, address: caller.address,
            forgettingBefore: now.addingTimeInterval(-Double(app.replay.window)))
    }

    func liveState(_ id: SessionID) async throws -> SessionState? {
        let state = try await ports.store.session(id, in: app.name)
        return state?.isAlive(at: ports.system.now()) == true ? state : nil
    }

    /// Asks the credential provider whether the person may continue, and stores its new state of the session.
    private func renew(_ state: SessionState, at credentialProvider: any ExternalCredentialProvider) async throws {
        let id = state.session.id
        // A session from before the app had a credential provider, or one sealed with another key, cannot be renewed
        // and ends.
        guard let kept = try await ports.store.attachment(of: id, in: app.name),
            let upstreamSession = try? open(kept, of: id)
        else { throw try await ending(unrenewed: state) }
        let renewed: [UInt8]
        do {
            renewed = try await credentialProvider.renew(upstreamSession)
        } catch CredentialProviderRefusal.refused {
            guard try await isReplaced(kept, of: id) else { throw try await ending(unrenewed: state) }
            return
        } catch CredentialProviderRefusal.throttled(let seconds) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: seconds)
        }
        // If another node was first, its result is equally valid.
        _ = try await ports.store.replaceAttachment(
            of: id, in: app.name, version: kept.version, with: try seal(renewed, with: id))
    }

    /// The delays between checks for another node that renews the same session.
    private static let patience: [Duration] = [.milliseconds(50), .milliseconds(200), .milliseconds(750)]

    /// Returns `true` if another node renewed the session in the meantime, which invalidated the state this request
    /// used.
    private func isReplaced(_ kept: SessionAttachment, of id: SessionID) async throws -> Bool {
        for wait in Self.patience {
            try await ports.system.sleep(wait)
            let current = try await ports.store.attachment(of: id, in: app.name)
            if let current, current.version != kept.version { return true }
        }
        return false
    }

    private func ending(unrenewed state: SessionState) async throws -> Refused {
        let id = state.session.id
        _ = try await ports.store.revoke(
            id, in: app.name, Revocation(reason: .authorityRefused, at: ports.system.now()))
        return Refused(.refreshTokenRevoked, account: state.account.id, session: id)
    }
}
