import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport

// MARK: SessionStore

extension WatchedStore {
    func add(
        _ session: Session, credentialVersion: Int, attachment: [UInt8]?, keeping limit: Int
    ) async throws -> Bool {
        try called("addSession")
        try await runInterruption(of: "addSession")
        let isAdded = try await base.add(
            session, credentialVersion: credentialVersion, attachment: attachment, keeping: limit)
        try await runInterruption(of: "addedSession")
        return isAdded
    }
    func open(_ opening: SessionOpening) async throws -> Bool {
        if opening.proof != nil { try called("addSingleUseRecord") }
        try called("addSession")
        if opening.renewal != nil { try called("replaceDevice") }
        try await runInterruption(of: "addSession")
        let isAdded = try await base.open(opening)
        try await runInterruption(of: "addedSession")
        return isAdded
    }
    func attachment(of session: SessionID, in app: AppName) async throws -> SessionAttachment? {
        try called("attachment")
        return try await base.attachment(of: session, in: app)
    }
    func replaceAttachment(of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]) async throws
        -> Bool
    {
        try called("replaceAttachment")
        return try await base.replaceAttachment(of: session, in: app, version: version, with: bytes)
    }
    func session(_ id: SessionID, in app: AppName) async throws -> SessionState? {
        try called("session")
        let found = try await base.session(id, in: app)
        try await runInterruption(of: "session")
        return found
    }
    func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date
    ) async throws -> Rotation {
        try called("rotate")
        return try await base.rotate(
            id, in: app, from: generation, at: now, address: address, forgettingBefore: horizon)
    }
    func noteUse(of generation: Int, in session: SessionID, app: AppName, at now: Date) {
        guard !losesNotes else { return }
        base.noteUse(of: generation, in: session, app: app, at: now)
    }
    func noteSigningKeyIssue(of session: SessionID, in app: AppName, at now: Date) async throws -> Bool {
        try called("noteSigningKeyIssue")
        return try await base.noteSigningKeyIssue(of: session, in: app, at: now)
    }
    func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) async throws -> Bool {
        try called("revoke")
        let hasEnded = try await base.revoke(id, in: app, revocation, notice: notice)
        if hasEnded { noteQueued(notice) }
        return hasEnded
    }
    func revokeAll(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation
    ) async throws -> Int {
        try called("revokeAll")
        return try await base.revokeAll(of: account, in: app, keeping: keeping, revocation)
    }
    func sessions(of account: AccountID, in app: AppName, at now: Date) async throws -> [Session] {
        try called("sessions")
        return try await base.sessions(of: account, in: app, at: now)
    }
}

// MARK: FactorStore

extension WatchedStore {
    func factors(of account: AccountID, in app: AppName) async throws -> EnrolledFactors {
        try called("factors")
        return try await base.factors(of: account, in: app)
    }
    func enrol(_ enrolment: FactorEnrolment) async throws -> EnrolmentOutcome {
        try called("enrol")
        try await runInterruption(of: "enrol")
        let outcome = try await base.enrol(enrolment)
        if case .enrolled = outcome { noteQueued(enrolment.notice) }
        return outcome
    }
    func remove(
        _ id: FactorID, of account: AccountID, in app: AppName, keepingLast: Bool, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> FactorRemovalOutcome {
        let outcome = try await base.remove(
            id, of: account, in: app, keepingLast: keepingLast, notice: notice, undo: undo)
        if case .removed = outcome { noteQueued(notice) }
        return outcome
    }

    func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Int {
        let count = try await base.removeFactors(of: account, in: app, revocation, notice: notice, undo: undo)
        if count > 0 { noteQueued(notice) }
        return count
    }
    func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Bool {
        let isReplaced = try await base.replaceRecoveryCodes(
            of: account, in: app, with: hashes, notice: notice, undo: undo)
        if isReplaced { noteQueued(notice) }
        return isReplaced
    }
    func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, keeping record: SingleUseRecord?,
        notice: QueuedMessage?
    ) async throws -> Bool {
        try called("redeemRecoveryCode")
        try await runInterruption(of: "redeemRecoveryCode")
        let isRedeemed = try await base.redeemRecoveryCode(
            hash, of: account, in: app, keeping: record, notice: notice)
        if isRedeemed { noteQueued(notice) }
        return isRedeemed
    }
    func recordUse(
        of id: FactorID, of account: AccountID, in app: AppName, counter: Int64, at now: Date
    ) async throws -> Bool {
        try called("recordUse")
        return try await base.recordUse(of: id, of: account, in: app, counter: counter, at: now)
    }
    func undo(_ undo: FactorUndo) async throws -> FactorUndoOutcome {
        try called("undo")
        try await runInterruption(of: "undo")
        let outcome = try await base.undo(undo)
        if outcome != .overtaken { noteQueued(undo.notice) }
        return outcome
    }
}

// MARK: DeviceStore

extension WatchedStore {
    func add(_ device: RecognizedDevice, credentialVersion: Int) async throws -> Bool {
        try called("addDevice")
        return try await base.add(device, credentialVersion: credentialVersion)
    }
    func device(_ hash: [UInt8], in app: AppName, at now: Date) async throws -> RecognizedDevice? {
        try called("device")
        return try await base.device(hash, in: app, at: now)
    }
    func replace(_ hash: [UInt8], by device: RecognizedDevice) async throws -> Bool {
        try called("replaceDevice")
        return try await base.replace(hash, by: device)
    }
}
