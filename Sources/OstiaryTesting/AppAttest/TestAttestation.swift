package import Foundation
package import OstiaryWebAuthn

#if canImport(CryptoKit)
package import CryptoKit
#else
package import Crypto
#endif

/// The parts of an attestation object, for tests that change one of them.
package struct TestAttestation: Sendable {
    package var format = "apple-appattest"
    package var appIDHash: [UInt8]
    package var flags: UInt8 = 0x40
    package var counter: UInt32 = 0
    package var aaguid: [UInt8]
    package var credentialID: [UInt8]
    package var coseKey: [UInt8]
    /// The bytes after the attested credential.
    package var extensions: [UInt8] = []
    /// The certificate, without the nonce.
    package var leaf: TestCertificate
    /// The extension that holds the nonce, in the place of the right one.
    package var nonceExtension: [UInt8]?
    package var clientDataHash: [UInt8]
    /// The certificates, in the place of the right ones.
    package var chain: [CBOR]?
    package var authority: TestAppAttestAuthority
    package var receipt: [UInt8] = [0x30, 0x00]

    /// Creates the attestation of a key as App Attest would make it.
    package init(
        of key: P256.Signing.PublicKey, appID: String, environment: AppAttestEnvironment, clientDataHash: [UInt8],
        by authority: TestAppAttestAuthority, at now: Date
    ) {
        let point = Array(key.x963Representation)
        let keyID = Array(SHA256.hash(data: point))
        appIDHash = Array(SHA256.hash(data: Array(appID.utf8)))
        aaguid = environment.aaguid
        credentialID = keyID
        coseKey = Self.coseKey(of: point)
        leaf = TestCertificate(
            issuer: authority.intermediate.subject, subject: TestDER.name("Test key"), begins: now - 86_400,
            ends: now + 2 * 86_400, publicKey: TestCertificate.publicKey(key),
            extensions: [TestCertificate.constraints(isAuthority: false), TestCertificate.usage(0xF0)])
        leaf.algorithm = TestCertificate.ecdsaWithSHA256
        self.clientDataHash = clientDataHash
        self.authority = authority
    }

    package static func coseKey(of point: [UInt8], algorithm: Int64 = -7) -> [UInt8] {
        let coordinates = Array(point.dropFirst())
        return CBOR.map([
            .init(.integer(1), .integer(2)), .init(.integer(3), .integer(algorithm)),
            .init(.integer(-1), .integer(1)), .init(.integer(-2), .bytes(Array(coordinates.prefix(32)))),
            .init(.integer(-3), .bytes(Array(coordinates.suffix(32)))),
        ]).encoded
    }

    package var authenticatorData: [UInt8] {
        TestAssertion.header(appIDHash, flags, counter) + aaguid
            + [UInt8(truncatingIfNeeded: credentialID.count >> 8), UInt8(truncatingIfNeeded: credentialID.count)]
            + credentialID + coseKey + extensions
    }

    /// Returns the certificate that App Attest issues for the key, in DER.
    package func leafCertificate() throws -> [UInt8] {
        let nonce = Array(SHA256.hash(data: authenticatorData + clientDataHash))
        var leaf = leaf
        leaf.extensions.append(nonceExtension ?? TestCertificate.nonce(nonce))
        return try leaf.signed(by: authority.intermediateKey)
    }

    /// Returns the attestation object.
    package func encoded() throws -> [UInt8] {
        try value().encoded
    }

    /// Returns the attestation object as a value.
    package func value() throws -> CBOR {
        let chain = try chain ?? [.bytes(leafCertificate()), .bytes(authority.intermediateCertificate())]
        return .map([
            .init(.text("fmt"), .text(format)),
            .init(
                .text("attStmt"),
                .map([.init(.text("x5c"), .array(chain)), .init(.text("receipt"), .bytes(receipt))])),
            .init(.text("authData"), .bytes(authenticatorData)),
        ])
    }
}
