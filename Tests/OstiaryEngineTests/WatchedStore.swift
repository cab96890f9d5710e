import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import Synchronization

/// A store whose calls can be observed, counted and made to fail.
final class WatchedStore: ForwardingStore {
    /// The error of a failing call.
    struct Away: Error, Equatable {}

    private struct State {
        var calls: [String] = []
        var failing: Set<String> = []
        var notesLost = false
        var interruptions: [String: @Sendable () async throws -> Void] = [:]
        var countedKeys: Set<String> = []
        var singleUseRecords: [SingleUseRecord] = []
        var queued: [String] = []
    }

    let base: any Store
    private let state = Mutex(State())

    init(_ base: any Store) { self.base = base }

    /// The names of the calls so far, in order.
    var calls: [String] { state.withLock { $0.calls } }

    /// The keys under which attempts were counted.
    var countedKeys: Set<String> { state.withLock { $0.countedKeys } }

    /// The single-use records that were added, in order.
    var singleUseRecords: [SingleUseRecord] { state.withLock { $0.singleUseRecords } }

    /// The ids of the messages that were queued, in order.
    var queued: [String] { state.withLock { $0.queued } }

    /// Makes every call of that name fail from now on.
    func fail(_ name: String) { state.withLock { _ = $0.failing.insert(name) } }

    func recover() { state.withLock { $0.failing = [] } }

    /// Loses records of first use from now on, as a crash may.
    func loseNotes() { state.withLock { $0.notesLost = true } }

    var losesNotes: Bool { state.withLock { $0.notesLost } }

    /// Runs `interruption` before the next call of that name, `addSession`, `change`, `delete`, `enqueue`, `enrol`,
    /// `forgetPasswordReset`, `redeemRecoveryCode`, `setPassword` or `undo`; for `session`, after it has read;
    /// for `addedSession`, after the session was added.
    func interrupt(_ name: String, _ interruption: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.interruptions[name] = interruption }
    }

    func runInterruption(of name: String) async throws {
        try await state.withLock { $0.interruptions.removeValue(forKey: name) }?()
    }

    func noteQueued(_ message: QueuedMessage?) {
        guard let message else { return }
        state.withLock { $0.queued.append(message.id) }
    }

    func called(_ name: String) throws {
        let fails = state.withLock { state in
            state.calls.append(name)
            return state.failing.contains(name)
        }
        if fails { throw Away() }
    }
}

// MARK: RoleStore

extension WatchedStore {
    func roles(named names: [String], in app: AppName) async throws -> [StoredRole] {
        try called("rolesNamed")
        return try await base.roles(named: names, in: app)
    }
}

// MARK: SignInHistoryStore

extension WatchedStore {
    func signInHistory(of account: AccountID, in app: AppName, at now: Date) async throws -> StoredSignInHistory {
        try called("signInHistory")
        return try await base.signInHistory(of: account, in: app, at: now)
    }
}

// MARK: AccountStore

extension WatchedStore {
    func add(_ account: NewAccount, spending secret: SingleUseSecret?) async throws -> Account {
        try called("addAccount")
        let added = try await base.add(account, spending: secret)
        noteQueued(account.invitation?.message)
        return added
    }
    func account(of upsert: ProviderAccountUpsert) async throws -> Account {
        try called("accountOfUpsert")
        return try await base.account(of: upsert)
    }
    func account(_ id: AccountID, in app: AppName) async throws -> Account? {
        try called("account")
        return try await base.account(id, in: app)
    }
    func account(identifiedBy identifier: Identifier, in app: AppName) async throws -> Account? {
        try called("accountIdentifiedBy")
        return try await base.account(identifiedBy: identifier, in: app)
    }
    func accounts(labelled name: String, in app: AppName, limit: Int) async throws -> [Account] {
        try called("accountsLabelled")
        return try await base.accounts(labelled: name, in: app, limit: limit)
    }
    func accounts(
        in app: AppName, after position: Int?, limit: Int
    ) async throws -> (page: [Account], position: Int?) {
        try called("accounts")
        return try await base.accounts(in: app, after: position, limit: limit)
    }
    func change(_ id: AccountID, in app: AppName, _ change: AccountChange, at now: Date) async throws -> Account? {
        try called("change")
        try await runInterruption(of: "change")
        let changed = try await base.change(id, in: app, change, at: now)
        if changed != nil { noteQueued(change.identifiers?.notice) }
        return changed
    }
    func setPassword(_ change: PasswordChange) async throws -> Bool {
        try called("setPassword")
        try await runInterruption(of: "setPassword")
        let changed = try await base.setPassword(change)
        if changed { noteQueued(change.notice) }
        return changed
    }
    func forgetPasswordReset(
        of account: AccountID, in app: AppName, credentialVersion: Int, provingEmail: Bool
    ) async throws {
        try called("forgetPasswordReset")
        try await runInterruption(of: "forgetPasswordReset")
        try await base.forgetPasswordReset(
            of: account, in: app, credentialVersion: credentialVersion, provingEmail: provingEmail)
    }
    func costliestHash(in app: AppName) async throws -> String? {
        try called("costliestHash")
        return try await base.costliestHash(in: app)
    }
    func upgradePasswordHash(of id: AccountID, in app: AppName, from old: String, to new: String) async throws {
        try called("upgradePasswordHash")
        try await base.upgradePasswordHash(of: id, in: app, from: old, to: new)
    }
    func delete(
        _ id: AccountID, in app: AppName, credentialVersion version: Int?, keeping role: String?
    ) async throws -> Bool {
        try called("delete")
        try await runInterruption(of: "delete")
        return try await base.delete(id, in: app, credentialVersion: version, keeping: role)
    }
}

// MARK: SingleUseRecordStore

extension WatchedStore {
    func add(_ record: SingleUseRecord) async throws {
        try called("addSingleUseRecord")
        state.withLock { $0.singleUseRecords.append(record) }
        try await base.add(record)
    }
    func add(_ record: SingleUseRecord, within buckets: [AttemptBucket], at now: Date) async throws -> AttemptRefusal? {
        try called("addSingleUseRecord")
        state.withLock { $0.singleUseRecords.append(record) }
        return try await base.add(record, within: buckets, at: now)
    }
    func singleUseRecord(_ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date) async throws
        -> SingleUseRecord?
    {
        try called("singleUseRecord")
        return try await base.singleUseRecord(kind, hash, in: app, at: now)
    }
    func spend(
        _ kind: SingleUseRecord.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: SingleUseRecord?
    ) async throws -> Redemption {
        try called("redeemSingleUseRecord")
        if let successor { state.withLock { $0.singleUseRecords.append(successor) } }
        return try await base.spend(kind, hash, in: app, at: now, for: session, keeping: successor)
    }
}

// MARK: CodeStore

extension WatchedStore {
    func replace(with code: PendingCode) async throws {
        try called("replaceCode")
        try await base.replace(with: code)
    }
    func takeTry(recipient: [UInt8], id: String?, in app: AppName, at now: Date) async throws -> PendingCode? {
        try called("takeTry")
        return try await base.takeTry(recipient: recipient, id: id, in: app, at: now)
    }
    func code(for recipient: [UInt8], in app: AppName, at now: Date) async throws -> PendingCode? {
        try called("codeFor")
        return try await base.code(for: recipient, in: app, at: now)
    }
    func giveTryBack(_ id: String, in app: AppName) async throws {
        try called("giveTryBack")
        try await base.giveTryBack(id, in: app)
    }
}

// MARK: ResetTokenStore

extension WatchedStore {
    func account(forResetToken hash: [UInt8], in app: AppName, at now: Date) async throws -> AccountID? {
        try called("accountForResetToken")
        return try await base.account(forResetToken: hash, in: app, at: now)
    }
}

// MARK: AttemptStore

extension WatchedStore {
    func count(_ buckets: [AttemptBucket], at now: Date) async throws -> Int? {
        try called("count")
        state.withLock { $0.countedKeys.formUnion(buckets.map(\.key)) }
        return try await base.count(buckets, at: now)
    }
    func forgive(_ forgiveness: CountReversal, at now: Date) async throws {
        try called("forgive")
        try await base.forgive(forgiveness, at: now)
    }
    func wait(for bucket: AttemptBucket, at now: Date) async throws -> Int? {
        try called("waitForBucket")
        return try await base.wait(for: bucket, at: now)
    }
    func isKnown(_ network: KnownNetwork, at now: Date) async throws -> Bool {
        try called("isKnown")
        return try await base.isKnown(network, at: now)
    }
    func forgetNetworks(of subject: [UInt8]) async throws {
        try called("forgetNetworks")
        try await base.forgetNetworks(of: subject)
    }
}

// MARK: OutboxStore

extension WatchedStore {
    func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal? {
        try called("enqueue")
        switch secret {
        case .code: try called("keepCode")
        case .resetToken: try called("keepResetToken")
        case nil: break
        }
        state.withLock { $0.countedKeys.formUnion(buckets.map(\.key)) }
        try await runInterruption(of: "enqueue")
        let refusal = try await base.enqueue(message, within: buckets, keeping: secret, at: now)
        if refusal == nil { noteQueued(message) }
        return refusal
    }
}

// MARK: AuditLog

extension WatchedStore {
    func append(_ event: AuditEvent) async throws {
        try called("audit")
        try await base.append(event)
    }
    func events(
        in app: AppName?, since: Date?, after position: Int?, limit: Int
    ) async throws -> [(position: Int, event: AuditEvent)] {
        try await base.events(in: app, since: since, after: position, limit: limit)
    }
}

// MARK: IdempotencyStore

extension WatchedStore {
    func complete(_ request: IdempotentRequest, with sealed: [UInt8]) async throws {
        try called("completeRequest")
        try await base.complete(request, with: sealed)
    }
}
