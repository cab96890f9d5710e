package import Foundation

#if canImport(CryptoKit)
package import CryptoKit
#else
package import Crypto
#endif

/// The fields of an X.509 certificate, for tests that change one of them. Source: RFC 5280 §4.1.
package struct TestCertificate: Sendable {
    package var version: [UInt8] = TestDER.element(0xA0, [0x02, 0x01, 0x02])
    package var serialNumber: [UInt8] = TestDER.element(0x02, [0x01])
    /// The algorithm in the signed part; ``outerAlgorithm`` where it differs from the one beside the signature.
    package var algorithm = TestCertificate.ecdsaWithSHA384
    package var outerAlgorithm: [UInt8]?
    package var issuer: [UInt8]
    package var subject: [UInt8]
    package var begins: Date
    package var ends: Date
    /// A `SubjectPublicKeyInfo`.
    package var publicKey: [UInt8]
    package var extensions: [[UInt8]]
    /// The bytes after the extensions.
    package var further: [UInt8] = []

    package init(
        issuer: [UInt8], subject: [UInt8], begins: Date, ends: Date, publicKey: [UInt8], extensions: [[UInt8]]
    ) {
        self.issuer = issuer
        self.subject = subject
        self.begins = begins
        self.ends = ends
        self.publicKey = publicKey
        self.extensions = extensions
    }

    package static let ecdsaWithSHA256 = TestDER.sequence([
        TestDER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])
    ])
    package static let ecdsaWithSHA384 = TestDER.sequence([
        TestDER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03])
    ])

    package static func publicKey(_ key: P256.Signing.PublicKey) -> [UInt8] {
        publicKey(Array(key.x963Representation), curve: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    }

    package static func publicKey(_ key: P384.Signing.PublicKey) -> [UInt8] {
        publicKey(Array(key.x963Representation), curve: [0x2B, 0x81, 0x04, 0x00, 0x22])
    }

    package static func publicKey(_ point: [UInt8], curve: [UInt8]) -> [UInt8] {
        TestDER.sequence([
            TestDER.sequence([
                TestDER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]), TestDER.objectIdentifier(curve),
            ]), TestDER.bitString(point),
        ])
    }

    package static func `extension`(_ id: [UInt8], isCritical: Bool = false, _ value: [UInt8]) -> [UInt8] {
        TestDER.sequence([
            TestDER.objectIdentifier(id), isCritical ? [0x01, 0x01, 0xFF] : [], TestDER.octetString(value),
        ])
    }

    /// Returns the extension `basicConstraints`.
    package static func constraints(isAuthority: Bool, pathLength: UInt8? = nil) -> [UInt8] {
        let length = pathLength.map { TestDER.element(0x02, [$0]) } ?? []
        return Self.extension(
            [0x55, 0x1D, 0x13], isCritical: true, TestDER.sequence(isAuthority ? [[0x01, 0x01, 0xFF], length] : []))
    }

    /// Returns the extension `keyUsage` with the bits of one octet.
    package static func usage(_ bits: UInt8) -> [UInt8] {
        Self.extension(
            [0x55, 0x1D, 0x0F], isCritical: true,
            TestDER.bitString([bits], unusedBits: UInt8(bits == 0 ? 0 : bits.trailingZeroBitCount)))
    }

    /// The extension of App Attest that holds the nonce.
    package static func nonce(_ nonce: [UInt8]) -> [UInt8] {
        Self.extension(nonceID, TestDER.sequence([TestDER.element(0xA1, TestDER.octetString(nonce))]))
    }

    package static let nonceID: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x08, 0x02]

    /// The part that is signed.
    package var signedPart: [UInt8] {
        let extensions = self.extensions.isEmpty ? [] : TestDER.element(0xA3, TestDER.sequence(self.extensions))
        return TestDER.sequence([
            version, serialNumber, algorithm, issuer, TestDER.sequence([TestDER.time(begins), TestDER.time(ends)]),
            subject, publicKey, extensions, further,
        ])
    }

    /// Returns the certificate with a signature by an authority's key, with the hash function of ``algorithm``.
    package func signed(by key: P384.Signing.PrivateKey) throws -> [UInt8] {
        let signedPart = signedPart
        let signature =
            algorithm == Self.ecdsaWithSHA256
            ? try key.signature(for: SHA256.hash(data: signedPart))
            : try key.signature(for: SHA384.hash(data: signedPart))
        return encoded(with: Array(signature.derRepresentation))
    }

    /// Returns the certificate with any signature.
    package func encoded(with signature: [UInt8]) -> [UInt8] {
        TestDER.sequence([signedPart, outerAlgorithm ?? algorithm, TestDER.bitString(signature)])
    }
}
