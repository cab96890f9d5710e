public import Foundation
public import OstiaryCore
public import OstiaryEngine

/// A store in front of another: a test implements the calls it watches or changes, and every other call reaches
/// ``base``.
public protocol ForwardingStore: Store {
    var base: any Store { get }
}

extension ForwardingStore {
    public func close() async throws { try await base.close() }

    public func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) async throws -> Int {
        try await base.sweep(at: now, endedBefore: horizon, auditBefore: auditHorizon)
    }

    public func checkReadiness() async throws { try await base.checkReadiness() }
}

// MARK: Sealed values

extension ForwardingStore {
    public func storeKey(_ name: String, orAdding sealed: [UInt8], at now: Date) async throws -> [UInt8] {
        try await base.storeKey(name, orAdding: sealed, at: now)
    }

    public func sealedValues(
        _ kind: SealedValue.Kind, after position: SealedValue.Position?, limit: Int
    ) async throws -> [SealedValue] {
        try await base.sealedValues(kind, after: position, limit: limit)
    }

    public func replace(_ value: SealedValue, with sealed: [UInt8]) async throws -> Bool {
        try await base.replace(value, with: sealed)
    }
}

// MARK: History of sign-ins

extension ForwardingStore {
    public func signInHistory(of account: AccountID, in app: AppName, at now: Date) async throws -> StoredSignInHistory
    {
        try await base.signInHistory(of: account, in: app, at: now)
    }

    public func setSignInHistory(
        _ sealed: [UInt8], of account: AccountID, in app: AppName, until end: Date
    ) async throws {
        try await base.setSignInHistory(sealed, of: account, in: app, until: end)
    }
}

// MARK: Accounts

extension ForwardingStore {
    public func add(_ account: NewAccount, spending secret: SingleUseSecret?) async throws -> Account {
        try await base.add(account, spending: secret)
    }

    public func account(of upsert: ProviderAccountUpsert) async throws -> Account { try await base.account(of: upsert) }

    public func hasAccount(of upsert: ProviderAccountUpsert) async throws -> Bool {
        try await base.hasAccount(of: upsert)
    }

    public func account(_ id: AccountID, in app: AppName) async throws -> Account? {
        try await base.account(id, in: app)
    }

    public func account(identifiedBy identifier: Identifier, in app: AppName) async throws -> Account? {
        try await base.account(identifiedBy: identifier, in: app)
    }

    public func accounts(labelled name: String, in app: AppName, limit: Int) async throws -> [Account] {
        try await base.accounts(labelled: name, in: app, limit: limit)
    }

    public func accounts(
        in app: AppName, after position: Int?, limit: Int
    ) async throws -> (page: [Account], position: Int?) {
        try await base.accounts(in: app, after: position, limit: limit)
    }

    public func change(
        _ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date
    ) async throws -> Account? {
        try await base.change(id, in: app, change, at: now)
    }

    public func forgetPasswordReset(
        of account: AccountID, in app: AppName, credentialVersion: Int, provingEmail: Bool
    ) async throws {
        try await base.forgetPasswordReset(
            of: account, in: app, credentialVersion: credentialVersion, provingEmail: provingEmail)
    }
    public func setPassword(_ change: PasswordChange) async throws -> Bool { try await base.setPassword(change) }

    public func costliestHash(in app: AppName) async throws -> String? { try await base.costliestHash(in: app) }

    public func upgradePasswordHash(of id: AccountID, in app: AppName, from old: String, to new: String) async throws {
        try await base.upgradePasswordHash(of: id, in: app, from: old, to: new)
    }

    public func delete(
        _ id: AccountID, in app: AppName, credentialVersion version: Int?, keeping role: String?
    ) async throws -> Bool {
        try await base.delete(id, in: app, credentialVersion: version, keeping: role)
    }

    public func account(forResetToken hash: [UInt8], in app: AppName, at now: Date) async throws -> AccountID? {
        try await base.account(forResetToken: hash, in: app, at: now)
    }
}

// MARK: Sessions

extension ForwardingStore {
    public func add(
        _ session: Session, credentialVersion: Int, attachment: [UInt8]?, keeping limit: Int
    ) async throws -> Bool {
        try await base.add(
            session, credentialVersion: credentialVersion, attachment: attachment, keeping: limit)
    }

    public func open(_ opening: SessionOpening) async throws -> Bool { try await base.open(opening) }

    public func attachment(of session: SessionID, in app: AppName) async throws -> SessionAttachment? {
        try await base.attachment(of: session, in: app)
    }

    public func replaceAttachment(
        of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]
    ) async throws -> Bool {
        try await base.replaceAttachment(of: session, in: app, version: version, with: bytes)
    }

    public func session(_ id: SessionID, in app: AppName) async throws -> SessionState? {
        try await base.session(id, in: app)
    }

    public func rotate(
        _ id: SessionID, in app: AppName, from generation: Int, at now: Date, address: String?,
        forgettingBefore horizon: Date
    ) async throws -> Rotation {
        try await base.rotate(id, in: app, from: generation, at: now, address: address, forgettingBefore: horizon)
    }

    public func noteUse(of generation: Int, in session: SessionID, app: AppName, at now: Date) {
        base.noteUse(of: generation, in: session, app: app, at: now)
    }

    public func revoke(
        _ id: SessionID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?
    ) async throws -> Bool {
        try await base.revoke(id, in: app, revocation, notice: notice)
    }

    public func noteSigningKeyIssue(of session: SessionID, in app: AppName, at now: Date) async throws -> Bool {
        try await base.noteSigningKeyIssue(of: session, in: app, at: now)
    }

    public func replaceAuthentication(
        of session: SessionID, in app: AppName, from old: AuthenticationContext, to new: AuthenticationContext
    ) async throws -> Bool {
        try await base.replaceAuthentication(of: session, in: app, from: old, to: new)
    }

    public func revokeAll(
        of account: AccountID, in app: AppName, keeping: SessionID?, _ revocation: Revocation
    ) async throws -> Int {
        try await base.revokeAll(of: account, in: app, keeping: keeping, revocation)
    }

    public func sessions(of account: AccountID, in app: AppName, at now: Date) async throws -> [Session] {
        try await base.sessions(of: account, in: app, at: now)
    }
}

// MARK: Second factors

extension ForwardingStore {
    public func factors(of account: AccountID, in app: AppName) async throws -> EnrolledFactors {
        try await base.factors(of: account, in: app)
    }

    public func recoveryCodes(of account: AccountID, in app: AppName) async throws -> [[UInt8]] {
        try await base.recoveryCodes(of: account, in: app)
    }

    public func passkey(_ credentialID: [UInt8], in app: AppName) async throws -> Factor? {
        try await base.passkey(credentialID, in: app)
    }

    public func enrol(_ enrolment: FactorEnrolment) async throws -> EnrolmentOutcome {
        try await base.enrol(enrolment)
    }

    public func rename(
        _ id: FactorID, of account: AccountID, in app: AppName, to name: String
    ) async throws -> Factor? {
        try await base.rename(id, of: account, in: app, to: name)
    }

    public func remove(
        _ id: FactorID, of account: AccountID, in app: AppName, keepingLast: Bool, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> FactorRemovalOutcome {
        try await base.remove(id, of: account, in: app, keepingLast: keepingLast, notice: notice, undo: undo)
    }

    public func removeFactors(
        of account: AccountID, in app: AppName, _ revocation: Revocation, notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Int {
        try await base.removeFactors(of: account, in: app, revocation, notice: notice, undo: undo)
    }

    public func replaceRecoveryCodes(
        of account: AccountID, in app: AppName, with hashes: [[UInt8]], notice: QueuedMessage?,
        undo: FactorUndoRecord?
    ) async throws -> Bool {
        try await base.replaceRecoveryCodes(of: account, in: app, with: hashes, notice: notice, undo: undo)
    }

    public func redeemRecoveryCode(
        _ hash: [UInt8], of account: AccountID, in app: AppName, keeping record: SingleUseRecord?,
        notice: QueuedMessage?
    ) async throws -> Bool {
        try await base.redeemRecoveryCode(hash, of: account, in: app, keeping: record, notice: notice)
    }

    public func recordUse(
        of id: FactorID, of account: AccountID, in app: AppName, counter: Int64, at now: Date
    ) async throws -> Bool {
        try await base.recordUse(of: id, of: account, in: app, counter: counter, at: now)
    }

    public func undo(_ undo: FactorUndo) async throws -> FactorUndoOutcome { try await base.undo(undo) }
}

// MARK: Codes, single-use records, attempts

extension ForwardingStore {
    public func replace(with code: PendingCode) async throws { try await base.replace(with: code) }

    public func takeTry(
        recipient: [UInt8], id: String?, in app: AppName, at now: Date
    ) async throws -> PendingCode? {
        try await base.takeTry(recipient: recipient, id: id, in: app, at: now)
    }

    public func code(for recipient: [UInt8], in app: AppName, at now: Date) async throws -> PendingCode? {
        try await base.code(for: recipient, in: app, at: now)
    }

    public func giveTryBack(_ id: String, in app: AppName) async throws { try await base.giveTryBack(id, in: app) }

    public func add(_ record: SingleUseRecord) async throws { try await base.add(record) }

    public func add(_ record: SingleUseRecord, within buckets: [AttemptBucket], at now: Date) async throws
        -> AttemptRefusal?
    {
        try await base.add(record, within: buckets, at: now)
    }

    public func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date)
        async throws -> SingleUseRecord?
    {
        try await base.singleUseRecord(kind, hash, in: app, at: now)
    }

    public func spend(
        _ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: SingleUseRecord?
    ) async throws -> Redemption {
        try await base.spend(kind, hash, in: app, at: now, for: session, keeping: successor)
    }

    public func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int? {
        try await base.count(buckets, at: now)
    }

    public func attempt(_ key: String) async throws -> AttemptRecord? { try await base.attempt(key) }

    public func forgive(_ forgiveness: CountReversal, at now: Date) async throws {
        try await base.forgive(forgiveness, at: now)
    }

    public func wait(for bucket: AttemptBucket, at now: Date) async throws -> Int? {
        try await base.wait(for: bucket, at: now)
    }

    public func isKnown(_ network: KnownNetwork, at now: Date) async throws -> Bool {
        try await base.isKnown(network, at: now)
    }

    public func forgetNetworks(of subject: [UInt8]) async throws { try await base.forgetNetworks(of: subject) }
}

// MARK: Devices

extension ForwardingStore {
    public func add(_ device: RecognizedDevice, credentialVersion: Int) async throws -> Bool {
        try await base.add(device, credentialVersion: credentialVersion)
    }

    public func device(_ hash: [UInt8], in app: AppName, at now: Date) async throws -> RecognizedDevice? {
        try await base.device(hash, in: app, at: now)
    }

    public func replace(_ hash: [UInt8], by device: RecognizedDevice) async throws -> Bool {
        try await base.replace(hash, by: device)
    }

    public func devices(of account: AccountID, in app: AppName, at now: Date) async throws -> [RecognizedDevice] {
        try await base.devices(of: account, in: app, at: now)
    }

    public func forgetDevice(_ id: DeviceID, of account: AccountID, in app: AppName) async throws -> Bool {
        try await base.forgetDevice(id, of: account, in: app)
    }
}
