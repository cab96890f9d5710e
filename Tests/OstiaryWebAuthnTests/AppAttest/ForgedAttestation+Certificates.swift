import Foundation
import OstiaryTesting
import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Certificates that must be refused.
extension ForgedAttestation {
    static let chains = [
        ForgedAttestation("no certificate", .certificateCount, { attestation, _ in attestation.chain = [] }),
        ForgedAttestation(
            "one certificate", .certificateCount,
            { attestation, _ in
                attestation.chain = [.bytes(try attestation.leafCertificate())]
            }),
        ForgedAttestation(
            "the root certificate as the third one", .certificateCount,
            { attestation, fixture in
                attestation.chain = [
                    .bytes(try attestation.leafCertificate()), .bytes(try fixture.authority.intermediateCertificate()),
                    .bytes(try fixture.authority.rootCertificate()),
                ]
            }),
        ForgedAttestation(
            "the certificates in the other order", .certificateUsage,
            { attestation, fixture in
                attestation.chain = [
                    .bytes(try fixture.authority.intermediateCertificate()), .bytes(try attestation.leafCertificate()),
                ]
            }),
        ForgedAttestation(
            "a certificate that is text", .certificateCount,
            { attestation, fixture in
                attestation.chain = [.text("leaf"), .bytes(try fixture.authority.intermediateCertificate())]
            }),
        ForgedAttestation(
            "authorities with another root", .certificateSignature,
            { attestation, _ in
                attestation.authority = TestAppAttestAuthority(at: AppAttestFixture.now)
            }),
        ForgedAttestation(
            "a leaf that another key signed", .certificateSignature,
            { attestation, _ in
                attestation.authority.intermediateKey = P384.Signing.PrivateKey()
            }),
        ForgedAttestation(
            "an intermediate that its own key signed", .certificateSignature,
            { attestation, fixture in
                attestation.chain = [
                    .bytes(try attestation.leafCertificate()),
                    .bytes(try fixture.authority.intermediate.signed(by: fixture.authority.intermediateKey)),
                ]
            }),
        ForgedAttestation(
            "a leaf that the root issued", .certificateSignature,
            { attestation, fixture in
                attestation.authority.intermediateKey = fixture.authority.rootKey
                attestation.leaf.issuer = fixture.authority.root.subject
            }),
        ForgedAttestation(
            "a leaf of another issuer", .certificateSignature,
            { attestation, _ in
                attestation.leaf.issuer = TestDER.name("Test App Attestation CA 2")
            }),
        ForgedAttestation(
            "an intermediate of another issuer", .certificateSignature,
            { attestation, _ in
                attestation.authority.intermediate.issuer = TestDER.name("Another root")
            }),
        ForgedAttestation(
            "an intermediate that is no authority", .certificateUsage,
            { attestation, _ in
                attestation.authority.intermediate.extensions[0] = TestCertificate.constraints(isAuthority: false)
            }),
        ForgedAttestation(
            "an intermediate without constraints", .certificateUsage,
            { attestation, _ in
                attestation.authority.intermediate.extensions.removeFirst()
            }),
        ForgedAttestation(
            "an intermediate that may not certify", .certificateUsage,
            { attestation, _ in
                attestation.authority.intermediate.extensions[1] = TestCertificate.usage(0x80)
            }),
        ForgedAttestation(
            "an intermediate without a key usage", .certificateUsage,
            { attestation, _ in
                attestation.authority.intermediate.extensions.removeLast()
            }),
        ForgedAttestation(
            "a leaf that is an authority", .certificateUsage,
            { attestation, _ in
                attestation.leaf.extensions[0] = TestCertificate.constraints(isAuthority: true)
            }),
        ForgedAttestation(
            "a leaf that may not sign", .certificateUsage,
            { attestation, _ in
                attestation.leaf.extensions[1] = TestCertificate.usage(0x20)
            }),
    ]

    static let certificates = [
        ForgedAttestation(
            "an empty certificate", .certificate,
            { attestation, fixture in
                attestation.chain = [.bytes([]), .bytes(try fixture.authority.intermediateCertificate())]
            }),
        ForgedAttestation(
            "a certificate over the maximum length", .certificate,
            { attestation, _ in
                attestation.leaf.extensions.append(
                    TestCertificate.extension([0x2A], [UInt8](repeating: 0, count: 4096)))
            }),
        ForgedAttestation(
            "a byte after the certificate", .certificate,
            { attestation, fixture in
                attestation.chain = [
                    .bytes(try attestation.leafCertificate() + [0]),
                    .bytes(try fixture.authority.intermediateCertificate()),
                ]
            }),
        ForgedAttestation(
            "a certificate of version 1", .certificate, { attestation, _ in attestation.leaf.version = [] }),
        ForgedAttestation(
            "a certificate of version 2", .certificate,
            { attestation, _ in
                attestation.leaf.version = TestDER.element(0xA0, [0x02, 0x01, 0x01])
            }),
        ForgedAttestation(
            "two different algorithms in a certificate", .certificate,
            { attestation, _ in
                attestation.leaf.outerAlgorithm = TestCertificate.ecdsaWithSHA384
            }),
        ForgedAttestation(
            "an unknown signature algorithm", .certificate,
            { attestation, _ in
                attestation.leaf.algorithm = TestDER.sequence([
                    TestDER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x01])
                ])
            }),
        ForgedAttestation(
            "an algorithm with parameters", .certificate,
            { attestation, _ in
                attestation.leaf.algorithm = TestDER.sequence([
                    TestDER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]), [0x05, 0x00],
                ])
            }),
        ForgedAttestation(
            "the hash function of another signature", .certificateSignature,
            { attestation, fixture in
                attestation.leaf.algorithm = TestCertificate.ecdsaWithSHA384
                let signature = try fixture.authority.intermediateKey.signature(
                    for: SHA256.hash(data: attestation.leaf.signedPart))
                attestation.chain = [
                    .bytes(attestation.leaf.encoded(with: Array(signature.derRepresentation))),
                    .bytes(try fixture.authority.intermediateCertificate()),
                ]
            }),
        ForgedAttestation(
            "an empty signature", .certificateSignature,
            { attestation, fixture in
                attestation.chain = [
                    .bytes(attestation.leaf.encoded(with: [])), .bytes(try fixture.authority.intermediateCertificate()),
                ]
            }),
        ForgedAttestation(
            "a signature of two zeros", .certificateSignature,
            { attestation, fixture in
                attestation.chain = [
                    .bytes(attestation.leaf.encoded(with: [0x30, 6, 2, 1, 0, 2, 1, 0])),
                    .bytes(try fixture.authority.intermediateCertificate()),
                ]
            }),
        ForgedAttestation(
            "an unknown critical extension", .certificate,
            { attestation, _ in
                attestation.leaf.extensions.append(
                    TestCertificate.extension([0x55, 0x1D, 0x1E], isCritical: true, [0x30, 0]))
            }),
        ForgedAttestation(
            "an extension twice", .certificate,
            { attestation, _ in
                attestation.leaf.extensions.append(TestCertificate.usage(0x80))
            }),
        ForgedAttestation(
            "a length that is not the shortest", .certificate,
            { attestation, fixture in
                let leaf = try attestation.leafCertificate()
                attestation.chain = [
                    .bytes([0x30, 0x83, 0x00] + leaf[2...]), .bytes(try fixture.authority.intermediateCertificate()),
                ]
            }),
        ForgedAttestation(
            "an indefinite length", .certificate,
            { attestation, fixture in
                let leaf = try attestation.leafCertificate()
                attestation.chain = [
                    .bytes([0x30, 0x80] + leaf[4...] + [0, 0]), .bytes(try fixture.authority.intermediateCertificate()),
                ]
            }),
        ForgedAttestation(
            "unique identifiers", .certificate,
            { attestation, _ in
                attestation.leaf.further = TestDER.element(0xA2, [0x00])
            }),
        ForgedAttestation(
            "a key on the curve of the authorities", .publicKey,
            { attestation, _ in
                attestation.leaf.publicKey = TestCertificate.publicKey(P384.Signing.PrivateKey().publicKey)
            }),
        ForgedAttestation(
            "a key on an unknown curve", .certificate,
            { attestation, fixture in
                attestation.leaf.publicKey = TestCertificate.publicKey(
                    fixture.attestedKey.publicKey, curve: [0x2B, 0x81, 0x04, 0x00, 0x0A])
            }),
        ForgedAttestation(
            "a point that is not on the curve", .certificate,
            { attestation, fixture in
                var point = fixture.attestedKey.publicKey
                point[64] ^= 1
                attestation.leaf.publicKey = TestCertificate.publicKey(
                    point, curve: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
            }),
        ForgedAttestation(
            "the certificate of another key", .keyID,
            { attestation, _ in
                let other = P256.Signing.PrivateKey().publicKey
                attestation.leaf.publicKey = TestCertificate.publicKey(other)
            }),
    ]

    static let dates = [
        ForgedAttestation(
            "a leaf that has expired", .certificateValidity,
            { attestation, _ in
                attestation.leaf.ends = AppAttestFixture.now - 1
            }),
        ForgedAttestation(
            "a leaf that is not valid yet", .certificateValidity,
            { attestation, _ in
                attestation.leaf.begins = AppAttestFixture.now + 1
            }),
        ForgedAttestation(
            "an intermediate that has expired", .certificateValidity,
            { attestation, _ in
                attestation.authority.intermediate.ends = AppAttestFixture.now - 1
            }),
        ForgedAttestation(
            "a validity that ends before it begins", .certificate,
            { attestation, _ in
                attestation.leaf.ends = attestation.leaf.begins - 1
            }),
    ]
}
