import Testing

@testable import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

@Suite struct RecordedAppAttestTests {
    private func verifier(_ environment: AppAttestEnvironment) throws -> AppAttestVerifier {
        AppAttestVerifier(
            appIDs: [RecordedAppAttest.appID], environment: environment,
            root: try X509Certificate(RecordedAppAttest.root))
    }

    @Test(arguments: RecordedAppAttest.all.indices)
    func `what independent code made and verified is verified`(index: Int) throws {
        let recorded = RecordedAppAttest.all[index]
        let verifier = try verifier(recorded.isProduction ? .production : .development)
        let challenge = Array(SHA256.hash(data: RecordedAppAttest.challenge))
        let key = try verifier.verifyAttestation(
            recorded.attestation, keyID: recorded.keyID, clientDataHash: challenge, at: RecordedAppAttest.time)
        let request = Array(SHA256.hash(data: Array(RecordedAppAttest.request.utf8)))
        #expect(try verifier.verifyAssertion(recorded.assertion, of: key, clientDataHash: request, after: 0) == 1)
        #expect(throws: AppAttestProblem.counter) {
            try verifier.verifyAssertion(recorded.assertion, of: key, clientDataHash: request, after: 1)
        }
        #expect(throws: AppAttestProblem.signature) {
            try verifier.verifyAssertion(recorded.assertion, of: key, clientDataHash: challenge, after: 0)
        }
    }

    @Test(arguments: RecordedAppAttest.all.indices)
    func `what independent code made is refused in the other environment`(index: Int) throws {
        let recorded = RecordedAppAttest.all[index]
        let challenge = Array(SHA256.hash(data: RecordedAppAttest.challenge))
        #expect(throws: AppAttestProblem.environment) {
            try verifier(recorded.isProduction ? .development : .production).verifyAttestation(
                recorded.attestation, keyID: recorded.keyID, clientDataHash: challenge, at: RecordedAppAttest.time)
        }
    }

    @Test(arguments: RecordedAppAttest.all.indices)
    func `no part of an attestation can be cut off or changed`(index: Int) throws {
        let recorded = RecordedAppAttest.all[index]
        let verifier = try verifier(recorded.isProduction ? .production : .development)
        let challenge = Array(SHA256.hash(data: RecordedAppAttest.challenge))
        // The receipt is not evaluated, so that its name may be any.
        let receipt = try #require(recorded.attestation.firstRange(of: Array("receipt".utf8)))
        for position in stride(from: 0, to: recorded.attestation.count, by: 7) where !receipt.contains(position) {
            var changed = recorded.attestation
            changed[position] ^= 0x10
            for forged in [changed, Array(recorded.attestation.prefix(position))] {
                #expect(throws: AppAttestProblem.self) {
                    try verifier.verifyAttestation(
                        forged, keyID: recorded.keyID, clientDataHash: challenge, at: RecordedAppAttest.time)
                }
            }
        }
    }
}
