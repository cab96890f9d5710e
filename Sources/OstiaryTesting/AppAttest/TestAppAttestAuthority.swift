package import Foundation

#if canImport(CryptoKit)
package import CryptoKit
#else
package import Crypto
#endif

/// A root and an intermediate authority with the profile of Apple's, for tests.
package struct TestAppAttestAuthority: Sendable {
    package var rootKey = P384.Signing.PrivateKey()
    package var intermediateKey = P384.Signing.PrivateKey()
    package var root: TestCertificate
    package var intermediate: TestCertificate

    /// Creates authorities that are valid from a day before a time, the intermediate for ten years.
    package init(at now: Date) {
        let day = 86_400.0
        let name = TestDER.name("Test App Attestation Root CA")
        root = TestCertificate(
            issuer: name, subject: name, begins: now - day, ends: now + 25 * 365 * day,
            publicKey: TestCertificate.publicKey(rootKey.publicKey),
            extensions: [TestCertificate.constraints(isAuthority: true), TestCertificate.usage(0x06)])
        intermediate = TestCertificate(
            issuer: name, subject: TestDER.name("Test App Attestation CA 1"), begins: now - day,
            ends: now + 10 * 365 * day, publicKey: TestCertificate.publicKey(intermediateKey.publicKey),
            extensions: [
                TestCertificate.constraints(isAuthority: true, pathLength: 0), TestCertificate.usage(0x06),
            ])
    }

    /// The root certificate in DER.
    package func rootCertificate() throws -> [UInt8] { try root.signed(by: rootKey) }
    /// The intermediate certificate in DER.
    package func intermediateCertificate() throws -> [UInt8] { try intermediate.signed(by: rootKey) }

    /// Returns a certificate in PEM. Source: RFC 7468 §5.
    package static func pem(_ certificate: [UInt8]) -> String {
        let text = Data(certificate).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n"
    }
}
