import CryptoKit
import Foundation
import OstiaryClient
import OstiaryCore
import Security
import Testing

/// Keys in the Secure Enclave.
@Suite(.serialized) struct SecureEnclaveSessionKeysTests {
    private let keys = SecureEnclaveSessionKeys()

    private func isValid(_ signature: [UInt8], of bytes: [UInt8], by key: SessionKey) throws -> Bool {
        let key = try P256.Signing.PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        return key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: bytes)
    }

    @Test func `a key is used by its representation, which is not the private key`() throws {
        let key = try keys.makeKey()
        #expect(key.form == "secure-enclave")
        #expect(key.representation.reveal().count != 32)
        let signature = try keys.signature(of: [1, 2, 3], by: key)
        #expect(signature.count == 64)
        #expect(try isValid(signature, of: [1, 2, 3], by: key))
    }

    @Test func `a key of another device is lost`() throws {
        let key = try keys.makeKey()
        var bytes = key.representation.reveal()
        bytes[bytes.count - 1] ^= 1
        let other = SessionKey(form: key.form, publicKey: key.publicKey, representation: Secret(bytes))
        #expect(throws: SessionKeyProblem.lost) { try keys.signature(of: [1], by: other) }
    }

    static let errors: [(any Error, SessionKeyProblem)] = [
        (NSError(domain: NSOSStatusErrorDomain, code: Int(errSecInteractionNotAllowed)), .unavailable),
        (NSError(domain: "CryptoTokenKit", code: -9), .unavailable),
        (CryptoKitError.underlyingCoreCryptoError(error: -1), .unavailable),
        (CryptoKitError.incorrectKeySize, .lost), (NSError(domain: "CryptoTokenKit", code: -3), .lost),
    ]

    @Test(arguments: errors.indices) func `only an error about the representation means a lost key`(
        index: Int
    ) throws {
        let key = try keys.makeKey()
        SecureEnclave.failInShim(with: Self.errors[index].0)
        defer { SecureEnclave.failInShim(with: nil) }
        #expect(throws: Self.errors[index].1) { try keys.signature(of: [1], by: key) }
        SecureEnclave.failInShim(with: nil)
        #expect(try keys.signature(of: [1], by: key).count == 64)
    }

    @Test func `without a Secure Enclave a key is stored beside the session`() throws {
        SecureEnclave.setAvailableInShim(false)
        defer { SecureEnclave.setAvailableInShim(true) }
        let key = try keys.makeKey()
        #expect(key.form == "p256")
        #expect(try isValid(keys.signature(of: [1], by: key), of: [1], by: key))
        let enclaved = SessionKey(form: "secure-enclave", publicKey: key.publicKey, representation: key.representation)
        #expect(throws: SessionKeyProblem.lost) { try keys.signature(of: [1], by: enclaved) }
    }
}
