import OstiaryTesting
import Testing

@testable import OstiaryWebAuthn

@Suite struct AppAttestVerifierTests {
    @Test func `an attestation of a listed app is verified`() throws {
        let fixture = try AppAttestFixture()
        #expect(try fixture.verify(fixture.attestation.encoded()) == fixture.attestedKey)
    }

    @Test func `extensions after the attested credential are ignored`() throws {
        let fixture = try AppAttestFixture()
        for flags in [0x40, 0xC0] as [UInt8] {
            var attestation = fixture.attestation
            (attestation.flags, attestation.extensions) = (flags, CBOR.map([]).encoded)
            #expect(try fixture.verify(attestation.encoded()) == fixture.attestedKey)
        }
    }

    @Test func `a development key is verified in that environment alone`() throws {
        let development = try AppAttestFixture(environment: .development)
        var attestation = development.attestation
        #expect(throws: AppAttestProblem.environment) { try development.verify(attestation.encoded()) }
        attestation.aaguid = AppAttestEnvironment.development.aaguid
        #expect(try development.verify(attestation.encoded()) == development.attestedKey)
    }

    @Test(arguments: ForgedAttestation.all)
    func `a forged attestation is refused by the step that it violates`(forged: ForgedAttestation) throws {
        let fixture = try AppAttestFixture()
        let attestation = try forged.make(fixture)
        #expect(throws: forged.problem) { try fixture.verify(attestation) }
    }

    @Test func `an attestation is refused under another key id`() throws {
        let fixture = try AppAttestFixture()
        let attestation = try fixture.attestation.encoded()
        for keyID in [[], Array(fixture.keyID.dropLast()), [UInt8](repeating: 0, count: 32)] {
            #expect(throws: AppAttestProblem.keyID) { try fixture.verify(attestation, keyID: keyID) }
        }
    }

    @Test func `an attestation is refused after its certificate has expired`() throws {
        let fixture = try AppAttestFixture()
        let attestation = try fixture.attestation.encoded()
        let end = AppAttestFixture.seconds + 2 * 86_400
        #expect(try fixture.verify(attestation, at: end) == fixture.attestedKey)
        #expect(throws: AppAttestProblem.certificateValidity) { try fixture.verify(attestation, at: end + 1) }
    }

    @Test func `an assertion with a greater counter is verified`() throws {
        let fixture = try AppAttestFixture()
        let assertion = try fixture.assertion.encoded(by: fixture.key)
        #expect(try fixture.verify(assertion: assertion) == 8)
        #expect(try fixture.verify(assertion: assertion, after: 0) == 8)
        #expect(throws: AppAttestProblem.counter) { try fixture.verify(assertion: assertion, after: 8) }
    }

    @Test func `an assertion is verified with and without extensions`() throws {
        let fixture = try AppAttestFixture()
        for (flags, extensions) in [(0x00, []), (0x40, [0xA0]), (0xC0, [0xA0])] as [(UInt8, [UInt8])] {
            var assertion = fixture.assertion
            (assertion.flags, assertion.extensions) = (flags, extensions)
            #expect(try fixture.verify(assertion: assertion.encoded(by: fixture.key)) == 8)
        }
    }

    @Test(arguments: ForgedAssertion.all)
    func `a forged assertion is refused by the step that it violates`(forged: ForgedAssertion) throws {
        let fixture = try AppAttestFixture()
        let assertion = try forged.make(fixture)
        #expect(throws: forged.problem) { try fixture.verify(assertion: assertion) }
    }

    @Test func `an assertion of an app that is not listed any more is refused`() throws {
        let fixture = try AppAttestFixture(appIDs: [AppAttestFixture.otherAppID])
        let assertion = try fixture.assertion.encoded(by: fixture.key)
        #expect(throws: AppAttestProblem.appID) { try fixture.verify(assertion: assertion) }
    }

    @Test func `there are at least 40 kinds of each`() {
        #expect(ForgedAttestation.all.count >= 40)
        #expect(ForgedAssertion.all.count >= 40)
        #expect(Set(ForgedAttestation.all.map(\.name)).count == ForgedAttestation.all.count)
        #expect(Set(ForgedAssertion.all.map(\.name)).count == ForgedAssertion.all.count)
    }

    @Test func `a root certificate is read from PEM, one and no other text`() throws {
        let authority = TestAppAttestAuthority(at: AppAttestFixture.now)
        let pem = TestAppAttestAuthority.pem(try authority.rootCertificate())
        #expect(try X509Certificate(pem: "A comment.\r\n" + pem).isTrustAnchor)
        #expect(!(try X509Certificate(authority.intermediateCertificate()).isTrustAnchor))
        for text in ["", pem + pem, String(pem.dropFirst(5)), pem.replacing("M", with: "*")] {
            #expect(throws: AppAttestProblem.certificate) { try X509Certificate(pem: text) }
        }
    }
}
