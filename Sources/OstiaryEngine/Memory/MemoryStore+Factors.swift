public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Returns the factors of an account in order of creation, with the number of its unused recovery codes.
    public func factors(of account: AccountID, in app: AppName) -> EnrolledFactors {
        transaction { tables in
            guard let row = tables.apps[app]?.rows[account] else { return EnrolledFactors() }
            return EnrolledFactors(factors: row.factors, recoveryCodesLeft: row.recoveryCodes.count)
        }
    }

    /// Returns the keyed hashes of an account's unused recovery codes, in the order of their bytes.
    public func recoveryCodes(of account: AccountID, in app: AppName) -> [[UInt8]] {
        transaction { tables in
            (tables.apps[app]?.rows[account]?.recoveryCodes ?? []).sorted { $0.lexicographicallyPrecedes($1) }
        }
    }

    /// Returns the passkey with that credential id; `nil` if the app has none.
    public func passkey(_ credentialID: [UInt8], in app: AppName) -> Factor? {
        transaction { tables in tables.apps[app]?.factor { $0.credentialID == credentialID } }
    }

    /// Adds a factor with everything that belongs to the enrolment.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``, ``StoreRefusal/identifierTaken``; ``DuplicateKey`` if the message's id is
    ///   in use. Nothing has changed then.
    public func enrol(_ enrolment: FactorEnrolment) throws -> EnrolmentOutcome {
        try transaction { tables throws in
            let (app, factor) = (enrolment.factor.app, enrolment.factor)
            guard var row = tables.apps[app]?.rows[factor.account], row.account.isActive,
                row.account.credentialVersion == enrolment.credentialVersion
            else { return .overtaken }
            if let known = enrolment.knownFactors, row.factors.map(\.id) != known { return .overtaken }
            if let opening = enrolment.opening {
                guard tables.sessions[opening.session.id] == nil else { throw DuplicateKey() }
            }
            if let session = enrolment.session {
                guard let kept = tables.session(session, in: app)?.session, kept.accountID == factor.account,
                    kept.revocation == nil
                else { return .overtaken }
            }
            guard enrolment.replacesFactors || row.factors.count < Factor.limitPerAccount else { return .limitReached }
            if let key = enrolment.spending, !tables.isUnspent(key, at: enrolment.at) {
                throw StoreRefusal.alreadySpent
            }
            let isTaken = tables.apps[app]?.hasFactor(
                like: factor, besidesThoseOf: enrolment.replacesFactors ? factor.account : nil)
            guard isTaken != true else { throw StoreRefusal.identifierTaken }
            if let notice = enrolment.notice { try tables.checkNew(notice) }
            if let undo = enrolment.undo { try tables.checkNew(undo, at: enrolment.at) }
            if let key = enrolment.spending { tables.singleUseRecords[key]?.isSpent = true }
            let storesCodes = row.factors.isEmpty && row.recoveryCodes.isEmpty
            if storesCodes { row.recoveryCodes = Set(enrolment.recoveryCodes) }
            if enrolment.replacesFactors {
                row.factors = []
                row.devices = []
                if !storesCodes { row.recoveryCodes = [] }
                row.account.credentialVersion = enrolment.credentialVersion + 1
            }
            row.factors.append(factor.asStored)
            tables.apps[app]?.rows[factor.account] = row
            if let session = enrolment.session {
                tables.sessions[session]?.session.authentication = enrolment.authentication
            }
            if let opening = enrolment.opening { tables.add(opening.session, attachment: opening.attachment) }
            tables.endSessions(
                of: factor.account, in: app, keeping: enrolment.session ?? enrolment.opening?.session.id,
                Revocation(reason: .factorsChanged, at: enrolment.at))
            if let notice = enrolment.notice { tables.enqueue(notice) }
            if let undo = enrolment.undo { tables.keep(undo) }
            return .enrolled(storedRecoveryCodes: storesCodes)
        }
    }

    /// Renames a factor of an account; returns `nil` if the account has none of that id.
    public func rename(_ id: FactorID, of account: AccountID, in app: AppName, to name: String) -> Factor? {
        transaction { tables in
            tables.apps[app]?.rows[account]?.changeFactor(id) { $0.name = name }
        }
    }

    /// Removes a factor, and with the last one the recovery codes.
    ///
    /// - Throws: ``DuplicateKey`` if the message's id is in use.
    public func remove(
        _ id: FactorID, of account: AccountID, in app: AppName, keepingLast: Bool, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) throws -> FactorRemovalOutcome {
        let now = system.now()
        return try transaction { tables throws in
            guard var row = tables.apps[app]?.rows[account], let index = row.factors.firstIndex(where: { $0.id == id })
            else { return .unknown }
            guard !keepingLast || row.factors.count > 1, !row.account.hasNoWayIn(without: id, of: row.factors) else {
                return .isLast
            }
            if let notice { try tables.checkNew(notice) }
            let removed = row.factors.remove(at: index)
            let codes = row.factors.isEmpty ? row.recoveryCodes : []
            row.recoveryCodes.subtract(codes)
            let record = try undo?.record(of: RemovedFactors(factors: [removed], recoveryCodes: Array(codes)))
            if let record { try tables.checkNew(record, at: now) }
            tables.apps[app]?.rows[account] = row
            if let notice { tables.enqueue(notice) }
            if let record { tables.keep(record) }
            return .removed(removed)
        }
    }

    /// Deletes all factors and recovery codes of an account and ends its sessions; returns the number of factors.
    ///
    /// - Throws: ``DuplicateKey`` if the message's id is in use.
    public func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) throws -> Int {
        try transaction { tables throws in
            guard let row = tables.apps[app]?.rows[account] else { return 0 }
            if let notice { try tables.checkNew(notice) }
            let record = try undo?.record(
                of: RemovedFactors(factors: row.factors, recoveryCodes: Array(row.recoveryCodes)))
            if let record { try tables.checkNew(record, at: revocation.at) }
            tables.apps[app]?.rows[account]?.factors = []
            tables.apps[app]?.rows[account]?.recoveryCodes = []
            tables.endSessions(of: account, in: app, keeping: nil, revocation)
            if let notice { tables.enqueue(notice) }
            if let record { tables.keep(record) }
            return row.factors.count
        }
    }

    /// Replaces the recovery codes of an account that has a factor; returns `false` if it has none.
    ///
    /// - Throws: ``DuplicateKey`` if the message's id is in use.
    public func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) throws -> Bool {
        let now = system.now()
        return try transaction { tables throws in
            guard let row = tables.apps[app]?.rows[account], !row.factors.isEmpty else { return false }
            if let notice { try tables.checkNew(notice) }
            let record = try undo?.record(of: RemovedFactors(recoveryCodes: Array(row.recoveryCodes)))
            if let record { try tables.checkNew(record, at: now) }
            tables.apps[app]?.rows[account]?.recoveryCodes = Set(hashes)
            if let notice { tables.enqueue(notice) }
            if let record { tables.keep(record) }
            return true
        }
    }

    /// Redeems a recovery code, and adds a record of what it answers; returns `true` for the one call that redeemed it.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``; ``DuplicateKey`` if the message's id is in use. Nothing has changed then.
    public func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, keeping record: SingleUseRecord?,
        notice: QueuedMessage?
    ) throws -> Bool {
        let now = system.now()
        return try transaction { tables throws in
            guard tables.apps[app]?.rows[account]?.recoveryCodes.contains(hash) == true else { return false }
            if let record { try tables.checkNew(record, at: now) }
            if let notice { try tables.checkNew(notice) }
            if let record { tables.keep(record) }
            tables.apps[app]?.rows[account]?.recoveryCodes.remove(hash)
            if let notice { tables.enqueue(notice) }
            return true
        }
    }

    /// Records a use of a factor, if `counter` is greater than the stored one, or both are 0.
    public func recordUse(
        of id: FactorID, of account: AccountID, in app: AppName, counter: Int64, at now: Date
    ) -> Bool {
        transaction { tables in
            var isRecorded = false
            tables.apps[app]?.rows[account]?.changeFactor(id) { factor in
                guard counter > factor.counter || (counter == 0 && factor.counter == 0) else { return }
                factor.counter = counter
                factor.lastUsedAt = now.asStored
                isRecorded = true
            }
            return isRecorded
        }
    }

    /// Undoes a change of an account's factors, ends its sessions and forgets its devices.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``; ``DuplicateKey`` if the message's id is in use. Nothing has changed then.
    public func undo(_ undo: FactorUndo) throws -> FactorUndoOutcome {
        try transaction { tables throws in
            guard var row = tables.apps[undo.app]?.rows[undo.account], row.account.isActive,
                undo.credentialVersion.map({ $0 == row.account.credentialVersion }) ?? true
            else { return .overtaken }
            guard tables.isUnspent(undo.spending, at: undo.at) else { throw StoreRefusal.alreadySpent }
            if let notice = undo.notice { try tables.checkNew(notice) }
            let isKept =
                undo.signIns.contains { tables.isUnspent($0, at: undo.at) }
                || undo.addedFactor.map { row.account.hasNoWayIn(without: $0, of: row.factors) } ?? false
            if !isKept {
                row.factors.removeAll { $0.id == undo.addedFactor }
                row.recoveryCodes.subtract(undo.addedRecoveryCodes)
                for record in undo.undone.added { tables.keep(record) }
            }
            func isUndone(_ key: SingleUseRecordKey?) -> Bool { key.map { tables.isUnspent($0, at: undo.at) } ?? false }
            var isComplete = true
            for factor in undo.removed.factors where !isUndone(undo.undone.factors[factor.id]) {
                let isTaken =
                    row.factors.contains { $0.collides(with: factor) }
                    || tables.apps[undo.app]?.factor { $0.account != undo.account && $0.collides(with: factor) } != nil
                if isTaken || row.factors.count >= Factor.limitPerAccount {
                    isComplete = false
                } else {
                    row.factors.append(factor)
                }
            }
            row.recoveryCodes.formUnion(
                undo.removed.recoveryCodes.filter { !isUndone(undo.undone.recoveryCodes[$0]) })
            if row.factors.isEmpty { row.recoveryCodes = [] }
            row.devices = []
            row.account.credentialVersion += 1
            tables.apps[undo.app]?.rows[undo.account] = row
            if isComplete { tables.singleUseRecords[undo.spending]?.isSpent = true }
            tables.endSessions(
                of: undo.account, in: undo.app, keeping: nil, Revocation(reason: .factorsChanged, at: undo.at))
            if let notice = undo.notice { tables.enqueue(notice) }
            return isComplete ? isKept ? .additionKept : .undone : .incomplete
        }
    }
}

extension AccountTable {
    /// Returns `true` if a factor of the app has the same id, or the same credential id.
    ///
    /// - Parameter account: The account whose factors do not count.
    func hasFactor(like factor: Factor, besidesThoseOf account: AccountID? = nil) -> Bool {
        self.factor { $0.account != account && $0.collides(with: factor) } != nil
    }

    /// Returns `true` if a factor of the app has the id or the credential id of a new passkey.
    func hasFactor(likePasskey passkey: NewPasskey) -> Bool {
        factor { $0.id == passkey.id || $0.credentialID == passkey.credentialID } != nil
    }

    /// Returns the first factor of the app that satisfies a condition.
    fileprivate func factor(where isSearched: (Factor) -> Bool) -> Factor? {
        for row in rows.values {
            if let factor = row.factors.first(where: isSearched) { return factor }
        }
        return nil
    }
}

extension AccountTable.Row {
    /// - Returns: The changed factor; `nil` if the account has none of that id.
    @discardableResult
    fileprivate mutating func changeFactor(_ id: FactorID, _ change: (inout Factor) -> Void) -> Factor? {
        guard let index = factors.firstIndex(where: { $0.id == id }) else { return nil }
        change(&factors[index])
        return factors[index]
    }
}

extension Factor {
    /// Returns `true` if two factors of an app have the same id, or the same credential id.
    fileprivate func collides(with other: Factor) -> Bool {
        id == other.id || (credentialID != nil && credentialID == other.credentialID)
    }

    /// This factor with the values that a store returns.
    var asStored: Factor {
        var factor = self
        factor.createdAt = createdAt.asStored
        factor.lastUsedAt = lastUsedAt?.asStored
        return factor
    }
}
