import OstiaryContracts
import OstiaryCore
import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// Gives arbitrary bytes to the readers of WebAuthn, and checks what must hold for every input.
///
/// The first byte selects the reader. A fuzzer would hardly find base64url of CBOR in JSON, or a hash and a signature, so that
/// some readers get the rest of the input within a response that is otherwise right.
package enum WebAuthnFuzzing {
    /// The readers, by the first byte of an input.
    package enum Reader: UInt8, CaseIterable {
        case cbor, cborPrefix, coseKey, authenticatorData, registrationJSON, authenticationJSON, clientData
        case attestationObject, attestedCredential, registrationClientData, assertionData, storedKey
        case certificate, appAttestation, appAssertion, appAuthenticatorData
    }

    private static let relyingParty = RelyingParty(id: "example.com", origins: ["https://example.com"])
    private static let challenge: [UInt8] = Array(100..<132)
    private static let userHandle: [UInt8] = Array(0..<32)
    private static let credentialID: [UInt8] = Array(1...16)

    /// Reads an input.
    ///
    /// - Returns: The property that does not hold for it; nil if all hold. A trap is the other kind of finding.
    package static func problem(with input: [UInt8]) -> String? {
        guard let first = input.first else { return nil }
        let rest = Array(input.dropFirst())
        switch Reader.allCases[Int(first) % Reader.allCases.count] {
        case .cbor: return cbor(rest)
        case .cborPrefix: return cborPrefix(rest)
        case .coseKey: return coseKey(rest)
        case .authenticatorData: return authenticatorData(rest)
        case .registrationJSON: return registration(rest)
        case .authenticationJSON: return authentication(rest)
        case .clientData: return clientData(rest)
        case .attestationObject: return registration(registrationJSON(clientDataJSON("webauthn.create"), rest))
        case .attestedCredential: return attestedCredential(rest)
        case .registrationClientData: return registration(registrationJSON(rest, noneAttestation(of: header + rest)))
        case .assertionData: return assertion(rest)
        case .storedKey: return storedKey(rest)
        case .certificate: return certificate(rest)
        case .appAttestation: return appAttestation(rest)
        case .appAssertion: return appAssertion(rest)
        case .appAuthenticatorData: return appAuthenticatorData(rest)
        }
    }

    // MARK: Readers

    private static func cbor(_ bytes: [UInt8]) -> String? {
        guard let value = try? CBOR.decode(bytes) else { return nil }
        return value.encoded == bytes ? nil : "a value is accepted in more than one encoding"
    }

    private static func cborPrefix(_ bytes: [UInt8]) -> String? {
        guard let (value, length) = try? CBOR.decodePrefix(of: bytes[...]) else { return nil }
        guard (1...bytes.count).contains(length) else { return "the length of a value is outside of the input" }
        return value.encoded == Array(bytes.prefix(length)) ? nil : "a value is accepted in more than one encoding"
    }

    private static func coseKey(_ bytes: [UInt8]) -> String? {
        guard let key = try? COSEKey(bytes) else { return nil }
        guard let value = try? CBOR.decode(bytes), (try? CBOR.decode(value.encoded)) != nil else {
            return "a key is accepted that is no CBOR"
        }
        return key.isValidSignature(bytes, for: userHandle) ? "a key accepts itself as a signature" : nil
    }

    private static func authenticatorData(_ bytes: [UInt8]) -> String? {
        guard let data = try? AuthenticatorData(bytes) else { return nil }
        if data.flags.contains(.backedUp), !data.flags.contains(.backupEligible) {
            return "BS is accepted without BE"
        }
        guard data.flags.contains(.attestedCredentialData) == (data.attestedCredential != nil) else {
            return "AT and the attested credential differ"
        }
        return (try? AuthenticatorData(bytes + [0])) == nil ? nil : "a trailing byte is accepted"
    }

    private static func clientData(_ bytes: [UInt8]) -> String? {
        guard let challenge = try? RelyingParty.challenge(in: bytes) else { return nil }
        return Base64URL.decode(challenge.base64URL.utf8) == challenge ? nil : "a challenge has two spellings"
    }

    /// Reads and verifies a registration.
    private static func registration(_ json: [UInt8]) -> String? {
        guard let response = try? RegistrationResponse(parsing: json) else { return nil }
        guard let verified = try? relyingParty.verifyRegistration(response, challenge: challenge) else { return nil }
        guard verified.isUserVerified else { return "a registration without user verification is accepted" }
        guard verified.credentialID == response.credentialID, (try? COSEKey(verified.publicKey)) != nil else {
            return "a registration is accepted whose key or id cannot be used"
        }
        return nil
    }

    /// Reads and verifies an authentication. The signature of none is right.
    private static func authentication(_ json: [UInt8]) -> String? {
        guard let response = try? AuthenticationResponse(parsing: json) else { return nil }
        let stored = StoredCredential(
            credentialID: response.credentialID, publicKey: publicKey, signCount: 0, isBackupEligible: false,
            userHandle: userHandle)
        let verified = try? relyingParty.verifyAuthentication(
            response, against: stored, challenge: challenge, requiresUserHandle: false)
        return verified == nil ? nil : "an authentication is accepted without the private key"
    }

    /// Reads attested credential data in authenticator data whose header is right.
    private static func attestedCredential(_ bytes: [UInt8]) -> String? {
        registration(registrationJSON(clientDataJSON("webauthn.create"), noneAttestation(of: header + bytes)))
    }

    /// Verifies authenticator data under a right signature.
    private static func assertion(_ bytes: [UInt8]) -> String? {
        let client = clientDataJSON("webauthn.get")
        let hash = Array(SHA256.hash(data: client))
        guard let key, let signature = try? key.signature(for: SHA256.hash(data: bytes + hash)) else { return nil }
        let stored = StoredCredential(
            credentialID: credentialID, publicKey: publicKey, signCount: 7, isBackupEligible: false,
            userHandle: userHandle)
        let json = authenticationJSON(client, bytes, der(Array(signature.rawRepresentation)))
        guard let response = try? AuthenticationResponse(parsing: json) else { return nil }
        guard
            let verified = try? relyingParty.verifyAuthentication(
                response, against: stored, challenge: challenge, requiresUserHandle: true)
        else { return nil }
        guard bytes.starts(with: relyingPartyHash), bytes.count >= 37, bytes[32] & 0x05 == 0x05 else {
            return "an authentication is accepted of another RP ID, or without user verification"
        }
        return verified.signCount > 7 ? nil : "a signature counter is accepted that did not increase"
    }

    /// Verifies an authentication against a stored key of any bytes.
    private static func storedKey(_ bytes: [UInt8]) -> String? {
        let data = relyingPartyHash + [0x05, 0, 0, 0, 0]
        let json = authenticationJSON(clientDataJSON("webauthn.get"), data, Array(bytes.prefix(72)) + [0])
        guard let response = try? AuthenticationResponse(parsing: json) else { return nil }
        let stored = StoredCredential(
            credentialID: credentialID, publicKey: bytes, signCount: 0, isBackupEligible: false, userHandle: userHandle)
        let verified = try? relyingParty.verifyAuthentication(
            response, against: stored, challenge: challenge, requiresUserHandle: true)
        return verified == nil ? nil : "a part of a key is accepted as a signature"
    }

    // MARK: Right parts

    /// Returns the two integers of an ECDSA signature in DER. Source: RFC 3279 §2.2.3.
    private static func der(_ raw: [UInt8]) -> [UInt8] {
        let integers = [raw.prefix(32), raw.suffix(32)].flatMap { half -> [UInt8] in
            let digits = Array(half.drop { $0 == 0 })
            let integer = (digits.first ?? 0x80) & 0x80 == 0 ? digits : [0] + digits
            return [0x02, UInt8(integer.count)] + integer
        }
        return [0x30, UInt8(integers.count)] + integers
    }

    /// The private key 1, whose public key is the generator of P-256.
    static let key = try? P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 0, count: 31) + [1])

    private static let publicKey: [UInt8] = {
        let point = (key?.publicKey.rawRepresentation).map { Array($0) } ?? []
        return CBOR.map([
            .init(.integer(1), .integer(2)), .init(.integer(3), .integer(-7)), .init(.integer(-1), .integer(1)),
            .init(.integer(-2), .bytes(Array(point.prefix(32)))), .init(.integer(-3), .bytes(Array(point.suffix(32)))),
        ]).encoded
    }()

    private static let relyingPartyHash = Array(SHA256.hash(data: Array("example.com".utf8)))
    /// Authenticator data up to the attested credential data, with the flags UP, UV and AT.
    private static let header = relyingPartyHash + [0x45, 0, 0, 0, 0]

    private static func clientDataJSON(_ type: String) -> [UInt8] {
        (["type": .string(type), "challenge": .string(challenge.base64URL), "origin": "https://example.com"] as JSON)
            .bytes
    }

    private static func noneAttestation(of data: [UInt8]) -> [UInt8] {
        CBOR.map([
            .init(.text("fmt"), .text("none")), .init(.text("attStmt"), .map([])),
            .init(.text("authData"), .bytes(data)),
        ]).encoded
    }

    private static func registrationJSON(_ clientData: [UInt8], _ attestation: [UInt8]) -> [UInt8] {
        credentialJSON([
            "clientDataJSON": .string(clientData.base64URL), "attestationObject": .string(attestation.base64URL),
        ])
    }

    private static func authenticationJSON(
        _ clientData: [UInt8], _ data: [UInt8], _ signature: [UInt8]
    ) -> [UInt8] {
        credentialJSON([
            "clientDataJSON": .string(clientData.base64URL), "authenticatorData": .string(data.base64URL),
            "signature": .string(signature.base64URL), "userHandle": .string(userHandle.base64URL),
        ])
    }

    private static func credentialJSON(_ response: JSON) -> [UInt8] {
        let id = JSON.string(credentialID.base64URL)
        return (["id": id, "rawId": id, "type": "public-key", "response": response] as JSON).bytes
    }
}

extension [UInt8] {
    fileprivate var base64URL: String { Base64URL.encode(self) }
}
