import OstiaryContracts
import OstiaryCore
import OstiaryWebAuthnFuzzing
import Testing

@testable import OstiaryWebAuthn

@Suite struct RegistrationTests {
    @Test(arguments: TestCredential.all)
    func `a registration yields the credential record`(credential: TestCredential) throws {
        var registration = TestRegistration(credential)
        registration.flags = 0x5D
        registration.signCount = 0x8000_0001
        let verified = try registration.verify()
        #expect(verified.credentialID == credential.id)
        #expect(verified.publicKey == credential.publicKey.encoded)
        #expect(verified.algorithm == credential.algorithm)
        #expect(verified.signCount == 0x8000_0001)
        #expect(verified.transports == ["hybrid", "internal"])
        #expect(verified.isBackupEligible)
        #expect(verified.isBackedUp)
        #expect(verified.isUserVerified)
        #expect(verified.aaguid == registration.aaguid)
        #expect(verified.attestationFormat == "none")
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: WebAuthnProblem?
        let change: @Sendable (inout TestRegistration) -> Void

        init(
            _ name: String, _ problem: WebAuthnProblem?, _ change: @escaping @Sendable (inout TestRegistration) -> Void
        ) {
            testDescription = name
            self.problem = problem
            self.change = change
        }

        /// A change of the response's JSON.
        static func json(
            _ name: String, _ problem: WebAuthnProblem?, _ change: @escaping @Sendable (JSON) -> JSON
        ) -> Change { Change(name, problem) { $0.change = change } }

        /// A change of a member of the client data.
        static func client(_ name: String, _ member: String, _ value: JSON?, _ problem: WebAuthnProblem?) -> Change {
            Change(name, problem) { $0.clientData = $0.clientData.with(member, value) }
        }
    }

    private static let map = CBOR.map([.init(.text("credProtect"), .unsigned(3))])

    private static let accepted: [Change] = [
        Change("an origin that is second in the list", nil) {
            $0.clientData = $0.clientData.with("origin", "https://www.example.com")
        },
        .client("no crossOrigin", "crossOrigin", nil, nil),
        .client("unknown client data", "other_keys_can_be_added_here", ["a": 1], nil),
        Change("extensions", nil) {
            $0.flags |= 0x80
            $0.extensions = map.encoded
        },
        Change("reserved flags", nil) { $0.flags |= 0x22 },
        Change("another attestation format", nil) {
            $0.format = .text("packed")
            $0.statement = .map([.init(.text("alg"), .integer(-7)), .init(.text("sig"), .bytes([1]))])
        },
        Change("an unknown attestation format", nil) { $0.format = .text("com.example.attestation") },
        Change("a credential id of 1 byte", nil) {
            $0.attestedID = [7]
            $0.change = { $0.with("id", "Bw").with("rawId", "Bw") }
        },
        Change("a credential id of 1023 bytes", nil) {
            let id = [UInt8](repeating: 7, count: 1023)
            $0.attestedID = id
            $0.change = { $0.with("id", .string(Base64URL.encode(id))).with("rawId", .string(Base64URL.encode(id))) }
        },
        .json("no transports", nil) { $0.withResponse("transports", nil) },
        .json("unknown and repeated transports", nil) { $0.withResponse("transports", ["x", "x"]) },
        .json("no client extension results", nil) { $0.with("clientExtensionResults", nil) },
        .json("a null attachment", nil) { $0.with("authenticatorAttachment", .null) },
        .json("unknown members", nil) { $0.with("x", [1]).withResponse("y", .null) },
    ]

    @Test(arguments: accepted) func `accepts what the specification leaves open`(change: Change) throws {
        var registration = TestRegistration()
        change.change(&registration)
        #expect(try registration.verify().publicKey == TestCredential.es256.publicKey.encoded)
    }

    private static let clientData: [Change] = [
        .client("the other ceremony", "type", "webauthn.get", .ceremonyType),
        .client("payment", "type", "payment.get", .ceremonyType),
        .client("capitals", "type", "Webauthn.create", .ceremonyType),
        .client("a suffix", "type", "webauthn.create ", .ceremonyType),
        .client("no type", "type", nil, .ceremonyType),
        .client("a type that is not text", "type", ["webauthn.create"], .ceremonyType),
        .client("no challenge", "challenge", nil, .challenge),
        .client("an empty challenge", "challenge", "", .challenge),
        .client("a null challenge", "challenge", .null, .challenge),
        .client("another challenge", "challenge", .string(Base64URL.encode(Array(101..<133))), .challenge),
        .client("a shorter challenge", "challenge", .string(Base64URL.encode(Array(100..<131))), .challenge),
        .client("a longer challenge", "challenge", .string(Base64URL.encode(Array(100..<133))), .challenge),
        .client("padding", "challenge", .string(Base64URL.encode(TestCeremony.challenge) + "="), .challenge),
        .client("trailing bits", "challenge", "ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1-f4CBgoN", .challenge),
        .client("base64", "challenge", "ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7fH1+f4CBgoM", .challenge),
        .client("no origin", "origin", nil, .origin),
        .client("a null origin", "origin", "null", .origin),
        .client("http", "origin", "http://example.com", .origin),
        .client("a port", "origin", "https://example.com:443", .origin),
        .client("another port", "origin", "https://example.com:8443", .origin),
        .client("a slash", "origin", "https://example.com/", .origin),
        .client("capitals in the origin", "origin", "https://EXAMPLE.com", .origin),
        .client("a subdomain", "origin", "https://login.example.com", .origin),
        .client("a longer domain", "origin", "https://example.com.attacker.test", .origin),
        .client("a prefix", "origin", "https://notexample.com", .origin),
        .client("user information", "origin", "https://example.com@attacker.test", .origin),
        .client("a trailing dot", "origin", "https://example.com.", .origin),
        .client("NUL", "origin", "https://example.com\u{0}", .origin),
        .client("the RP ID", "origin", "example.com", .origin),
        .client("a look-alike", "origin", "https://ex\u{0430}mple.com", .origin),
        .client("an Android app", "origin", "android:apk-key-hash:AAAA", .origin),
        .client("a list of origins", "origin", ["https://example.com"], .origin),
        .client("a cross-origin frame", "crossOrigin", true, .crossOrigin),
        .client("crossOrigin null", "crossOrigin", .null, .crossOrigin),
        .client("crossOrigin 0", "crossOrigin", 0, .crossOrigin),
        .client("crossOrigin as text", "crossOrigin", "false", .crossOrigin),
        .client("a top-level origin", "topOrigin", "https://example.com", .topOrigin),
        .client("topOrigin null", "topOrigin", .null, .topOrigin),
        Change("an array", .clientData) { $0.clientData = [] },
        Change("text", .clientData) { $0.clientData = "webauthn.create" },
        Change("a byte order mark", .clientData) { $0.clientDataJSON = [0xEF, 0xBB, 0xBF] + $0.clientData.bytes },
        Change("UTF-16", .clientData) { $0.clientDataJSON = $0.clientData.bytes.flatMap { [$0, 0] } },
        Change("trailing content", .clientData) { $0.clientDataJSON = $0.clientData.bytes + [0x7D] },
        Change("a NUL at the end", .clientData) { $0.clientDataJSON = $0.clientData.bytes + [0] },
        Change("a duplicate challenge", .clientData) {
            $0.clientDataJSON = Array("{\"challenge\":\"\",".utf8) + $0.clientData.bytes.dropFirst()
        },
        Change("a duplicate origin by escape", .clientData) {
            $0.clientDataJSON = Array("{\"\\u006frigin\":\"\",".utf8) + $0.clientData.bytes.dropFirst()
        },
        Change("deep nesting", .clientData) {
            $0.clientDataJSON = [UInt8](repeating: 0x5B, count: 10_000)
        },
    ]

    private static let attestation: [Change] = [
        Change("an empty map", .attestationObject) { $0.attestationObject = [0xA0] },
        Change("an array", .attestationObject) { $0.attestationObject = [0x80] },
        Change("a byte at the end", .attestationCBOR(.trailingBytes)) { $0.attestationObject = $0.attestation + [0] },
        Change("two objects", .attestationCBOR(.trailingBytes)) {
            $0.attestationObject = $0.attestation + $0.attestation
        },
        Change("unsorted members", .attestationCBOR(.unsortedKeys)) {
            $0.attestationObject =
                CBOR.map([
                    .init(.text("authData"), .bytes($0.authData)), .init(.text("fmt"), .text("none")),
                    .init(.text("attStmt"), .map([])),
                ]).encoded
        },
        Change("a duplicate member", .attestationCBOR(.duplicateKey)) {
            $0.attestationObject =
                CBOR.map([
                    .init(.text("fmt"), .text("none")), .init(.text("attStmt"), .map([])),
                    .init(.text("authData"), .bytes($0.authData)), .init(.text("authData"), .bytes($0.authData)),
                ]).encoded
        },
        Change("an unknown member", .attestationObject) {
            $0.attestationObject =
                CBOR.map([
                    .init(.text("fmt"), .text("none")), .init(.text("epAtt"), .boolean(true)),
                    .init(.text("attStmt"), .map([])), .init(.text("authData"), .bytes($0.authData)),
                ]).encoded
        },
        Change("the integer keys of CTAP", .attestationObject) {
            $0.attestationObject =
                CBOR.map([
                    .init(.unsigned(1), .text("none")), .init(.unsigned(2), .bytes($0.authData)),
                    .init(.unsigned(3), .map([])),
                ]).encoded
        },
        Change("a map of indefinite length", .attestationCBOR(.indefiniteLength)) {
            $0.attestationObject = [0xBF] + $0.attestation.dropFirst() + [0xFF]
        },
        Change("a tag", .attestationCBOR(.tag)) { $0.attestationObject = [0xD9, 0xD9, 0xF7] + $0.attestation },
        Change("a format that is not text", .attestationObject) { $0.format = .bytes(Array("none".utf8)) },
        Change("an empty format", .attestationFormat) { $0.format = .text("") },
        Change("a format of 33 bytes", .attestationFormat) { $0.format = .text(String(repeating: "a", count: 33)) },
        Change("a format with a quote", .attestationFormat) { $0.format = .text("no\"ne") },
        Change("a format with a line break", .attestationFormat) { $0.format = .text("none\n") },
        Change("a format with other letters", .attestationFormat) { $0.format = .text("nöne") },
        Change("no attestation with a statement", .attestationStatement) {
            $0.statement = .map([.init(.text("alg"), .integer(-7))])
        },
        Change("a statement that is no map", .attestationStatement) { $0.statement = .array([]) },
        Change("a null statement", .attestationStatement) { $0.statement = .null },
        Change("a statement that nests too deep", .attestationCBOR(.tooDeep)) {
            $0.format = .text("packed")
            $0.statement = (0..<8).reduce(CBOR.null) { value, _ in .map([.init(.text("x"), value)]) }
        },
        Change("a statement with a float", .attestationCBOR(.float)) {
            $0.attestationObject = hex("a363666d74667061636b65646761747453746d74a16178f9000068617574684461746140")
        },
    ]

    private static let authenticatorData: [Change] = [
        Change("36 bytes", .authenticatorData) { $0.authenticatorData = Array($0.authData.prefix(36)) },
        Change("one byte", .authenticatorData) { $0.authenticatorData = [0] },
        Change("no bytes", .authenticatorData) { $0.authenticatorData = [] },
        Change("a byte at the end", .authenticatorData) { $0.extensions = [0] },
        Change("extensions without ED", .authenticatorData) { $0.extensions = map.encoded },
        Change("ED without extensions", .extensions) { $0.flags |= 0x80 },
        Change("extensions that are an array", .extensions) {
            $0.flags |= 0x80
            $0.extensions = [0x80]
        },
        Change("extensions that are not canonical", .extensions) {
            $0.flags |= 0x80
            $0.extensions = [0xB8, 0x00]
        },
        Change("extensions of indefinite length", .extensions) {
            $0.flags |= 0x80
            $0.extensions = [0xBF, 0xFF]
        },
        Change("a byte after the extensions", .authenticatorData) {
            $0.flags |= 0x80
            $0.extensions = map.encoded + [0]
        },
        Change("two maps of extensions", .authenticatorData) {
            $0.flags |= 0x80
            $0.extensions = [0xA0, 0xA0]
        },
        Change("an RP ID of another domain", .relyingPartyID) { $0.relyingPartyID = "attacker.test" },
        Change("an RP ID of a subdomain", .relyingPartyID) { $0.relyingPartyID = "www.example.com" },
        Change("an RP ID of a parent domain", .relyingPartyID) { $0.relyingPartyID = "com" },
        Change("an RP ID in capitals", .relyingPartyID) { $0.relyingPartyID = "EXAMPLE.COM" },
        Change("an RP ID that is the origin", .relyingPartyID) { $0.relyingPartyID = "https://example.com" },
        Change("an empty RP ID", .relyingPartyID) { $0.relyingPartyID = "" },
        Change("no user presence", .userPresence) { $0.flags = 0x44 },
        Change("no user verification", .userVerification) { $0.flags = 0x41 },
        Change("neither presence nor verification", .userPresence) { $0.flags = 0x40 },
        Change("BS without BE", .backupState) { $0.flags = 0x55 },
        Change("no attested credential", .attestedCredentialData) { $0.flags = 0x05 },
        Change("an attested credential without AT", .authenticatorData) {
            $0.authenticatorData = TestCeremony.authenticatorData(
                "example.com", 0x05, 0, Array($0.authData.dropFirst(37)))
        },
        Change("AT without a credential", .authenticatorData) {
            $0.authenticatorData = TestCeremony.authenticatorData("example.com", 0x45, 0, [])
        },
        Change("an empty credential id", .credentialIDLength) { $0.attestedID = [] },
        Change("a credential id of 1024 bytes", .credentialIDLength) {
            $0.attestedID = [UInt8](repeating: 1, count: 1024)
        },
        Change("a credential id of 65535 bytes", .credentialIDLength) { $0.attestedIDLength = 65_535 },
        Change("a credential id beyond the end", .authenticatorData) { $0.attestedIDLength = 1023 },
        Change("a credential id that is another one", .credentialID) { $0.attestedID = TestCredential.other.id },
        Change("a credential id with a byte more", .credentialID) { $0.attestedID = $0.credential.id + [0] },
        Change("no public key", .publicKey(.cbor(.truncated))) { $0.publicKey = [] },
        Change("a public key that is a map in another encoding", .publicKey(.cbor(.indefiniteLength))) {
            $0.publicKey = [0xBF] + $0.credential.publicKey.encoded.dropFirst() + [0xFF]
        },
        Change("a public key off the curve", .publicKey(.point)) {
            $0.publicKey = $0.credential.publicKey.replacing(-3, .bytes([UInt8](repeating: 1, count: 32))).encoded
        },
        Change("a public key of another algorithm", .publicKey(.algorithm)) {
            $0.publicKey = $0.credential.publicKey.replacing(3, .integer(-35)).encoded
        },
        Change("a public key that is followed by a byte", .authenticatorData) {
            $0.publicKey = $0.credential.publicKey.encoded + [0]
        },
    ]

    private static let response: [Change] = [
        .json("an array", .malformedMember(.id)) { _ in [] },
        .json("text", .malformedMember(.id)) { _ in "credential" },
        .json("no id", .malformedMember(.id)) { $0.with("id", nil) },
        .json("an id that is a number", .malformedMember(.id)) { $0.with("id", 7) },
        .json("no rawId", .malformedMember(.rawID)) { $0.with("rawId", nil) },
        .json("an id other than rawId", .identifierMismatch) { $0.with("id", "AAAA") },
        .json("an id that differs in padding", .identifierMismatch) { json in
            guard case .string(let id)? = json["id"] else { return json }
            return json.with("id", .string(id + "="))
        },
        .json("an empty id", .malformedMember(.rawID)) { $0.with("id", "").with("rawId", "") },
        .json("an id in base64", .malformedMember(.rawID)) { $0.with("id", "+/==").with("rawId", "+/==") },
        .json("an id with trailing bits", .malformedMember(.rawID)) { $0.with("id", "Bx").with("rawId", "Bx") },
        .json("an id of 1024 bytes", .malformedMember(.rawID)) {
            let id = JSON.string(Base64URL.encode([UInt8](repeating: 1, count: 1024)))
            return $0.with("id", id).with("rawId", id)
        },
        .json("an id of another credential", .credentialID) {
            let id = JSON.string(Base64URL.encode(TestCredential.other.id))
            return $0.with("id", id).with("rawId", id)
        },
        .json("no type", .credentialType) { $0.with("type", nil) },
        .json("another type", .credentialType) { $0.with("type", "password") },
        .json("a type in capitals", .credentialType) { $0.with("type", "Public-Key") },
        .json("client extension results that are text", .malformedMember(.clientExtensionResults)) {
            $0.with("clientExtensionResults", "")
        },
        .json("no response", .malformedMember(.response)) { $0.with("response", nil) },
        .json("a response that is an array", .malformedMember(.response)) { $0.with("response", []) },
        .json("no client data", .malformedMember(.clientDataJSON)) { $0.withResponse("clientDataJSON", nil) },
        .json("client data as an object", .malformedMember(.clientDataJSON)) {
            $0.withResponse("clientDataJSON", ["type": "webauthn.create"])
        },
        .json("empty client data", .malformedMember(.clientDataJSON)) { $0.withResponse("clientDataJSON", "") },
        .json("client data of 16 KiB and a byte", .malformedMember(.clientDataJSON)) {
            $0.withResponse("clientDataJSON", .string(Base64URL.encode([UInt8](repeating: 32, count: 16_385))))
        },
        .json("no attestation object", .malformedMember(.attestationObject)) {
            $0.withResponse("attestationObject", nil)
        },
        .json("an attestation object with padding", .malformedMember(.attestationObject)) {
            $0.withResponse("attestationObject", "oA==")
        },
        .json("an attestation object with a line break", .malformedMember(.attestationObject)) {
            $0.withResponse("attestationObject", "o\nA")
        },
        .json("an attestation object of 64 KiB and a byte", .malformedMember(.attestationObject)) {
            $0.withResponse("attestationObject", .string(Base64URL.encode([UInt8](repeating: 0, count: 65_537))))
        },
        .json("an assertion", .malformedMember(.attestationObject)) {
            $0.withResponse("attestationObject", nil).withResponse("signature", "AA")
        },
        .json("transports as text", .malformedMember(.transports)) { $0.withResponse("transports", "usb") },
        .json("transports that are numbers", .malformedMember(.transports)) { $0.withResponse("transports", [1]) },
        .json("an empty transport", .malformedMember(.transports)) { $0.withResponse("transports", [""]) },
        .json("a transport of 33 bytes", .malformedMember(.transports)) {
            $0.withResponse("transports", [.string(String(repeating: "a", count: 33))])
        },
        .json("17 transports", .malformedMember(.transports)) {
            $0.withResponse("transports", .array([JSON](repeating: "usb", count: 17)))
        },
    ]

    @Test(arguments: clientData) func `refuses client data of another ceremony`(change: Change) {
        expectProblem(change)
    }

    @Test(arguments: attestation) func `refuses other attestation objects`(change: Change) { expectProblem(change) }

    @Test(arguments: authenticatorData) func `refuses other authenticator data`(change: Change) {
        expectProblem(change)
    }

    @Test(arguments: response) func `refuses other responses`(change: Change) { expectProblem(change) }

    private func expectProblem(_ change: Change) {
        var registration = TestRegistration()
        change.change(&registration)
        let changed = registration
        #expect { try changed.verify() } throws: { $0 as? WebAuthnProblem == change.problem }
    }

    @Test func `refuses an algorithm that was not offered`() throws {
        let response = try RegistrationResponse(TestRegistration(.edDSA).json)
        #expect(throws: WebAuthnProblem.algorithm) {
            try TestCeremony.relyingParty.verifyRegistration(
                response, challenge: TestCeremony.challenge, algorithms: [.es256, .rs256])
        }
    }

    @Test(arguments: [0, 1, 15])
    func `refuses to verify against a challenge of less than 16 bytes`(count: Int) throws {
        let challenge = [UInt8](repeating: 1, count: count)
        var registration = TestRegistration()
        registration.clientData = registration.clientData.with("challenge", .string(Base64URL.encode(challenge)))
        let response = try RegistrationResponse(registration.json)
        #expect(throws: WebAuthnProblem.challenge) {
            try TestCeremony.relyingParty.verifyRegistration(response, challenge: challenge)
        }
    }

    @Test func `refuses every origin if none is configured`() throws {
        let response = try RegistrationResponse(TestRegistration().json)
        #expect(throws: WebAuthnProblem.origin) {
            try RelyingParty(id: "example.com", origins: [])
                .verifyRegistration(response, challenge: TestCeremony.challenge)
        }
    }

    @Test(arguments: TestCredential.all)
    func `refuses a registration that is truncated at any byte`(credential: TestCredential) throws {
        var whole = TestRegistration(credential)
        whole.flags |= 0x80
        whole.extensions = Self.map.encoded
        #expect(throws: Never.self) { try whole.verify() }
        let text = whole.json.bytes
        for count in text.indices {
            #expect(throws: WebAuthnProblem.malformedJSON) {
                try RegistrationResponse(parsing: Array(text[..<count]))
            }
        }
        let (authenticatorData, attestation, clientData) = (whole.authData, whole.attestation, whole.clientData.bytes)
        for count in authenticatorData.indices {
            var part = whole
            part.authenticatorData = Array(authenticatorData[..<count])
            #expect(throws: WebAuthnProblem.self) { try part.verify() }
        }
        for count in attestation.indices.dropFirst() {
            var part = whole
            part.attestationObject = Array(attestation[..<count])
            #expect(throws: WebAuthnProblem.attestationCBOR(.truncated)) { try part.verify() }
        }
        for count in clientData.indices.dropFirst() {
            var part = whole
            part.clientDataJSON = Array(clientData[..<count])
            #expect(throws: WebAuthnProblem.clientData) { try part.verify() }
        }
    }

    @Test func `2,000 random changes of a registration never trap`() {
        var random = SeededGenerator(seed: 7_1)
        for round in 0..<2_000 {
            var registration = TestRegistration(TestCredential.all[round % TestCredential.all.count])
            switch round % 4 {
            case 0: registration.authenticatorData = random.mutate(registration.authData)
            case 1: registration.attestationObject = random.mutate(registration.attestation)
            case 2: registration.clientDataJSON = random.mutate(registration.clientData.bytes)
            default:
                let bytes = random.mutate(registration.json.bytes)
                _ = try? TestCeremony.relyingParty.verifyRegistration(
                    RegistrationResponse(parsing: bytes), challenge: TestCeremony.challenge)
                continue
            }
            // A statement of no attestation signs nothing, so some changes are accepted, but none of what is verified.
            guard let verified = try? registration.verify() else { continue }
            #expect(verified.credentialID == registration.credential.id)
            #expect(verified.isUserVerified)
        }
    }
}
