import Foundation
import OstiaryCore
import Synchronization

extension AuthEngine {
    /// Rotates a session; where somebody else checks the app's passwords, only if they let the person go on.
    ///
    /// An earlier refresh token that is answered again is asked about as well: else whoever keeps presenting it would go on
    /// for as long as the session lasts, whatever the authority says.
    func rotate(_ id: SessionID, from generation: Int) async throws -> Rotation {
        guard let authority = ports.identities.passwordAuthority else {
            return try await rotateNow(id, from: generation)
        }
        if try await living(id)?.session.generation == generation {
            return try await rotate(id, from: generation) {
                // Not current any more, it was asked about while this request waited.
                guard let state = try await living(id), state.session.generation == generation else { return }
                try await renew(state, at: authority)
            }
        }
        let rotation = try await rotateNow(id, from: generation)
        // What is refused asks nobody: a thief's token must cost the authority nothing.
        guard case .superseded(_, let firstUsedAt) = rotation,
            app.replay.verdict(successorFirstUsedAt: firstUsedAt, now: ports.surroundings.now()) == .answerAgain
        else { return rotation }
        return try await rotate(id, from: generation) {
            if let state = try await living(id) { try await renew(state, at: authority) }
        }
    }

    /// The rotation belongs to what is done one at a time: between renewing and rotating another request would find the
    /// session as before, and ask again.
    private func rotate(
        _ id: SessionID, from generation: Int, after asking: @escaping @Sendable () async throws -> Void
    ) async throws -> Rotation {
        let led = try await renewals.lead(id) {
            try await asking()
            return try await rotateNow(id, from: generation)
        }
        if let led { return led }
        return try await rotateNow(id, from: generation)
    }

    private func rotateNow(_ id: SessionID, from generation: Int) async throws -> Rotation {
        let now = ports.surroundings.now()
        return try await ports.store.rotate(
            id, in: app.name, from: generation, at: now, address: caller.address,
            forgettingBefore: now.addingTimeInterval(-Double(app.replay.window)))
    }

    private func living(_ id: SessionID) async throws -> SessionState? {
        let now = ports.surroundings.now()
        guard let state = try await ports.store.session(id, in: app.name), state.account.isActive,
            state.session.revocation == nil, now < state.session.endsAt, now < state.session.idleEndsAt
        else { return nil }
        return state
    }

    /// Asks the authority whether the person may go on, and keeps what it gives.
    private func renew(_ state: SessionState, at authority: any PasswordAuthority) async throws {
        let id = state.session.id
        // A session from before the app had an authority, or sealed with another key: nobody can be asked about it.
        guard let kept = try await ports.store.attachment(of: id, in: app.name),
            let theirs = try? open(kept, of: id)
        else { throw try await ending(unrenewed: state) }
        let renewed: [UInt8]
        do {
            renewed = try await authority.renew(theirs)
        } catch PasswordAuthorityRefusal.refused {
            guard try await isReplaced(kept, of: id) else { throw try await ending(unrenewed: state) }
            return
        } catch PasswordAuthorityRefusal.throttled(let seconds) {
            throw AuthError.tooManyAttempts(retryAfterSeconds: seconds)
        }
        // Where another node was first, what it got is as good.
        _ = try await ports.store.replaceAttachment(
            of: id, in: app.name, version: kept.version, with: try seal(renewed, with: id))
    }

    /// How long another node that renews the same session is waited for.
    private static let patience: [Duration] = [.milliseconds(50), .milliseconds(200), .milliseconds(750)]

    /// Whether another node renewed the session meanwhile, which made what we asked with worthless.
    private func isReplaced(_ kept: SessionAttachment, of id: SessionID) async throws -> Bool {
        for wait in Self.patience {
            try await ports.surroundings.sleep(wait)
            let current = try await ports.store.attachment(of: id, in: app.name)
            if let current, current.version != kept.version { return true }
        }
        return false
    }

    private func ending(unrenewed state: SessionState) async throws -> Refused {
        let id = state.session.id
        _ = try await ports.store.revoke(
            id, in: app.name, Revocation(reason: .authorityRefused, at: ports.surroundings.now()))
        return Refused(.refreshTokenRevoked, account: state.account.id, session: id)
    }
}

/// Lets one renewal of a session go on at a time in this process: an authority whose tokens work once would take a second
/// one for a thief's.
final class Renewals: Sendable {
    private let underway = Mutex<[SessionID: Task<Rotation, any Error>]>([:])

    /// Does `work`, or waits for whoever does it already.
    ///
    /// Work goes on when whoever asked for it is gone: others wait for it, and what the authority gave must be kept.
    ///
    /// - Returns: What the work gave; nil for all but the one it was done for.
    /// - Throws: To all what it throws.
    func lead(_ id: SessionID, _ work: @escaping @Sendable () async throws -> Rotation) async throws -> Rotation? {
        let (task, leads) = underway.withLock { underway in
            if let task = underway[id] { return (task, false) }
            let task = Task {
                defer { self.underway.withLock { $0[id] = nil } }
                return try await work()
            }
            underway[id] = task
            return (task, true)
        }
        let rotation = try await task.value
        return leads ? rotation : nil
    }
}
