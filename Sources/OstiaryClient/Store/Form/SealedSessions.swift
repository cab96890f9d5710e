import Foundation
import OstiaryContracts
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Which app's sessions a file holds. They open nowhere else.
struct StoredApp: Hashable, Sendable {
    let contract: String
    let baseURL: BaseURL
}

/// Which key sealed a file: where it is kept, and what it is known by. Nothing secret.
struct KeyMark: Hashable, Sendable {
    let source: String
    let id: String
}

/// Sessions as a file holds them: encrypted, under a header that says with which key.
///
/// AES-256-GCM under a fresh nonce for each writing; version, app and key are authenticated with it, so that no file can be
/// put in another's place. The check beside it needs no key: a damaged file is told from one whose key is not at hand.
struct SealedSessions: Hashable {
    let mark: KeyMark
    /// Nonce, encrypted document, tag.
    private let sealed: [UInt8]

    /// - Throws: What the library throws; for a key of 32 bytes it throws nothing.
    init(
        _ saved: SavedSessions, of app: StoredApp, with key: SealingKey, from source: String,
        nonce: AES.GCM.Nonce = AES.GCM.Nonce()
    ) throws {
        mark = KeyMark(source: source, id: key.id)
        let box = try AES.GCM.seal(
            saved.document, using: key.encryptionKey, nonce: nonce, authenticating: Self.context(app, mark))
        sealed = Array(nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// - Throws: ``StoredFormProblem/damaged`` as well if this was sealed for another app.
    func open(for app: StoredApp, with key: SealingKey) throws(StoredFormProblem) -> SavedSessions {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let document = try? AES.GCM.open(
                box, using: key.encryptionKey, authenticating: Self.context(app, mark))
        else { throw .damaged }
        return try SavedSessions(document: Array(document))
    }

    /// What is authenticated with the document. An array of JSON is never the same for two lists of parts.
    private static func context(_ app: StoredApp, _ mark: KeyMark) -> [UInt8] {
        JSON.array([
            .integer(SavedSessions.version), .string(app.contract), .string(app.baseURL.text), .string(mark.source),
            .string(mark.id),
        ]).bytes
    }

    // MARK: The file

    var bytes: [UInt8] {
        let parts = [mark.source, mark.id, Data(sealed).base64EncodedString()]
        let json: JSON = [
            StoredName.version: .integer(SavedSessions.version), StoredName.key: .string(parts[0]),
            StoredName.keyID: .string(parts[1]), StoredName.sealed: .string(parts[2]),
            StoredName.check: .string(Self.check(parts)),
        ]
        return Array(json.prettyText.utf8) + [0x0A]
    }

    /// - Returns: Nil for a file that is not as it was written.
    init?(_ json: JSON) {
        guard let source = json.storedText(StoredName.key), let id = json.storedText(StoredName.keyID),
            let text = json.storedText(StoredName.sealed), let sealed = Data(base64Encoded: text),
            json.storedText(StoredName.check) == Self.check([source, id, text])
        else { return nil }
        mark = KeyMark(source: source, id: id)
        self.sealed = Array(sealed)
    }

    private static func check(_ parts: [String]) -> String {
        let json = JSON.array(parts.map { .string($0) })
        return Data(SHA256.hash(data: json.bytes).prefix(8)).base64EncodedString()
    }
}

/// What a file of sessions turns out to be.
enum StoredForm {
    /// Version 1, in the clear.
    case first(SavedSessions)
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
