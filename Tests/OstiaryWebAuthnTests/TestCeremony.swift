import OstiaryContracts
import OstiaryCore

import OstiaryWebAuthnFuzzing

@testable import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The values that both ceremonies of the tests share.
enum TestCeremony {
    static let relyingParty = RelyingParty(
        id: "example.com", origins: ["https://example.com", "https://www.example.com"])
    static let challenge: [UInt8] = Array(100..<132)
    static let userHandle: [UInt8] = Array(0..<32)

    static func clientData(_ type: String) -> JSON {
        [
            "type": .string(type), "challenge": .string(Base64URL.encode(challenge)), "origin": "https://example.com",
            "crossOrigin": false,
        ]
    }

    static func authenticatorData(_ id: String, _ flags: UInt8, _ signCount: UInt32, _ rest: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: Array(id.utf8))) + [flags]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: signCount >> $0) } + rest
    }
}

extension JSON {
    /// The object with another value of a member, which is appended if there is none; nil removes it.
    func with(_ name: String, _ value: JSON?) -> JSON {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.name == name }) {
            if let value { members[index].value = value } else { members.remove(at: index) }
        } else if let value {
            members.append(Member(name, value))
        }
        return .object(members)
    }

    /// The object with another value of a member of its member `response`.
    func withResponse(_ name: String, _ value: JSON?) -> JSON {
        with("response", self["response"]?.with(name, value))
    }
}

/// A registration in the making: every part can be changed before the response is assembled.
struct TestRegistration: Sendable {
    var credential = TestCredential.es256
    var clientData = TestCeremony.clientData("webauthn.create")
    var clientDataJSON: [UInt8]?
    var relyingPartyID = "example.com"
    var flags: UInt8 = 0x45
    var signCount: UInt32 = 0
    var aaguid = [UInt8](repeating: 9, count: 16)
    var attestedID: [UInt8]?
    var attestedIDLength: Int?
    var publicKey: [UInt8]?
    var extensions: [UInt8] = []
    var authenticatorData: [UInt8]?
    var format: CBOR = .text("none")
    var statement: CBOR = .map([])
    var attestationObject: [UInt8]?
    var change: @Sendable (JSON) -> JSON = { $0 }

    init(_ credential: TestCredential = .es256) { self.credential = credential }

    var authData: [UInt8] {
        let id = attestedID ?? credential.id
        let length = attestedIDLength ?? id.count
        let attested =
            flags & 0x40 == 0
            ? []
            : aaguid + [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + id
                + (publicKey ?? credential.publicKey.encoded)
        return authenticatorData
            ?? TestCeremony.authenticatorData(relyingPartyID, flags, signCount, attested + extensions)
    }

    var attestation: [UInt8] {
        attestationObject
            ?? CBOR.map([
                .init(.text("fmt"), format), .init(.text("attStmt"), statement),
                .init(.text("authData"), .bytes(authData)),
            ]).encoded
    }

    var json: JSON {
        let id = JSON.string(Base64URL.encode(credential.id))
        return change([
            "id": id, "rawId": id, "type": "public-key", "authenticatorAttachment": "platform",
            "response": [
                "clientDataJSON": .string(Base64URL.encode(clientDataJSON ?? clientData.bytes)),
                "attestationObject": .string(Base64URL.encode(attestation)), "transports": ["hybrid", "internal"],
                "publicKeyAlgorithm": -7,
            ],
            "clientExtensionResults": [:],
        ])
    }

    func verify() throws -> VerifiedRegistration {
        try TestCeremony.relyingParty.verifyRegistration(
            RegistrationResponse(parsing: json.bytes), challenge: TestCeremony.challenge)
    }
}

/// An authentication in the making: every part can be changed before the response is signed and assembled.
struct TestAuthentication: Sendable {
    var credential = TestCredential.es256
    var clientData = TestCeremony.clientData("webauthn.get")
    var clientDataJSON: [UInt8]?
    var relyingPartyID = "example.com"
    var flags: UInt8 = 0x05
    var signCount: UInt32 = 0
    var rest: [UInt8] = []
    var authenticatorData: [UInt8]?
    var signer: TestCredential?
    var signature: [UInt8]?
    var userHandle: [UInt8]? = TestCeremony.userHandle
    var stored: StoredCredential
    var allowed: [[UInt8]] = []
    var requiresUserHandle = true
    var change: @Sendable (JSON) -> JSON = { $0 }

    init(_ credential: TestCredential = .es256) {
        self.credential = credential
        stored = StoredCredential(
            credentialID: credential.id, publicKey: credential.publicKey.encoded, signCount: 0,
            isBackupEligible: false, userHandle: TestCeremony.userHandle)
    }

    var authData: [UInt8] {
        authenticatorData ?? TestCeremony.authenticatorData(relyingPartyID, flags, signCount, rest)
    }

    var clientDataBytes: [UInt8] { clientDataJSON ?? clientData.bytes }

    func signed() throws -> [UInt8] {
        try signature ?? (signer ?? credential).sign(authData + SHA256.hash(data: clientDataBytes))
    }

    func json() throws -> JSON {
        let id = JSON.string(Base64URL.encode(credential.id))
        let response: JSON = [
            "clientDataJSON": .string(Base64URL.encode(clientDataBytes)),
            "authenticatorData": .string(Base64URL.encode(authData)),
            "signature": .string(Base64URL.encode(try signed())),
        ]
        return change([
            "id": id, "rawId": id, "type": "public-key",
            "response": response.with("userHandle", userHandle.map { .string(Base64URL.encode($0)) }),
            "clientExtensionResults": ["appid": false],
        ])
    }

    func verify() throws -> VerifiedAuthentication {
        try TestCeremony.relyingParty.verifyAuthentication(
            AuthenticationResponse(parsing: json().bytes), against: stored, challenge: TestCeremony.challenge,
            allowedCredentialIDs: allowed, requiresUserHandle: requiresUserHandle)
    }
}
