public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Moves the session to its next generation, if `generation` is the current one and the session is alive at `now`.
    public func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date
    ) -> Rotation {
        transaction { tables in
            guard let state = tables.state(of: id, in: app), var row = tables.sessions[id] else { return .unknown }
            guard generation == state.session.generation, state.isAlive(at: now) else {
                return row.refusal(of: generation, state, at: now)
            }
            // Presenting a token is a use of it; only the first record counts.
            if Session.forgetsFirstUses(rotatingFrom: generation) {
                row.uses = row.uses.filter { $0.value >= horizon.asStored }
            }
            let firstUse = row.firstUsedAt ?? now.asStored
            if firstUse >= horizon.asStored { row.uses[generation] = firstUse }
            row.session.advanceGeneration(at: now)
            row.session.address = address
            row.firstUsedAt = nil
            tables.sessions[id] = row
            tables.noteActivity(of: row.session.accountID, in: app, at: now)
            return .rotated(SessionState(session: row.session, account: state.account))
        }
    }
}

extension MemoryTables {
    /// Withdraws the refresh tokens of a session that continues after a change of password: the earlier ones, and with
    /// `isRenewed` the current one, whose successor is in the response.
    mutating func withdrawRefreshTokens(of id: SessionID, in app: AppName, isRenewed: Bool, at now: Date) {
        guard var row = session(id, in: app), row.session.revocation == nil else { return }
        if isRenewed {
            guard row.session.idleEndsAt > now.asStored else { return }
            row.session.advanceGeneration(at: now)
            row.firstUsedAt = nil
            noteActivity(of: row.session.accountID, in: app, at: now)
        }
        row.session.oldestGeneration = row.session.generation
        sessions[id] = row
    }
}

extension SessionRow {
    fileprivate func refusal(of generation: Int, _ state: SessionState, at now: Date) -> Rotation {
        guard (0...session.generation).contains(generation) else { return .unknown }
        guard generation < session.generation, state.isAlive(at: now) else { return .ended(state) }
        guard generation >= session.oldestGeneration else { return .withdrawn(state) }
        let successor = generation + 1
        if successor == session.generation { return .superseded(state, successorFirstUsedAt: firstUsedAt) }
        // Its first use was recorded by its rotation; a missing record has been deleted.
        return .superseded(state, successorFirstUsedAt: uses[successor] ?? .distantPast)
    }
}

extension Session {
    /// Moves to the next generation.
    fileprivate mutating func advanceGeneration(at now: Date) {
        generation += 1
        generationIssuedAt = now.asStored
        lastUsedAt = now.asStored
        idleEndsAt = min(now.addingTimeInterval(Double(idleSeconds)).asStored, endsAt)
    }
}
