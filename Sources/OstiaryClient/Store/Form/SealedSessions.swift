import Foundation
import OstiaryContracts
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The app whose sessions a file holds: a contract and a base URL. Its file opens for no other app.
struct StoredApp: Hashable, Sendable {
    let contract: String
    let baseURL: BaseURL
}

/// The identity of the key that sealed a file: the name of its source and the key's identifier. Neither is secret.
struct SealingKeyReference: Hashable, Sendable {
    let source: String
    let id: String
}

/// The encrypted form of sessions in a file, under a header that names the key.
///
/// AES-256-GCM with a fresh nonce for each write; version, app and key are authenticated as additional data, so that
/// one file cannot replace another. The checksum beside it needs no key: it distinguishes a damaged file from one whose
/// key is not available.
struct SealedSessions: Hashable {
    let mark: SealingKeyReference
    /// Nonce, ciphertext and tag.
    private let sealed: [UInt8]

    /// Seals sessions.
    ///
    /// - Throws: The errors of the cryptography library, of which there are none for a key of 32 bytes.
    init(
        _ saved: SavedSessions, of app: StoredApp, with key: SealingKey, from source: String,
        nonce: AES.GCM.Nonce = AES.GCM.Nonce()
    ) throws {
        mark = SealingKeyReference(source: source, id: key.id)
        let box = try AES.GCM.seal(
            saved.document, using: key.encryptionKey, nonce: nonce, authenticating: Self.context(app, mark))
        sealed = Array(nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts the sessions.
    ///
    /// - Throws: ``StoredFormProblem/damaged`` if authentication fails, also for a file that was sealed for another app
    ///   or with another key.
    func open(for app: StoredApp, with key: SealingKey) throws(StoredFormProblem) -> SavedSessions {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let document = try? AES.GCM.open(
                box, using: key.encryptionKey, authenticating: Self.context(app, mark))
        else { throw .damaged }
        return try SavedSessions(document: Array(document))
    }

    /// Returns the additional authenticated data. A JSON array is an injective encoding of its parts.
    private static func context(_ app: StoredApp, _ mark: SealingKeyReference) -> [UInt8] {
        JSON.array([
            .integer(SavedSessions.version), .string(app.contract), .string(app.baseURL.text), .string(mark.source),
            .string(mark.id),
        ]).bytes
    }

    // MARK: File format

    var bytes: [UInt8] {
        let parts = [mark.source, mark.id, Data(sealed).base64EncodedString()]
        let json: JSON = [
            StoredName.version: .integer(SavedSessions.version), StoredName.key: .string(parts[0]),
            StoredName.keyID: .string(parts[1]), StoredName.sealed: .string(parts[2]),
            StoredName.check: .string(Self.check(parts)),
        ]
        return Array(json.prettyText.utf8) + [0x0A]
    }

    /// Reads the header and the sealed document.
    ///
    /// - Returns: `nil` if the contents differ from what was written, by the checksum.
    init?(_ json: JSON) {
        guard let source = json.storedText(StoredName.key), let id = json.storedText(StoredName.keyID),
            let text = json.storedText(StoredName.sealed), let sealed = Data(base64Encoded: text),
            json.storedText(StoredName.check) == Self.check([source, id, text])
        else { return nil }
        mark = SealingKeyReference(source: source, id: id)
        self.sealed = Array(sealed)
    }

    private static func check(_ parts: [String]) -> String {
        let json = JSON.array(parts.map { .string($0) })
        return Data(SHA256.hash(data: json.bytes).prefix(8)).base64EncodedString()
    }
}

/// The form in which a file holds sessions.
enum StoredForm {
    /// Version 1, in plaintext.
    case first(SavedSessions)
    /// Version 2, sealed.
    case sealed(SealedSessions)

    init(_ bytes: [UInt8], of app: StoredApp) throws(StoredFormProblem) {
        guard let json = try? JSON.read(bytes), let version = json.storedVersion else { throw .damaged }
        guard version <= SavedSessions.version else { throw .newerVersion }
        if version == 1 {
            guard let session = ClientSession(firstVersion: json),
                session.contract.utf8.elementsEqual(app.contract.utf8), session.baseURL == app.baseURL
            else { throw .damaged }
            self = .first(SavedSessions(sessions: [session], current: session.id))
        } else {
            guard let sealed = SealedSessions(json) else { throw .damaged }
            self = .sealed(sealed)
        }
    }
}
