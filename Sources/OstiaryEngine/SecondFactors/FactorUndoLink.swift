import Foundation
import OstiaryCore

/// The link of a notice about a change of factors, by which the owner undoes the change: see decision 57.
struct FactorUndoLink: Sendable {
    /// The token in the link, 32 random bytes.
    let token: Secret<String>
    private let key: SingleUseRecordKey
    private let expiresAt: Date
    private let change: UndoableFactorChange
    private let account: AccountID
    private let recipient: [UInt8]
    private let keys: KeyRing

    init(_ change: UndoableFactorChange, of account: Account, sentTo recipient: Recipient, in engine: AuthEngine) {
        let token = engine.ports.system.randomToken(bytes: 32)
        self.token = Secret(token)
        key = engine.undoKey(of: self.token)
        expiresAt = change.at.addingTimeInterval(Double(FactorChangeNotice.undoSeconds))
        self.change = change
        self.account = account.id
        self.recipient = engine.recipientKey(recipient)
        keys = engine.ports.keys
    }

    /// Returns the record of a change that adds a factor, with recovery codes if the account has none.
    func record(adding factor: FactorID, recoveryCodes hashes: [[UInt8]]) throws -> SingleUseRecord {
        try record(adding: factor, hashes).record(of: RemovedFactors())
    }

    /// Returns the record of a change that removes factors, or replaces recovery codes.
    func record(addingRecoveryCodes hashes: [[UInt8]] = []) -> FactorUndoRecord { record(adding: nil, hashes) }

    private func record(adding factor: FactorID?, _ hashes: [[UInt8]]) -> FactorUndoRecord {
        let (key, change, account, recipient, keys) = (key, change, account, recipient, keys)
        return FactorUndoRecord(key: key, expiresAt: expiresAt) { removed in
            var payload = FactorUndoPayload(change, of: account, adding: factor, hashes, removed: removed)
            payload.recipient = Data(recipient)
            return try payload.sealed(for: key, keys)
        }
    }
}

/// The state that undoing a change needs, in the payload of its record. Its names never change: records outlive an update of
/// the server.
struct FactorUndoPayload: Codable {
    var account: String
    var change: String
    var kind: String?
    var at: Date
    var addedFactor: String?
    var addedCodes: [Data]
    var removedFactors: [KeptFactor]
    var removedCodes: [Data]
    /// The keyed hash of the address that the link was sent to; nil in the record of an earlier version.
    var recipient: Data?

    /// A removed factor.
    struct KeptFactor: Codable {
        var id: String
        var kind: String
        var name: String
        var material: Data
        var credentialID: Data?
        var counter: Int64
        var createdAt: Date
        var lastUsedAt: Date?
    }

    fileprivate init(
        _ change: UndoableFactorChange, of account: AccountID, adding factor: FactorID?, _ hashes: [[UInt8]],
        removed: RemovedFactors
    ) {
        self.account = account.text
        self.change = change.change.rawValue
        kind = change.kind?.rawValue
        at = change.at
        addedFactor = factor?.text
        addedCodes = hashes.map { Data($0) }
        removedFactors = removed.factors.map(KeptFactor.init)
        removedCodes = removed.recoveryCodes.map { Data($0) }
    }

    /// Opens the payload of a record.
    init(_ record: SingleUseRecord, _ keys: KeyRing) throws {
        let plain = try keys.open(record.payload, for: .factors, context: Self.context(of: record.key))
        self = try JSONDecoder().decode(Self.self, from: Data(plain))
    }

    fileprivate func sealed(for key: SingleUseRecordKey, _ keys: KeyRing) throws -> [UInt8] {
        try keys.seal(Array(JSONEncoder().encode(self)), for: .factors, context: Self.context(of: key))
    }

    private static func context(of key: SingleUseRecordKey) -> String {
        SealedValue.Kind.factorUndo.context(key.app.text, hash: key.hash)
    }

    /// The change that the record undoes.
    func undoableChange() throws -> UndoableFactorChange {
        guard let change = FactorChange(rawValue: change) else { throw FieldProblem.malformed }
        return UndoableFactorChange(change: change, kind: kind.flatMap(Factor.Kind.init), at: at)
    }

    /// Returns the factors and recovery codes that the change removed.
    func removed(in app: AppName) throws -> RemovedFactors {
        RemovedFactors(
            factors: try removedFactors.map { try $0.factor(of: AccountID(account), in: app) },
            recoveryCodes: removedCodes.map { Array($0) })
    }
}

extension FactorUndoPayload.KeptFactor {
    fileprivate init(_ factor: Factor) {
        self.init(
            id: factor.id.text, kind: factor.kind.rawValue, name: factor.name, material: Data(factor.material),
            credentialID: factor.credentialID.map { Data($0) }, counter: factor.counter, createdAt: factor.createdAt,
            lastUsedAt: factor.lastUsedAt)
    }

    fileprivate func factor(of account: AccountID, in app: AppName) throws -> Factor {
        guard let kind = Factor.Kind(rawValue: kind) else { throw FieldProblem.malformed }
        return Factor(
            app: app, account: account, id: try FactorID(id), kind: kind, name: name, material: Array(material),
            credentialID: credentialID.map { Array($0) }, counter: counter, createdAt: createdAt,
            lastUsedAt: lastUsedAt)
    }
}
