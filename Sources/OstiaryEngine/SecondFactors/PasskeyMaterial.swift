import Foundation
import OstiaryWebAuthn

/// The part of a passkey's credential record that ``Factor/material`` contains. Nothing in it is secret. Source: WebAuthn
/// Level 3 §4 (credential record).
struct PasskeyMaterial: Codable {
    /// The credential public key, a COSE key.
    var publicKey: Data
    /// The user handle of the account.
    var userHandle: Data
    /// `true` if the key can be synchronized between devices.
    var isBackupEligible: Bool
    /// The transports that the client reported.
    var transports: [String]
    /// The identifier of the authenticator's model, as it claims.
    var aaguid: Data

    init(_ registration: VerifiedRegistration, userHandle: [UInt8]) {
        publicKey = Data(registration.publicKey)
        self.userHandle = Data(userHandle)
        isBackupEligible = registration.isBackupEligible
        transports = registration.transports
        aaguid = Data(registration.aaguid)
    }

    init(publicKey: Data, userHandle: Data, isBackupEligible: Bool, transports: [String], aaguid: Data) {
        self.publicKey = publicKey
        self.userHandle = userHandle
        self.isBackupEligible = isBackupEligible
        self.transports = transports
        self.aaguid = aaguid
    }

    /// Reads the material of a factor.
    ///
    /// - Throws: If the store returns what no registration has stored.
    init(_ factor: Factor) throws { try self.init(factor.material) }

    /// Reads the encoded material of a passkey.
    init(_ encoded: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(encoded)) }

    func encoded() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) }
}

extension StoredCredential {
    init(_ factor: Factor, _ material: PasskeyMaterial) {
        self.init(
            credentialID: factor.credentialID ?? [], publicKey: Array(material.publicKey),
            signCount: UInt32(clamping: factor.counter), isBackupEligible: material.isBackupEligible,
            userHandle: Array(material.userHandle))
    }
}
