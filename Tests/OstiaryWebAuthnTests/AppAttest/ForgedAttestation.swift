import Foundation
import OstiaryTesting
import OstiaryWebAuthn
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A kind of attestation that must be refused, and the step that refuses it.
struct ForgedAttestation: Sendable, CustomTestStringConvertible {
    var name: String
    var problem: AppAttestProblem
    var make: @Sendable (AppAttestFixture) throws -> [UInt8]

    var testDescription: String { name }

    /// Creates a kind from a change of the parts before they are signed.
    init(
        _ name: String, _ problem: AppAttestProblem,
        _ change: @escaping @Sendable (inout TestAttestation, AppAttestFixture) throws -> Void
    ) {
        self.init(
            name, problem,
            bytes: { fixture in
                var attestation = fixture.attestation
                try change(&attestation, fixture)
                return try attestation.encoded()
            })
    }

    init(
        _ name: String, _ problem: AppAttestProblem,
        bytes make: @escaping @Sendable (AppAttestFixture) throws -> [UInt8]
    ) {
        self.name = name
        self.problem = problem
        self.make = make
    }

    /// Creates a kind from a change of the members of the right attestation object.
    private init(
        _ name: String, _ problem: AppAttestProblem, members change: @escaping @Sendable (inout [CBOR.Entry]) -> Void
    ) {
        self.init(
            name, problem,
            bytes: { fixture in
                guard case .map(var members) = try fixture.attestation.value() else { return [] }
                change(&members)
                return CBOR.map(members).encoded
            })
    }

    private init(
        _ name: String, _ problem: AppAttestProblem, statement change: @escaping @Sendable (inout [CBOR.Entry]) -> Void
    ) {
        self.init(
            name, problem,
            members: { members in
                guard case .map(var entries) = members[1].value else { return }
                change(&entries)
                members[1].value = .map(entries)
            })
    }

    static let all = object + authenticatorData + nonces + chains + certificates + dates

    private static let object = [
        ForgedAttestation("nothing", .attestationObject, bytes: { _ in [] }),
        ForgedAttestation("one zero byte", .attestationObject, bytes: { _ in [0] }),
        ForgedAttestation("a byte after the object", .attestationObject, bytes: { try $0.attestation.encoded() + [0] }),
        ForgedAttestation(
            "without the last byte", .attestationObject, bytes: { try $0.attestation.encoded().dropLast() }),
        ForgedAttestation(
            "over the maximum length", .attestationObject,
            { attestation, _ in attestation.receipt = [UInt8](repeating: 0, count: 16_384) }),
        ForgedAttestation(
            "a list in the place of the object", .attestationObject, bytes: { _ in CBOR.array([]).encoded }),
        ForgedAttestation("without a format", .attestationObject, members: { $0.remove(at: 0) }),
        ForgedAttestation("without a statement", .attestationObject, members: { $0.remove(at: 1) }),
        ForgedAttestation("without authenticator data", .attestationObject, members: { $0.remove(at: 2) }),
        ForgedAttestation(
            "with a member more", .attestationObject, members: { $0.append(.init(.text("zzzzzzzzz"), .null)) }),
        ForgedAttestation("with its members in another order", .attestationObject, members: { $0.reverse() }),
        ForgedAttestation("a format that is a number", .attestationObject, members: { $0[0].value = .unsigned(1) }),
        ForgedAttestation("a statement that is a list", .attestationObject, members: { $0[1].value = .array([]) }),
        ForgedAttestation(
            "authenticator data that is text", .attestationObject, members: { $0[2].value = .text("authData") }),
        ForgedAttestation("the format packed", .attestationFormat, { attestation, _ in attestation.format = "packed" }),
        ForgedAttestation(
            "the format in capitals", .attestationFormat,
            { attestation, _ in
                attestation.format = "APPLE-APPATTEST"
            }),
        ForgedAttestation("a statement without certificates", .certificateCount, statement: { $0.remove(at: 0) }),
        ForgedAttestation("certificates that are bytes", .certificateCount, statement: { $0[0].value = .bytes([]) }),
    ]

    private static let authenticatorData = [
        ForgedAttestation(
            "the RP ID hash of another app", .appID,
            { attestation, _ in
                attestation.appIDHash = [UInt8](repeating: 7, count: 32)
            }),
        ForgedAttestation("the counter 1", .counter, { attestation, _ in attestation.counter = 1 }),
        ForgedAttestation("the greatest counter", .counter, { attestation, _ in attestation.counter = .max }),
        ForgedAttestation(
            "a key of the other environment", .environment,
            { attestation, _ in
                attestation.aaguid = AppAttestEnvironment.development.aaguid
            }),
        ForgedAttestation(
            "an AAGUID of zeros", .environment,
            { attestation, _ in
                attestation.aaguid = [UInt8](repeating: 0, count: 16)
            }),
        ForgedAttestation(
            "an AAGUID with spaces after it", .environment,
            { attestation, _ in
                attestation.aaguid = Array("appattest".utf8) + [UInt8](repeating: 0x20, count: 7)
            }),
        ForgedAttestation(
            "another credential id", .credentialID,
            { attestation, _ in
                attestation.credentialID = [UInt8](repeating: 7, count: 32)
            }),
        ForgedAttestation(
            "a part of the credential id", .credentialID,
            { attestation, _ in
                attestation.credentialID.removeLast()
            }),
        ForgedAttestation(
            "an empty credential id", .authenticatorData,
            { attestation, _ in
                attestation.credentialID = []
            }),
        ForgedAttestation(
            "another key in the authenticator data", .publicKey,
            { attestation, _ in
                attestation.coseKey = TestAttestation.coseKey(
                    of: Array(P256.Signing.PrivateKey().publicKey.x963Representation))
            }),
        ForgedAttestation(
            "a key for another algorithm", .publicKey,
            { attestation, fixture in
                attestation.coseKey = TestAttestation.coseKey(of: fixture.attestedKey.publicKey, algorithm: -8)
            }),
        ForgedAttestation(
            "no key in the authenticator data", .publicKey, { attestation, _ in attestation.coseKey = [] }),
        ForgedAttestation(
            "authenticator data of 36 bytes", .authenticatorData,
            { attestation, _ in
                (attestation.appIDHash, attestation.aaguid) = ([UInt8](repeating: 1, count: 14), [])
                (attestation.credentialID, attestation.coseKey) = ([], [UInt8](repeating: 0, count: 15))
            }),
    ]

    private static let nonces = [
        ForgedAttestation(
            "a challenge of another request", .nonce, { attestation, _ in attestation.clientDataHash[0] ^= 1 }),
        ForgedAttestation(
            "a certificate without a nonce", .nonce, { attestation, _ in attestation.nonceExtension = [] }),
        ForgedAttestation(
            "a nonce of zeros", .nonce,
            { attestation, _ in
                attestation.nonceExtension = TestCertificate.nonce([UInt8](repeating: 0, count: 32))
            }),
        ForgedAttestation(
            "a nonce that is not tagged", .nonce,
            { attestation, fixture in
                attestation.nonceExtension = TestCertificate.extension(
                    TestCertificate.nonceID, TestDER.sequence([TestDER.octetString(fixture.nonce)]))
            }),
        ForgedAttestation(
            "a nonce without a sequence", .nonce,
            { attestation, fixture in
                attestation.nonceExtension = TestCertificate.extension(
                    TestCertificate.nonceID, TestDER.octetString(fixture.nonce))
            }),
        ForgedAttestation(
            "a nonce with a byte after it", .nonce,
            { attestation, fixture in
                attestation.nonceExtension = TestCertificate.nonce(fixture.nonce + [0])
            }),
        ForgedAttestation(
            "two nonces in the sequence", .nonce,
            { attestation, fixture in
                let nonce = TestDER.element(0xA1, TestDER.octetString(fixture.nonce))
                attestation.nonceExtension = TestCertificate.extension(
                    TestCertificate.nonceID, TestDER.sequence([nonce, nonce]))
            }),
        ForgedAttestation(
            "the nonce twice", .certificate,
            { attestation, fixture in
                attestation.leaf.extensions.append(TestCertificate.nonce(fixture.nonce))
            }),
        ForgedAttestation(
            "the nonce under another identifier", .nonce,
            { attestation, fixture in
                var id = TestCertificate.nonceID
                id[id.count - 1] = 3
                attestation.nonceExtension = TestCertificate.extension(
                    id, TestDER.sequence([TestDER.element(0xA1, TestDER.octetString(fixture.nonce))]))
            }),
        ForgedAttestation(
            "authenticator data that was changed afterwards", .nonce,
            members: { members in
                guard case .bytes(var data) = members[2].value else { return }
                data[32] ^= 1
                members[2].value = .bytes(data)
            }),
    ]
}

extension AppAttestFixture {
    /// The right nonce.
    var nonce: [UInt8] {
        Array(SHA256.hash(data: attestation.authenticatorData + Self.clientDataHash))
    }
}
