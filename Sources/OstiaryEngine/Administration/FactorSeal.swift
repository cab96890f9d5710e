import CryptoExtras
import Foundation
public import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Seals the second factors of exported accounts with a key that is derived from a passphrase.
///
/// A sealed text is `ostiary-factors-1.SALT.BOX`, both in base64url without padding. SALT has 16 bytes and is the same for
/// all accounts of an export; the key is scrypt(passphrase, SALT) with N = 2^17, r = 8, p = 1 and 32 bytes. BOX is the nonce
/// (12 bytes), the ciphertext and the tag (16 bytes) of AES-256-GCM, with `ostiary-factors-1/ID` as additional data, where ID
/// is the account's id: a sealed text opens for its account only. Other parameters are another version. Source: RFC 7914,
/// OWASP Password Storage Cheat Sheet.
public struct FactorSeal: Hashable, Sendable {
    /// The random part of the derivation, 16 bytes.
    public let salt: [UInt8]
    /// The derived key, 32 bytes.
    public let key: Secret<[UInt8]>

    /// The least length of a passphrase for an export, in bytes.
    public static let minimumPassphraseBytes = 12
    /// The length of a salt in bytes.
    public static let saltBytes = 16
    private static let keyBytes = 32
    private static let version = "ostiary-factors-1"

    /// Creates a seal from a derived key.
    ///
    /// - Throws: ``AdministrationProblem`` for a salt or a key of another length.
    public init(salt: [UInt8], key: Secret<[UInt8]>) throws(AdministrationProblem) {
        guard salt.count == Self.saltBytes, key.reveal().count == Self.keyBytes else {
            throw AdministrationProblem("a seal needs a salt of \(Self.saltBytes) bytes and a key of \(Self.keyBytes)")
        }
        self.salt = salt
        self.key = key
    }

    /// Derives the key of a passphrase. Blocks the thread for some tenths of a second, and takes 128 MiB meanwhile.
    ///
    /// - Throws: ``AdministrationProblem`` if the memory cannot be had.
    public init(passphrase: Secret<String>, salt: [UInt8]) throws(AdministrationProblem) {
        let key: [UInt8]
        do {
            key = try KDF.Scrypt.deriveKey(
                from: Array(passphrase.reveal().utf8), salt: salt, outputByteCount: Self.keyBytes, rounds: 1 << 17,
                blockSize: 8, parallelism: 1
            ).withUnsafeBytes { Array($0) }
        } catch {
            throw AdministrationProblem("the key of the passphrase cannot be derived: are 128 MiB of memory free?")
        }
        try self.init(salt: salt, key: Secret(key))
    }

    /// Returns the salt of a sealed text.
    ///
    /// - Throws: ``AdministrationProblem`` for a text of another version or form.
    public static func salt(of sealed: String) throws(AdministrationProblem) -> [UInt8] { try parts(of: sealed).salt }

    /// Returns `true` if the factors of a record open with this seal: the passphrase was the right one.
    public func opens(_ record: AccountRecord) -> Bool {
        guard let sealed = record.factors, let id = record.id.flatMap({ try? AccountID($0) }) else { return false }
        return (try? open(sealed, of: id)) != nil
    }

    func seal(_ plain: [UInt8], of account: AccountID) throws -> String {
        let box = try AES.GCM.seal(
            plain, using: SymmetricKey(data: key.reveal()), authenticating: Self.context(of: account))
        guard let bytes = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return "\(Self.version).\(salt.base64URL).\(Array(bytes).base64URL)"
    }

    /// Opens a sealed text.
    ///
    /// - Throws: ``AdministrationProblem`` if the passphrase or the account is another one, or the text was altered.
    func open(_ sealed: String, of account: AccountID) throws(AdministrationProblem) -> [UInt8] {
        let parts = try Self.parts(of: sealed)
        do {
            guard parts.salt == salt else { throw CryptoKitError.authenticationFailure }
            return Array(
                try AES.GCM.open(
                    AES.GCM.SealedBox(combined: parts.box), using: SymmetricKey(data: key.reveal()),
                    authenticating: Self.context(of: account)))
        } catch {
            throw AdministrationProblem("factors: do not open with this passphrase for this account")
        }
    }

    private static func context(of account: AccountID) -> Data { Data("\(version)/\(account.text)".utf8) }

    private static func parts(
        of sealed: String
    ) throws(AdministrationProblem) -> (salt: [UInt8], box: [UInt8]) {
        let parts = sealed.utf8.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual(version.utf8), let salt = Base64URL.decode(parts[1]),
            salt.count == saltBytes, let box = Base64URL.decode(parts[2])
        else { throw AdministrationProblem("factors: not of the form that this version exports (\(version))") }
        return (salt, box)
    }
}
