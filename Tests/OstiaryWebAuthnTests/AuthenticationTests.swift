import OstiaryContracts
import OstiaryCore
import OstiaryWebAuthnFuzzing
import Testing

@testable import OstiaryWebAuthn

@Suite struct AuthenticationTests {
    @Test(arguments: TestCredential.all)
    func `a registered credential authenticates`(credential: TestCredential) throws {
        var registration = TestRegistration(credential)
        registration.flags = 0x4D
        let registered = try registration.verify()
        var authentication = TestAuthentication(credential)
        authentication.stored = StoredCredential(
            credentialID: registered.credentialID, publicKey: registered.publicKey, signCount: registered.signCount,
            isBackupEligible: registered.isBackupEligible, userHandle: TestCeremony.userHandle)
        authentication.flags = 0x1D
        authentication.signCount = 1
        let verified = try authentication.verify()
        #expect(verified.signCount == 1)
        #expect(verified.isBackedUp)
        #expect(verified.isUserVerified)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let problem: WebAuthnProblem?
        let change: @Sendable (inout TestAuthentication) -> Void

        init(
            _ name: String, _ problem: WebAuthnProblem?,
            _ change: @escaping @Sendable (inout TestAuthentication) -> Void
        ) {
            testDescription = name
            self.problem = problem
            self.change = change
        }

        /// Signature counters: the stored and the presented one.
        static func counter(_ stored: UInt32, _ presented: UInt32, _ problem: WebAuthnProblem?) -> Change {
            Change("\(presented) after \(stored)", problem) {
                $0.stored.signCount = stored
                $0.signCount = presented
            }
        }
    }

    private static let accepted: [Change] = [
        Change("no user handle where the account is known", nil) {
            $0.userHandle = nil
            $0.requiresUserHandle = false
        },
        Change("a null user handle where the account is known", nil) {
            $0.userHandle = nil
            $0.requiresUserHandle = false
            $0.change = { $0.withResponse("userHandle", .null) }
        },
        Change("a user handle where the account is known", nil) { $0.requiresUserHandle = false },
        Change("an allowed credential", nil) { $0.allowed = [TestCredential.other.id, TestCredential.es256.id] },
        Change("extensions", nil) {
            $0.flags |= 0x80
            $0.rest = [0xA0]
        },
        Change("reserved flags", nil) { $0.flags |= 0x22 },
        .counter(0, 0, nil), .counter(0, 1, nil), .counter(1, 2, nil), .counter(1, .max, nil),
        .counter(.max - 1, .max, nil), .counter(0x7FFF_FFFF, 0x8000_0000, nil), .counter(0, .max, nil),
    ]

    @Test(arguments: accepted) func `accepts what the specification leaves open`(change: Change) throws {
        var authentication = TestAuthentication()
        change.change(&authentication)
        #expect(try authentication.verify().signCount == authentication.signCount)
    }

    private static let refused: [Change] = [
        // §7.2 step 5 and 6.
        Change("a credential that is not allowed", .credentialNotAllowed) { $0.allowed = [TestCredential.other.id] },
        Change("another stored credential", .credentialID) { $0.stored.credentialID = TestCredential.other.id },
        Change("the user handle of another account", .userHandle) { $0.userHandle = Array(1..<33) },
        Change("a shorter user handle", .userHandle) { $0.userHandle = Array(0..<31) },
        Change("a longer user handle", .userHandle) { $0.userHandle = Array(0..<33) },
        Change("the user handle of another account where the account is known", .userHandle) {
            $0.userHandle = Array(1..<33)
            $0.requiresUserHandle = false
        },
        Change("no user handle", .userHandleMissing) { $0.userHandle = nil },
        Change("a null user handle", .userHandleMissing) {
            $0.change = { $0.withResponse("userHandle", .null) }
        },
        // Steps 8 to 14.
        Change("the other ceremony", .ceremonyType) { $0.clientData = $0.clientData.with("type", "webauthn.create") },
        Change("another challenge", .challenge) {
            $0.clientData = $0.clientData.with("challenge", .string(Base64URL.encode(Array(101..<133))))
        },
        Change("another origin", .origin) { $0.clientData = $0.clientData.with("origin", "https://attacker.test") },
        Change("a cross-origin frame", .crossOrigin) { $0.clientData = $0.clientData.with("crossOrigin", true) },
        Change("a top-level origin", .topOrigin) {
            $0.clientData = $0.clientData.with("topOrigin", "https://example.com")
        },
        Change("client data that is not JSON", .clientData) { $0.clientDataJSON = [0x7B] },
        // Steps 15 to 19.
        Change("another RP ID", .relyingPartyID) { $0.relyingPartyID = "attacker.test" },
        Change("no user presence", .userPresence) { $0.flags = 0x04 },
        Change("no user verification", .userVerification) { $0.flags = 0x01 },
        Change("BS without BE", .backupState) { $0.flags = 0x15 },
        Change("a credential that became eligible for backup", .backupEligibility) { $0.flags = 0x0D },
        Change("a credential that is backed up without being eligible at registration", .backupEligibility) {
            $0.flags = 0x1D
        },
        Change("a credential that is no longer eligible for backup", .backupEligibility) {
            $0.stored.isBackupEligible = true
        },
        Change("attested credential data", .attestedCredentialData) {
            $0.flags = 0x45
            $0.rest = Array(TestRegistration().authData.dropFirst(37))
        },
        Change("AT without a credential", .authenticatorData) { $0.flags = 0x45 },
        Change("ED without extensions", .extensions) { $0.flags = 0x85 },
        Change("extensions that are not a map", .extensions) {
            $0.flags = 0x85
            $0.rest = [0x00]
        },
        Change("a byte at the end", .authenticatorData) { $0.rest = [0x00] },
        Change("36 bytes", .authenticatorData) { $0.authenticatorData = Array($0.authData.dropLast()) },
        // Step 21.
        Change("the signature of another credential", .signature) { $0.signer = .other },
        Change("the signature of another algorithm", .signature) { $0.signer = .edDSA },
        Change("another stored key", .signature) { $0.stored.publicKey = TestCredential.other.publicKey.encoded },
        Change("a stored key of another algorithm", .signature) {
            $0.stored.publicKey = TestCredential.edDSA.publicKey.encoded
        },
        Change("no stored key", .storedPublicKey) { $0.stored.publicKey = [] },
        Change("a stored key that cannot be read", .storedPublicKey) { $0.stored.publicKey.append(0) },
        Change("a signature of zeros", .signature) { $0.signature = [UInt8](repeating: 0, count: 70) },
        Change("a signature of r = s = 0", .signature) { $0.signature = hex("3006020100020100") },
        Change("a signature of the authenticator data alone", .signature) {
            $0.signature = try? $0.credential.sign($0.authData)
        },
        Change("a signature of the client data unhashed", .signature) {
            $0.signature = try? $0.credential.sign($0.authData + $0.clientDataBytes)
        },
        Change("a signature of other client data", .signature) {
            $0.signature = try? $0.signed()
            $0.clientData = $0.clientData.with("x", 1)
        },
        Change("a signature of other flags", .signature) {
            $0.signature = try? $0.signed()
            $0.flags |= 0x02
        },
        Change("a signature of another counter", .signature) {
            $0.signature = try? $0.signed()
            $0.signCount = 9
        },
        // Step 22.
        .counter(1, 0, .signatureCounter), .counter(1, 1, .signatureCounter), .counter(2, 1, .signatureCounter),
        .counter(.max, .max, .signatureCounter), .counter(.max, 0, .signatureCounter),
        .counter(.max, 1, .signatureCounter), .counter(0x8000_0000, 0x7FFF_FFFF, .signatureCounter),
        Change("a counter of an invalid signature", .signature) {
            $0.stored.signCount = 5
            $0.signCount = 1
            $0.signer = .other
        },
        // The response.
        Change("no signature", .malformedMember(.signature)) { $0.change = { $0.withResponse("signature", nil) } },
        Change("an empty signature", .malformedMember(.signature)) { $0.change = { $0.withResponse("signature", "") } },
        Change("a signature of 1025 bytes", .malformedMember(.signature)) {
            $0.signature = [UInt8](repeating: 1, count: 1025)
        },
        Change("no authenticator data", .malformedMember(.authenticatorData)) {
            $0.change = { $0.withResponse("authenticatorData", nil) }
        },
        Change("authenticator data with padding", .malformedMember(.authenticatorData)) {
            $0.change = { $0.withResponse("authenticatorData", "AA==") }
        },
        Change("no client data", .malformedMember(.clientDataJSON)) {
            $0.change = { $0.withResponse("clientDataJSON", nil) }
        },
        Change("an empty user handle", .malformedMember(.userHandle)) { $0.userHandle = [] },
        Change("a user handle of 65 bytes", .malformedMember(.userHandle)) {
            $0.userHandle = [UInt8](repeating: 1, count: 65)
        },
        Change("a user handle that is a number", .malformedMember(.userHandle)) {
            $0.change = { $0.withResponse("userHandle", 1) }
        },
        Change("an id other than rawId", .identifierMismatch) { $0.change = { $0.with("rawId", "AAAA") } },
        Change("another type", .credentialType) { $0.change = { $0.with("type", "otp") } },
        Change("a registration", .malformedMember(.authenticatorData)) {
            $0.change = { _ in TestRegistration().json }
        },
    ]

    @Test(arguments: refused) func `refuses what any step of the specification refuses`(change: Change) {
        var authentication = TestAuthentication()
        change.change(&authentication)
        let changed = authentication
        #expect { try changed.verify() } throws: { $0 as? WebAuthnProblem == change.problem }
    }

    @Test func `refuses the credential of one account for another`() throws {
        // Both accounts have a credential; each signs in with its own only, whichever part is swapped.
        var swapped = TestAuthentication(.other)
        swapped.stored.userHandle = Array(32..<64)
        #expect(throws: WebAuthnProblem.userHandle) { try swapped.verify() }
        swapped.userHandle = Array(32..<64)
        #expect(throws: Never.self) { try swapped.verify() }
        swapped.stored.credentialID = TestCredential.es256.id
        #expect(throws: WebAuthnProblem.credentialID) { try swapped.verify() }
        swapped.stored = TestAuthentication().stored
        swapped.stored.credentialID = TestCredential.other.id
        swapped.userHandle = TestCeremony.userHandle
        #expect(throws: WebAuthnProblem.signature) { try swapped.verify() }
    }

    @Test(arguments: TestCredential.all)
    func `refuses an authentication that is truncated at any byte`(credential: TestCredential) throws {
        var whole = TestAuthentication(credential)
        whole.flags |= 0x80
        whole.rest = hex("a16b6372656450726f7465637403")
        // Every part is the same in every round: an ES256 signature is not deterministic.
        whole.signature = try whole.signed()
        let signature = try whole.signed()
        #expect(throws: Never.self) { try whole.verify() }
        let text = try whole.json().bytes
        for count in text.indices {
            #expect(throws: WebAuthnProblem.malformedJSON) {
                try AuthenticationResponse(parsing: Array(text[..<count]))
            }
        }
        let (authenticatorData, clientData) = (whole.authData, whole.clientDataBytes)
        for count in authenticatorData.indices {
            var part = whole
            part.authenticatorData = Array(authenticatorData[..<count])
            #expect(throws: WebAuthnProblem.self) { try part.verify() }
            // Signed by the credential, too, the truncated data is refused before the signature.
            part.signature = nil
            #expect { try part.verify() } throws: { $0 as? WebAuthnProblem != .signature }
        }
        for count in clientData.indices.dropFirst() {
            var part = whole
            part.clientDataJSON = Array(clientData[..<count])
            #expect(throws: WebAuthnProblem.clientData) { try part.verify() }
        }
        for count in signature.indices.dropFirst() {
            var part = whole
            part.signature = Array(signature[..<count])
            #expect(throws: WebAuthnProblem.signature) { try part.verify() }
        }
    }

    @Test func `2,000 random changes of an authentication never trap, and those of signed bytes are refused`() throws {
        let originals = try TestCredential.all.map {
            var original = TestAuthentication($0)
            original.stored.signCount = 6
            original.signCount = 7
            original.signature = try original.signed()
            return original
        }
        var random = SeededGenerator(seed: 7_2)
        for round in 0..<2_000 {
            let original = originals[round % originals.count]
            var changed = original
            switch round % 4 {
            case 0: changed.authenticatorData = random.mutate(original.authData)
            case 1: changed.clientDataJSON = random.mutate(original.clientDataBytes)
            case 2: changed.signature = random.mutate(try original.signed())
            default:
                let bytes = random.mutate(try original.json().bytes)
                _ = try? TestCeremony.relyingParty.verifyAuthentication(
                    AuthenticationResponse(parsing: bytes), against: original.stored,
                    challenge: TestCeremony.challenge, requiresUserHandle: true)
                continue
            }
            let isSame =
                changed.authData == original.authData && changed.clientDataBytes == original.clientDataBytes
                && changed.signature == original.signature
            if !isSame { #expect(throws: WebAuthnProblem.self) { try changed.verify() } }
        }
    }
}
