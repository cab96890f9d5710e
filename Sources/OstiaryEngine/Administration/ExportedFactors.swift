import Foundation
import OstiaryCore
import OstiaryWebAuthn

/// The second factors of an account as an export carries them, in the form of ``AccountRecord/factors`` before it is sealed.
struct ExportedFactors: Codable {
    /// In order of creation.
    var factors: [Entry]
    var recoveryCodes: RecoveryCodeHashes?

    /// A factor. Times are milliseconds since 1970.
    struct Entry: Codable {
        var id: String
        var type: String
        var name: String
        var counter: Int64
        var createdAt: Int64
        var lastUsedAt: Int64?
        /// The shared secret of an authenticator app.
        var secret: Data?
        var passkey: Passkey?

        private enum CodingKeys: String, CodingKey {
            case id, type, name, counter, secret, passkey
            case createdAt = "created_at"
            case lastUsedAt = "last_used_at"
        }
    }

    /// The credential record of a passkey.
    struct Passkey: Codable {
        var credentialID: Data
        /// The RP ID that it belongs to. It works at no other.
        var relyingPartyID: String
        var publicKey: Data
        var userHandle: Data
        var isBackupEligible: Bool
        var transports: [String]
        var aaguid: Data

        private enum CodingKeys: String, CodingKey {
            case credentialID = "credential_id"
            case relyingPartyID = "rp_id"
            case publicKey = "public_key"
            case userHandle = "user_handle"
            case isBackupEligible = "backup_eligible"
            case transports, aaguid
        }
    }

    /// The keyed hashes of the unused recovery codes.
    struct RecoveryCodeHashes: Codable {
        /// A keyed hash that tells whether another server has the same key; it discloses nothing about the key.
        var keyCheck: Data
        var hashes: [Data]

        private enum CodingKeys: String, CodingKey {
            case keyCheck = "key_check"
            case hashes
        }
    }

    private enum CodingKeys: String, CodingKey {
        case factors
        case recoveryCodes = "recovery_codes"
    }
}

extension ExportedFactors {
    /// `true` if no two checked factors have the same id or credential id.
    var isDistinct: Bool {
        let credentials = factors.compactMap(\.passkey?.credentialID)
        return Set(factors.map(\.id)).count == factors.count && Set(credentials).count == credentials.count
    }
}

extension ExportedFactors.Entry {
    /// Checks an entry, which another system may have written.
    ///
    /// - Throws: ``AdministrationProblem`` that names the value.
    func check(in app: AppSettings) throws(AdministrationProblem) {
        guard (try? FactorID(id)) != nil else { throw AdministrationProblem("factors: an id is malformed") }
        guard (try? FactorName(name)) != nil else { throw AdministrationProblem("factors: a name is malformed") }
        guard counter >= 0 else { throw AdministrationProblem("factors: a counter is negative") }
        guard let method = ChallengeMethod.known(type), app.secondFactor.methods.contains(method) else {
            throw AdministrationProblem(
                "factors: \(app.name) accepts no \(AdministrationProblem.shown(type)) (second_factor.methods)")
        }
        switch (type, secret, passkey) {
        case (Factor.Kind.totp.rawValue, let secret?, nil):
            guard TOTP.importableBytes.contains(secret.count) else {
                throw AdministrationProblem("factors: a secret has another length")
            }
        case (Factor.Kind.passkey.rawValue, nil, let passkey?): try passkey.check(in: app)
        default: throw AdministrationProblem("factors: \(AdministrationProblem.shown(type)) lacks its material")
        }
    }
}

extension ExportedFactors.Passkey {
    /// The accepted lengths of a credential id and of a user handle in bytes. Source: WebAuthn Level 3 §4, §5.1.3.
    private static let credentialIDBytes = 1...1023
    private static let userHandleBytes = 1...64

    fileprivate func check(in app: AppSettings) throws(AdministrationProblem) {
        guard let settings = app.passkeys else {
            throw AdministrationProblem("factors: \(app.name) has no passkeys (passkeys.rp_id)")
        }
        guard relyingPartyID.utf8.elementsEqual(settings.relyingPartyID.utf8) else {
            throw AdministrationProblem(
                "factors: a passkey belongs to \(AdministrationProblem.shown(relyingPartyID)), and those of \(app.name) to "
                    + "\(settings.relyingPartyID) (passkeys.rp_id)")
        }
        guard Self.credentialIDBytes.contains(credentialID.count), Self.userHandleBytes.contains(userHandle.count),
            transports.count <= 16, transports.allSatisfy({ $0.utf8.count <= 32 }), aaguid.count == 16,
            (try? COSEKey(Array(publicKey))) != nil
        else { throw AdministrationProblem("factors: a passkey is malformed") }
    }
}

extension ChallengeMethod {
    /// Returns the method of a kind of factor.
    fileprivate static func known(_ type: String) -> ChallengeMethod? {
        guard type.utf8.count <= 16 else { return nil }
        return Factor.Kind(rawValue: type).map { ChallengeMethod(rawValue: $0.rawValue) }
    }
}

extension AdministrationProblem {
    /// Returns the beginning of a text of the input, for a message.
    static func shown(_ text: String) -> String { String(text.unicodeScalars.prefix(64).map(Character.init)) }
}
