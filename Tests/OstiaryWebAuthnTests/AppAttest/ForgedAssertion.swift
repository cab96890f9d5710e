import OstiaryTesting
import OstiaryWebAuthn
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A kind of assertion that must be refused after the counter 7, and the step that refuses it.
struct ForgedAssertion: Sendable, CustomTestStringConvertible {
    var name: String
    var problem: AppAttestProblem
    var make: @Sendable (AppAttestFixture) throws -> [UInt8]

    var testDescription: String { name }

    /// Creates a kind from a change of the parts before they are signed.
    private init(
        _ name: String, _ problem: AppAttestProblem, _ change: @escaping @Sendable (inout TestAssertion) -> Void
    ) {
        self.init(
            name, problem,
            bytes: { fixture in
                var assertion = fixture.assertion
                change(&assertion)
                return try assertion.encoded(by: fixture.key)
            })
    }

    private init(
        _ name: String, _ problem: AppAttestProblem,
        bytes make: @escaping @Sendable (AppAttestFixture) throws -> [UInt8]
    ) {
        self.name = name
        self.problem = problem
        self.make = make
    }

    /// Creates a kind from a change of the right signature, in DER.
    private init(_ name: String, signature change: @escaping @Sendable (inout [UInt8]) -> Void) {
        self.init(
            name, .signature,
            bytes: { fixture in
                let assertion = fixture.assertion
                var signature = Array(try fixture.key.signature(for: assertion.nonce).derRepresentation)
                change(&signature)
                return TestAssertion.encoded(signature: signature, assertion.authenticatorData)
            })
    }

    /// Creates a kind from a change of the right authenticator data after it was signed.
    private init(
        _ name: String, _ problem: AppAttestProblem = .signature,
        signed change: @escaping @Sendable (inout [UInt8]) -> Void
    ) {
        self.init(
            name, problem,
            bytes: { fixture in
                let assertion = fixture.assertion
                let signature = Array(try fixture.key.signature(for: assertion.nonce).derRepresentation)
                var data = assertion.authenticatorData
                change(&data)
                return TestAssertion.encoded(signature: signature, data)
            })
    }

    /// Creates a kind from a change of the members of the right assertion.
    private init(_ name: String, members change: @escaping @Sendable (inout [CBOR.Entry]) -> Void) {
        self.init(
            name, .assertion,
            bytes: { fixture in
                let bytes = try fixture.assertion.encoded(by: fixture.key)
                guard case .map(var members) = try CBOR.decode(bytes) else { return [] }
                change(&members)
                return CBOR.map(members).encoded
            })
    }

    static let all = objects + headers + changes + signatures

    private static let objects = [
        ForgedAssertion("nothing", .assertion, bytes: { _ in [] }),
        ForgedAssertion("one zero byte", .assertion, bytes: { _ in [0] }),
        ForgedAssertion("an empty map", .assertion, bytes: { _ in [0xA0] }),
        ForgedAssertion("an indefinite map", .assertion, bytes: { _ in [0xBF, 0xFF] }),
        ForgedAssertion("a list", .assertion, bytes: { _ in [0x80] }),
        ForgedAssertion("text", .assertion, bytes: { _ in Array("assertion".utf8) }),
        ForgedAssertion(
            "a byte after the assertion", .assertion, bytes: { try $0.assertion.encoded(by: $0.key) + [0] }),
        ForgedAssertion(
            "without the last byte", .assertion, bytes: { try $0.assertion.encoded(by: $0.key).dropLast() }),
        ForgedAssertion("over the maximum length", .assertion, { $0.extensions = [UInt8](repeating: 0, count: 1024) }),
        ForgedAssertion("without a signature", members: { $0.remove(at: 0) }),
        ForgedAssertion("without authenticator data", members: { $0.remove(at: 1) }),
        ForgedAssertion("members in the other order", members: { $0.reverse() }),
        ForgedAssertion("the signature twice", members: { $0.insert($0[0], at: 0) }),
        ForgedAssertion("a signature that is text", members: { $0[0].value = .text("signature") }),
        ForgedAssertion("a signature that is null", members: { $0[0].value = .null }),
        ForgedAssertion("authenticator data that is a list", members: { $0[1].value = .array([]) }),
        ForgedAssertion("authenticator data that is a number", members: { $0[1].value = .unsigned(37) }),
        ForgedAssertion("another name for the signature", members: { $0[0].key = .text("Signature") }),
        ForgedAssertion("numbers for names", members: { $0[0].key = .unsigned(1) }),
    ]

    private static let headers = [
        ForgedAssertion("the RP ID hash of another app", .appID, { $0.appIDHash = [UInt8](repeating: 7, count: 32) }),
        ForgedAssertion(
            "the RP ID of another app of the same list", .appID,
            {
                $0.appIDHash = Array(SHA256.hash(data: Array(AppAttestFixture.otherAppID.utf8)))
            }),
        ForgedAssertion("the last counter again", .counter, { $0.counter = 7 }),
        ForgedAssertion("an earlier counter", .counter, { $0.counter = 6 }),
        ForgedAssertion("the counter 0", .counter, { $0.counter = 0 }),
        ForgedAssertion("another request", .signature, { $0.clientDataHash[31] ^= 1 }),
        ForgedAssertion("no request", .signature, { $0.clientDataHash = [] }),
        ForgedAssertion("a request with a byte more", .signature, { $0.clientDataHash.append(0) }),
        ForgedAssertion("a short RP ID hash", .authenticatorData, { $0.appIDHash.removeLast() }),
        ForgedAssertion("a byte before the RP ID hash", .appID, { $0.appIDHash.insert(0, at: 0) }),
    ]

    private static let changes = [
        ForgedAssertion("no authenticator data", .authenticatorData, signed: { $0 = [] }),
        ForgedAssertion("authenticator data of 36 bytes", .authenticatorData, signed: { $0.removeLast() }),
        ForgedAssertion("a greater counter than was signed", signed: { $0[36] = 9 }),
        ForgedAssertion("the greatest counter, not signed", signed: { $0[33...36] = [255, 255, 255, 255] }),
        ForgedAssertion("other flags than were signed", signed: { $0[32] = 0 }),
        ForgedAssertion("another RP ID hash than was signed", signed: { $0[0] ^= 0x80 }),
        ForgedAssertion("extensions that were not signed", signed: { $0.append(0xA0) }),
    ]

    private static let signatures = [
        ForgedAssertion("an empty signature", signature: { $0 = [] }),
        ForgedAssertion("a signature of two zeros", signature: { $0 = [0x30, 6, 2, 1, 0, 2, 1, 0] }),
        ForgedAssertion("a signature of two ones", signature: { $0 = [0x30, 6, 2, 1, 1, 2, 1, 1] }),
        ForgedAssertion("a changed signature", signature: { $0[$0.count - 1] ^= 1 }),
        ForgedAssertion("half of the signature", signature: { $0 = Array($0.prefix($0.count / 2)) }),
        ForgedAssertion("a byte after the signature", signature: { $0.append(0) }),
        ForgedAssertion(
            "the signature in raw form", .signature,
            bytes: { fixture in
                let signature = try fixture.key.signature(for: fixture.assertion.nonce)
                return TestAssertion.encoded(
                    signature: Array(signature.rawRepresentation), fixture.assertion.authenticatorData)
            }),
        ForgedAssertion(
            "the signature of another key", .signature,
            bytes: { fixture in
                try fixture.assertion.encoded(by: P256.Signing.PrivateKey())
            }),
        ForgedAssertion(
            "a signature of the authenticator data alone", .signature,
            bytes: { fixture in
                let data = fixture.assertion.authenticatorData
                let signature = try fixture.key.signature(for: data)
                return TestAssertion.encoded(signature: Array(signature.derRepresentation), data)
            }),
        ForgedAssertion(
            "a signature of the nonce as a digest", .signature,
            bytes: { fixture in
                let data = fixture.assertion.authenticatorData
                let signature = try fixture.key.signature(
                    for: SHA256.hash(data: data + AppAttestFixture.clientDataHash))
                return TestAssertion.encoded(signature: Array(signature.derRepresentation), data)
            }),
    ]
}
