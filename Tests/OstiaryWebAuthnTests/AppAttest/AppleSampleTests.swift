import Testing

@testable import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

@Suite struct AppleSampleTests {
    private static func verify(
        _ sample: AppleSample, challenge: String? = nil, environment: AppAttestEnvironment = .production,
        time: Int64? = nil
    ) throws -> AttestedAppKey {
        let root = try X509Certificate(pem: X509Certificate.appleAppAttestationRoot)
        return try AppAttestVerifier(appIDs: [sample.appID], environment: environment, root: root).verifyAttestation(
            sample.attestation, keyID: sample.keyID, clientDataHash: Array((challenge ?? sample.challenge).utf8),
            at: time ?? sample.time)
    }

    @Test func `the root certificate is the one that Apple publishes`() throws {
        let root = try X509Certificate(pem: X509Certificate.appleAppAttestationRoot)
        #expect(root.isTrustAnchor)
        #expect(root.validity == 1_584_556_373...2_373_148_800)
    }

    @Test(arguments: AppleSample.all)
    func `an attestation that Apple publishes is verified with Apple's root certificate`(sample: AppleSample) throws {
        let key = try Self.verify(sample)
        #expect(key.keyID == sample.keyID)
        #expect(Array(SHA256.hash(data: key.publicKey)) == sample.keyID)
        #expect(key.appID == sample.appID)
    }

    @Test(arguments: AppleSample.all)
    func `an attestation that Apple publishes is refused for another challenge, environment and time`(
        sample: AppleSample
    ) throws {
        #expect(throws: AppAttestProblem.nonce) { try Self.verify(sample, challenge: "another challenge") }
        #expect(throws: AppAttestProblem.environment) { try Self.verify(sample, environment: .development) }
        for days in [-3, 3] as [Int64] {
            #expect(throws: AppAttestProblem.certificateValidity) {
                try Self.verify(sample, time: sample.time + days * 86_400)
            }
        }
    }

    @Test(arguments: AppleSample.all)
    func `no byte of the certified part of Apple's attestation can be changed`(sample: AppleSample) throws {
        for index in sample.authenticatorData.indices {
            var data = sample.authenticatorData
            data[index] ^= 1
            guard case .map(var members) = try CBOR.decode(sample.attestation) else { return }
            members[2].value = .bytes(data)
            var changed = sample
            changed.attestation = CBOR.map(members).encoded
            #expect(throws: AppAttestProblem.self) { try Self.verify(changed) }
        }
    }
}
