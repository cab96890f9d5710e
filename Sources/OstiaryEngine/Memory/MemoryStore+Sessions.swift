public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Adds a session, if the account is active and has that credential version; returns `true` if it was added.
    ///
    /// - Throws: ``DuplicateKey`` if the session's id is in use.
    public func add(
        _ session: Session, credentialVersion: Int, attachment: [UInt8]?, keeping limit: Int = Session.limitPerAccount
    ) throws -> Bool {
        try open(
            SessionOpening(
                session: session, credentialVersion: credentialVersion, attachment: attachment, keeping: limit))
    }

    /// Opens a session together with what its first tokens are bound to; returns `true` if it was added.
    ///
    /// - Throws: ``DuplicateKey`` if the session's id is in use; ``StoreRefusal/alreadySpent`` and ``StoreRefusal/overtaken`` as
    ///   ``SessionOpeningStore/open(_:)``.
    public func open(_ opening: SessionOpening) throws -> Bool {
        let (session, now) = (opening.session, system.now())
        return try transaction { tables throws in
            if let proof = opening.proof { try tables.checkNew(proof, at: now) }
            guard let account = tables.apps[session.app]?.rows[session.accountID]?.account, account.isActive,
                account.credentialVersion == opening.credentialVersion
            else {
                if let proof = opening.proof { tables.keep(proof) }
                return false
            }
            guard tables.sessions[session.id] == nil else { throw DuplicateKey() }
            if let renewal = opening.renewal {
                guard tables.replace(renewal.hash, by: renewal.device) else { throw StoreRefusal.overtaken }
            }
            if let proof = opening.proof { tables.keep(proof) }
            tables.add(session, attachment: opening.attachment)
            tables.sessions[session.id]?.appKey = opening.appKey
            // An administrator who acts for the account ends none of its sessions.
            guard session.actor == nil else { return true }
            tables.endOldestSessions(
                of: session.accountID, in: session.app, keeping: opening.limit,
                Revocation(reason: .tooManySessions, at: session.createdAt))
            return true
        }
    }

    /// Returns the bytes kept with a session; `nil` if there are none.
    public func attachment(of session: SessionID, in app: AppName) -> SessionAttachment? {
        transaction { $0.session(session, in: app)?.attachment }
    }

    /// Replaces the bytes kept with a session, if they still have that version; returns `true` if they had.
    public func replaceAttachment(
        of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]
    ) -> Bool {
        transaction { tables in
            guard tables.session(session, in: app)?.attachment?.version == version else { return false }
            tables.sessions[session]?.attachment = SessionAttachment(bytes: bytes, version: version + 1)
            return true
        }
    }

    /// Returns the session with its account, even if it has ended; `nil` if there is none.
    public func session(_ id: SessionID, in app: AppName) -> SessionState? {
        transaction { $0.state(of: id, in: app) }
    }

    /// Records the first use of the current generation; earlier generations were recorded by their rotation.
    public func noteUse(of generation: Int, in session: SessionID, app: AppName, at now: Date) {
        transaction { tables in
            // The first use of every earlier generation was recorded by its rotation.
            guard let row = tables.session(session, in: app), row.session.generation == generation,
                row.firstUsedAt == nil
            else { return }
            tables.sessions[session]?.firstUsedAt = now.asStored
        }
    }

    /// Ends a session and queues the message to its owner; returns `true` if this call ended it.
    ///
    /// - Throws: ``DuplicateKey`` if the message's id is in use.
    public func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) throws -> Bool {
        try transaction { tables throws in
            guard tables.session(id, in: app) != nil else { return false }
            if let notice { try tables.checkNew(notice) }
            let hasEnded = tables.end([id], revocation) == 1
            if hasEnded, let notice { tables.enqueue(notice) }
            return hasEnded
        }
    }

    /// Records that the session's signing key was issued; returns `true` if it was not before.
    public func noteSigningKeyIssue(of session: SessionID, in app: AppName, at now: Date) -> Bool {
        transaction { tables in
            guard let row = tables.session(session, in: app), row.signingKeyIssuedAt == nil,
                row.session.revocation == nil
            else { return false }
            tables.sessions[session]?.signingKeyIssuedAt = now.asStored
            return true
        }
    }

    /// Replaces the authentication of a session that has not ended, if it is still `old`; returns `true` if it was.
    public func replaceAuthentication(
        of session: SessionID, in app: AppName, from old: AuthenticationContext, to new: AuthenticationContext
    ) -> Bool {
        transaction { tables in
            guard let row = tables.session(session, in: app), row.session.revocation == nil,
                row.session.authentication == old
            else { return false }
            tables.sessions[session]?.session.authentication = new
            return true
        }
    }

    /// Ends all sessions of an account except `keeping`; returns the number of sessions ended.
    @discardableResult
    public func revokeAll(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation
    ) -> Int {
        transaction { $0.endSessions(of: account, in: app, keeping: keeping, revocation) }
    }

    /// Returns the sessions of an account that are alive at `now`, the most recently used first.
    public func sessions(of account: AccountID, in app: AppName, at now: Date) -> [Session] {
        transaction { tables in
            let rows = (tables.apps[app]?.rows[account]?.sessions ?? []).compactMap { tables.sessions[$0] }
                .filter { $0.session.revocation == nil && $0.session.idleEndsAt > now.asStored }
                .sorted { ($0.session.lastUsedAt, $0.number) > ($1.session.lastUsedAt, $1.number) }
            return rows.prefix(Session.limitPerAccount).map(\.session)
        }
    }
}

extension MemoryTables {
    /// Revokes every session in which an administrator acts.
    @discardableResult
    mutating func endSessions(actingFor actor: String, _ revocation: Revocation) -> Int {
        end(
            sessions.filter { $0.value.session.actor.map { $0.utf8.elementsEqual(actor.utf8) } ?? false }.map(\.key),
            revocation)
    }

    /// Revokes every session in which an administrator acts for an account.
    mutating func endImpersonations(of account: AccountID, in app: AppName, _ revocation: Revocation) {
        let ids = apps[app]?.rows[account]?.sessions ?? []
        end(ids.filter { sessions[$0]?.session.actor != nil }, revocation)
    }

    func session(_ id: SessionID, in app: AppName) -> SessionRow? {
        guard let row = sessions[id], row.session.app == app else { return nil }
        return row
    }

    func state(of id: SessionID, in app: AppName) -> SessionState? {
        guard let row = session(id, in: app), let account = apps[app]?.rows[row.session.accountID]?.account else {
            return nil
        }
        return SessionState(session: row.session, account: account, currentFirstUsedAt: row.firstUsedAt)
    }

    /// Adds a session of an existing account, with a new id.
    mutating func add(_ session: Session, attachment: [UInt8]?) {
        sessions[session.id] = SessionRow(
            session: session.asStored, number: nextNumber(),
            attachment: attachment.map { SessionAttachment(bytes: $0, version: 0) })
        apps[session.app]?.rows[session.accountID]?.sessions.append(session.id)
        // An administrator who acts for the account opens no session.
        guard session.actor == nil else { return }
        apps[session.app]?.rows[session.accountID]?.lastSignInAt = session.createdAt.asStored
        noteActivity(of: session.accountID, in: session.app, at: session.createdAt)
    }

    /// Revokes every session of an account except one. Expired sessions are revoked too, so a clock that jumps back
    /// does not revive them, but are not counted.
    @discardableResult
    mutating func endSessions(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation
    ) -> Int {
        end((apps[app]?.rows[account]?.sessions ?? []).filter { $0 != keeping }, revocation)
    }

    /// Revokes the sessions of an account beyond `limit`, of those that are not revoked and in which no administrator acts: expired
    /// ones first, then the oldest.
    fileprivate mutating func endOldestSessions(
        of account: AccountID, in app: AppName, keeping limit: Int, _ revocation: Revocation
    ) {
        let now = revocation.at.asStored
        let newestFirst = (apps[app]?.rows[account]?.sessions ?? []).reversed()
            .compactMap { sessions[$0]?.session }.filter { $0.revocation == nil && $0.actor == nil }
        let ordered = newestFirst.filter { $0.idleEndsAt > now } + newestFirst.filter { $0.idleEndsAt <= now }
        end(ordered.dropFirst(limit).map(\.id), revocation)
    }

    /// Revokes sessions that are not revoked yet.
    ///
    /// - Returns: The number of the sessions that were alive.
    @discardableResult
    fileprivate mutating func end(_ ids: some Sequence<SessionID>, _ revocation: Revocation) -> Int {
        var ended = 0
        for id in ids {
            guard let session = sessions[id]?.session, session.revocation == nil else { continue }
            sessions[id]?.session.revocation = Revocation(reason: revocation.reason, at: revocation.at.asStored)
            if session.idleEndsAt > revocation.at { ended += 1 }
        }
        return ended
    }
}

extension Session {
    /// This session with the values that a store returns.
    fileprivate var asStored: Session {
        var session = self
        session.createdAt = createdAt.asStored
        session.lastUsedAt = lastUsedAt.asStored
        session.idleEndsAt = idleEndsAt.asStored
        session.endsAt = endsAt.asStored
        session.generationIssuedAt = generationIssuedAt.asStored
        session.oldestGeneration = 0
        session.device = device == DeviceInfo() ? nil : device
        session.revocation = nil
        return session
    }
}
