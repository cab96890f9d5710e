import OstiaryContracts
import OstiaryCore
import Testing

@testable import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

extension SpecificationVector: CustomTestStringConvertible {
    var testDescription: String { name }
}

/// The vectors of WebAuthn Level 3 §16. Most do not verify the user, and three use algorithms that are not offered: the
/// whole ceremony refuses these, and their parts are verified one by one.
@Suite struct SpecificationVectorTests {
    private static let relyingParty = RelyingParty(
        id: SpecificationVector.relyingPartyID, origins: [SpecificationVector.origin])
    private static let userHandle: [UInt8] = [1]

    /// The outcomes of both ceremonies by name: nil is success.
    private static let outcomes: [String: (registration: WebAuthnProblem?, authentication: WebAuthnProblem?)] = [
        "none-es256": (.userVerification, .userVerification),
        "packed-self-es256": (nil, .userVerification),
        "none-es256-crossOrigin": (.crossOrigin, .crossOrigin),
        "none-es256-topOrigin": (.crossOrigin, .crossOrigin),
        "none-es256-long-credential-id": (.userVerification, nil),
        "packed-es256": (nil, nil),
        "packed-es384": (.publicKey(.algorithm), .storedPublicKey),
        "packed-es512": (.publicKey(.algorithm), .userVerification),
        "packed-rs256": (nil, .userVerification),
        "packed-eddsa": (.userVerification, .userVerification),
        "packed-ed448": (.publicKey(.algorithm), .storedPublicKey),
        "tpm-es256": (nil, nil),
        "android-key-es256": (nil, .userVerification),
        "apple-es256": (.userVerification, .userVerification),
        "fido-u2f-es256": (.userVerification, .userVerification),
    ]

    private static func registration(_ vector: SpecificationVector) throws -> RegistrationResponse {
        try RegistrationResponse(
            json(
                vector.credentialID,
                [
                    "clientDataJSON": vector.registrationClientData, "attestationObject": vector.attestationObject,
                ]))
    }

    /// Returns a response as `toJSON()` writes it.
    private static func json(_ id: [UInt8], _ members: KeyValuePairs<String, [UInt8]>) -> JSON {
        let id = JSON.string(Base64URL.encode(id))
        let response = JSON.object(members.map { JSON.Member($0.key, .string(Base64URL.encode($0.value))) })
        return ["id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": [:]]
    }

    /// Returns the COSE key, which ends the authenticator data: no vector has extensions.
    private static func publicKey(_ vector: SpecificationVector) throws -> [UInt8] {
        let object = try AttestationObject(vector.attestationObject)
        return Array(object.authenticatorData.dropFirst(37 + 16 + 2 + vector.credentialID.count))
    }

    @Test(arguments: SpecificationVector.all)
    func `a registration has the expected outcome`(vector: SpecificationVector) throws {
        let outcome = try #require(Self.outcomes[vector.name])
        let response = try Self.registration(vector)
        if let problem = outcome.registration {
            #expect(throws: problem) {
                try Self.relyingParty.verifyRegistration(response, challenge: vector.registrationChallenge)
            }
            return
        }
        let verified = try Self.relyingParty.verifyRegistration(response, challenge: vector.registrationChallenge)
        #expect(verified.credentialID == vector.credentialID)
        #expect(verified.publicKey == (try Self.publicKey(vector)))
        #expect(verified.algorithm.rawValue == vector.algorithm)
        #expect(verified.signCount == 0)
        #expect(verified.isBackupEligible == (vector.registrationFlags & 0x08 != 0))
        #expect(verified.isBackedUp == (vector.registrationFlags & 0x10 != 0))
        #expect(verified.aaguid == vector.aaguid)
        #expect(verified.attestationFormat == vector.format)
        #expect(throws: WebAuthnProblem.challenge) {
            try Self.relyingParty.verifyRegistration(response, challenge: vector.authenticationChallenge)
        }
    }

    @Test(arguments: SpecificationVector.all)
    func `an authentication has the expected outcome`(vector: SpecificationVector) throws {
        let outcome = try #require(Self.outcomes[vector.name])
        let response = try AuthenticationResponse(
            Self.json(
                vector.credentialID,
                [
                    "clientDataJSON": vector.authenticationClientData, "authenticatorData": vector.authenticatorData,
                    "signature": vector.signature,
                ]))
        let stored = StoredCredential(
            credentialID: vector.credentialID, publicKey: try Self.publicKey(vector), signCount: 0,
            isBackupEligible: vector.registrationFlags & 0x08 != 0, userHandle: Self.userHandle)
        let verify = {
            try Self.relyingParty.verifyAuthentication(
                response, against: stored, challenge: vector.authenticationChallenge, requiresUserHandle: false)
        }
        if let problem = outcome.authentication {
            #expect(throws: problem) { _ = try verify() }
        } else {
            let verified = try verify()
            #expect(verified.signCount == 0)
            #expect(verified.isBackedUp == (vector.authenticationFlags & 0x10 != 0))
        }
    }

    @Test(arguments: SpecificationVector.all.filter { ![-35, -36, -53].contains($0.algorithm) })
    func `authenticator data and signature are read and verified`(vector: SpecificationVector) throws {
        let object = try AttestationObject(vector.attestationObject)
        #expect(object.format == vector.format)
        let registered = try AuthenticatorData(object.authenticatorData)
        #expect(registered.flags.rawValue == vector.registrationFlags)
        #expect(registered.relyingPartyIDHash == Array(SHA256.hash(data: Array("example.org".utf8))))
        let attested = try #require(registered.attestedCredential)
        #expect(attested.aaguid == vector.aaguid)
        #expect(attested.credentialID == vector.credentialID)
        #expect(attested.publicKey.algorithm.rawValue == vector.algorithm)
        #expect(try AuthenticatorData(vector.authenticatorData).flags.rawValue == vector.authenticationFlags)
        let message = vector.authenticatorData + SHA256.hash(data: vector.authenticationClientData)
        #expect(attested.publicKey.isValidSignature(vector.signature, for: message))
        #expect(!attested.publicKey.isValidSignature(vector.signature, for: message + [0]))
    }

    @Test func `the self attestation is a valid signature of the credential key`() throws {
        let vector = SpecificationVector.packedSelfEs256
        let object = try CBOR.decode(vector.attestationObject)
        guard case .bytes(let data)? = object["authData"], case .bytes(let signature)? = object["attStmt"]?["sig"],
            let key = try AuthenticatorData(data).attestedCredential?.publicKey
        else {
            Issue.record("the attestation object has another structure")
            return
        }
        #expect(key.isValidSignature(signature, for: data + SHA256.hash(data: vector.registrationClientData)))
    }
}
