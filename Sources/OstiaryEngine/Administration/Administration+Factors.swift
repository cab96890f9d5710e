import Foundation
import OstiaryCore

extension Administration {
    /// Returns the sealed second factors of an account; `nil` if it has none.
    ///
    /// Passkeys of an app that has none any more are left out: they cannot be used there either.
    func exportedFactors(of account: Account, with seal: FactorSeal) async throws -> String? {
        let (store, app) = (engine.ports.store, app)
        let enrolled = try await store.factors(of: account.id, in: app.name)
        let entries = try enrolled.factors.compactMap { try entry($0, of: account) }
        guard !entries.isEmpty else { return nil }
        var exported = ExportedFactors(factors: entries)
        if enrolled.recoveryCodesLeft > 0 {
            let hashes = try await store.recoveryCodes(of: account.id, in: app.name)
            exported.recoveryCodes = ExportedFactors.RecoveryCodeHashes(
                keyCheck: recoveryCodeKeyCheck, hashes: hashes.map { Data($0) })
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try seal.seal(Array(try encoder.encode(exported)), of: account.id)
    }

    private func entry(_ factor: Factor, of account: Account) throws -> ExportedFactors.Entry? {
        var entry = ExportedFactors.Entry(
            id: factor.id.text, type: factor.kind.rawValue, name: factor.name, counter: factor.counter,
            createdAt: factor.createdAt.milliseconds, lastUsedAt: factor.lastUsedAt?.milliseconds)
        switch factor.kind {
        case .totp: entry.secret = Data(try engine.openTOTPSecret(factor.material, factor.id, of: account.id))
        case .passkey:
            guard let settings = app.passkeys, let credentialID = factor.credentialID else { return nil }
            let material = try PasskeyMaterial(factor)
            entry.passkey = ExportedFactors.Passkey(
                credentialID: Data(credentialID), relyingPartyID: settings.relyingPartyID,
                publicKey: material.publicKey, userHandle: material.userHandle,
                isBackupEligible: material.isBackupEligible, transports: material.transports, aaguid: material.aaguid)
        }
        return entry
    }

    /// Returns the second factors that a record brings; `nil` if it brings none.
    ///
    /// - Throws: ``AdministrationProblem`` for factors that no seal opens, or that this app cannot ask for: their owner
    ///   could not sign in, or would sign in without them.
    func importedFactors(
        of record: AccountRecord, opening seals: [FactorSeal]
    ) throws(AdministrationProblem) -> ImportedFactors? {
        switch (record.factors, record.totpSecret) {
        case (nil, nil): return nil
        case (nil, let secret?): return ImportedFactors(exported: try authenticator(secret.value), codes: nil)
        case (_?, _?): throw AdministrationProblem("totp_secret: a line has this or factors, not both")
        case (let sealed?, nil):
            guard let id = record.id.flatMap({ try? AccountID($0) }) else {
                throw AdministrationProblem("id: is needed with factors, which are sealed for it")
            }
            let salt = try FactorSeal.salt(of: sealed)
            guard let seal = seals.first(where: { $0.salt == salt }) else {
                throw AdministrationProblem("factors: are sealed, and no passphrase was given")
            }
            let plain = try seal.open(sealed, of: id)
            guard let exported = try? JSONDecoder().decode(ExportedFactors.self, from: Data(plain)),
                (1...Factor.limitPerAccount).contains(exported.factors.count)
            else { throw AdministrationProblem("factors: not of the expected form") }
            for entry in exported.factors { try entry.check(in: app) }
            guard exported.isDistinct else { throw AdministrationProblem("factors: one is there twice") }
            return ImportedFactors(exported: exported, codes: try hashes(exported.recoveryCodes))
        }
    }

    /// Returns the factor of a secret in base32, as authenticator apps are given it.
    private func authenticator(_ secret: Secret<String>) throws(AdministrationProblem) -> ExportedFactors {
        guard let bytes = TOTP.secret(importing: secret.reveal()) else {
            throw AdministrationProblem("totp_secret: must be 10 to 64 bytes in base32")
        }
        let id = engine.ports.system.randomBytes(16).base64URL
        let entry = ExportedFactors.Entry(
            id: id, type: Factor.Kind.totp.rawValue, name: ConfirmTOTPHandler.usualName, counter: 0,
            createdAt: now.milliseconds, secret: Data(bytes))
        try entry.check(in: app)
        return ExportedFactors(factors: [entry])
    }

    /// Returns the hashes of recovery codes, if they have the key of this app; an empty array if they have another.
    private func hashes(
        _ codes: ExportedFactors.RecoveryCodeHashes?
    ) throws(AdministrationProblem) -> [[UInt8]]? {
        guard let codes else { return nil }
        guard codes.hashes.count <= RecoveryCode.count, codes.hashes.allSatisfy({ $0.count == 32 }) else {
            throw AdministrationProblem("factors: the recovery codes are malformed")
        }
        return codes.keyCheck == recoveryCodeKeyCheck ? codes.hashes.map { Array($0) } : []
    }

    /// A value that is the same on two servers if a recovery code has the same hash on both.
    private var recoveryCodeKeyCheck: Data {
        Data(engine.ports.keys.digest(["key check"], for: .recoveryCodes, app: app.name))
    }

    /// Returns an account with its factors, sealed for its id.
    func adding(_ imported: ImportedFactors, to account: NewAccount) throws -> NewAccount {
        var account = account
        let id = try account.id ?? AccountID(engine.ports.system.uuid())
        account.id = id
        account.factors = try imported.exported.factors.map { entry in try factor(entry, of: id) }
        account.recoveryCodes = imported.codes ?? []
        return account
    }

    private func factor(_ entry: ExportedFactors.Entry, of account: AccountID) throws -> Factor {
        let id = try FactorID(entry.id)
        let material: [UInt8]
        switch entry.passkey {
        case let passkey?: material = try PasskeyMaterial(passkey).encoded()
        case nil: material = try engine.sealTOTP(Array(entry.secret ?? Data()), id, of: account)
        }
        return Factor(
            app: app.name, account: account, id: id, kind: entry.passkey == nil ? .totp : .passkey,
            name: try FactorName(entry.name).text, material: material,
            credentialID: entry.passkey.map { Array($0.credentialID) }, counter: entry.counter,
            createdAt: Date(milliseconds: entry.createdAt), lastUsedAt: entry.lastUsedAt.map { Date(milliseconds: $0) })
    }

    /// Returns the reason why the store refused an account because of its factors; `nil` if it has another one.
    func collision(ofFactorsOf account: NewAccount) async throws -> AdministrationProblem? {
        for factor in account.factors {
            guard let credentialID = factor.credentialID,
                let other = try await engine.ports.store.passkey(credentialID, in: app.name)
            else { continue }
            return AdministrationProblem("factors: account \(other.account) has the same passkey")
        }
        return nil
    }
}

/// The second factors that an imported record brings.
struct ImportedFactors {
    var exported: ExportedFactors
    /// The keyed hashes of recovery codes; empty for those of another key, `nil` if the record has none.
    var codes: [[UInt8]]?

    /// The differences from the record, one line each.
    var changes: [String] {
        guard codes?.isEmpty == true else { return [] }
        return ["recovery codes: left out, because their hashes have another encryption_key; the owner makes new ones"]
    }
}

extension AccountRecord {
    /// `true` if the record brings second factors.
    var hasFactors: Bool { factors != nil || totpSecret != nil }
}

extension TOTP {
    /// The accepted lengths of a secret from another system in bytes: from the 80 bits that some give out to the block of
    /// SHA-1.
    static let importableBytes = 10...64

    /// Reads a secret in base32, in any case, with or without padding and the spaces of its groups.
    static func secret(importing text: String) -> [UInt8]? {
        guard text.utf8.count <= 256 else { return nil }
        let symbols = text.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "-") }.map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
        }
        let bare = symbols.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        let bytes = Base32.decode(String(decoding: Array(bare), as: UTF8.self))
        return bytes.flatMap { importableBytes.contains($0.count) ? $0 : nil }
    }
}

extension PasskeyMaterial {
    init(_ passkey: ExportedFactors.Passkey) {
        self.init(
            publicKey: passkey.publicKey, userHandle: passkey.userHandle, isBackupEligible: passkey.isBackupEligible,
            transports: passkey.transports, aaguid: passkey.aaguid)
    }
}
