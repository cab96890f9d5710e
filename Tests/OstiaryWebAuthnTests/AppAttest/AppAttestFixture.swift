import Foundation
import OstiaryTesting
import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// An app's key, the authorities that attest it, and a verifier that trusts them.
struct AppAttestFixture: Sendable {
    static let appID = "ABCDE12345.com.example.app"
    static let otherAppID = "ABCDE12345.com.example.other"
    static let now = Date(timeIntervalSince1970: 1_790_000_000)
    static let clientDataHash: [UInt8] = Array(1...32)
    static let seconds = Int64(now.timeIntervalSince1970)

    let key = P256.Signing.PrivateKey()
    let authority = TestAppAttestAuthority(at: AppAttestFixture.now)
    let verifier: AppAttestVerifier

    init(
        environment: AppAttestEnvironment = .production, appIDs: [String] = [otherAppID, appID]
    ) throws {
        verifier = AppAttestVerifier(
            appIDs: appIDs, environment: environment, root: try X509Certificate(authority.rootCertificate()))
    }

    var keyID: [UInt8] { Array(SHA256.hash(data: Array(key.publicKey.x963Representation))) }
    var attestedKey: AttestedAppKey {
        AttestedAppKey(keyID: keyID, publicKey: Array(key.publicKey.x963Representation), appID: Self.appID)
    }

    var attestation: TestAttestation {
        TestAttestation(
            of: key.publicKey, appID: Self.appID, environment: .production, clientDataHash: Self.clientDataHash,
            by: authority, at: Self.now)
    }

    func verify(
        _ attestation: [UInt8], keyID: [UInt8]? = nil, at time: Int64 = seconds
    ) throws(AppAttestProblem) -> AttestedAppKey {
        try verifier.verifyAttestation(
            attestation, keyID: keyID ?? self.keyID, clientDataHash: Self.clientDataHash, at: time)
    }

    var assertion: TestAssertion {
        TestAssertion(appID: Self.appID, counter: 8, clientDataHash: Self.clientDataHash)
    }

    func verify(assertion: [UInt8], after counter: UInt32 = 7) throws(AppAttestProblem) -> UInt32 {
        try verifier.verifyAssertion(
            assertion, of: attestedKey, clientDataHash: Self.clientDataHash, after: counter)
    }
}
