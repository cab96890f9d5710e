import OstiaryWebAuthnFuzzing
import Testing

@testable import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

@Suite struct COSEKeyTests {
    @Test func `the tests have a credential of each algorithm`() {
        #expect(TestCredential.all.map(\.algorithm) == [.es256, .edDSA, .rs256])
    }

    @Test(arguments: TestCredential.all)
    func `a key verifies its own signatures and no others`(credential: TestCredential) throws {
        let key = try COSEKey(credential.publicKey.encoded)
        #expect(key.algorithm == credential.algorithm)
        let message: [UInt8] = Array("message".utf8)
        let signature = try credential.sign(message)
        #expect(key.isValidSignature(signature, for: message))
        #expect(!key.isValidSignature(signature, for: message + [0]))
        #expect(!key.isValidSignature(signature, for: []))
        #expect(!key.isValidSignature(signature + [0], for: message))
        #expect(!key.isValidSignature([0] + signature, for: message))
        #expect(!key.isValidSignature([], for: message))
        #expect(!key.isValidSignature([UInt8](repeating: 0, count: signature.count), for: message))
        #expect(!key.isValidSignature([UInt8](repeating: 0xFF, count: 1024), for: message))
        for index in signature.indices.dropLast() {
            #expect(!key.isValidSignature(Array(signature[...index]), for: message))
        }
        #expect(!key.isValidSignature(try TestCredential.other.sign(message), for: message))
    }

    @Test func `an ES256 signature is refused unless it is in DER`() throws {
        guard case .p256(let privateKey) = TestCredential.es256.key else { return }
        let key = try COSEKey(TestCredential.es256.publicKey.encoded)
        let message: [UInt8] = [1, 2, 3]
        let raw = Array(try privateKey.signature(for: message).rawRepresentation)
        let r = Array(raw.prefix(32))
        let s = Array(raw.suffix(32))
        #expect(key.isValidSignature(Self.der(Self.integer(r), Self.integer(s)), for: message))
        #expect(!key.isValidSignature(raw, for: message))
        // Superfluous zeros, a negative number, zeros, and a length in a form that is not the shortest.
        #expect(!key.isValidSignature(Self.der([0, 0] + r, Self.integer(s)), for: message))
        #expect(!key.isValidSignature(Self.der([0xFF] + r, Self.integer(s)), for: message))
        #expect(!key.isValidSignature(Self.der([0], [0]), for: message))
        let canonical = Self.der(Self.integer(r), Self.integer(s))
        #expect(!key.isValidSignature([0x30, 0x81] + canonical.dropFirst(), for: message))
        #expect(!key.isValidSignature([0x30, 0x80] + canonical.dropFirst(2) + [0, 0], for: message))
    }

    private static func integer(_ bytes: [UInt8]) -> [UInt8] {
        let significant = Array(bytes.drop { $0 == 0 })
        return (significant.first ?? 0xFF) >= 0x80 ? [0] + significant : significant
    }

    private static func der(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
        let content = [0x02, UInt8(r.count)] + r + [0x02, UInt8(s.count)] + s
        return [0x30, UInt8(content.count)] + content
    }

    struct HostileKey: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: CBOR
        let problem: COSEKeyProblem

        init(_ name: String, _ key: CBOR, _ problem: COSEKeyProblem) {
            testDescription = name
            self.key = key
            self.problem = problem
        }
    }

    private static let ec = TestCredential.es256.publicKey
    private static let okp = TestCredential.edDSA.publicKey
    private static let rsa = TestCredential.rsa([0x80] + [UInt8](repeating: 1, count: 255), [1, 0, 1])
    private static let zeros = [UInt8](repeating: 0, count: 32)

    private static let hostile: [HostileKey] = [
        HostileKey("an array", .array([]), .parameters), HostileKey("an empty map", .map([]), .parameters),
        HostileKey("text", .text("key"), .parameters),
        // Parameters of every type.
        HostileKey("no key type", ec.removing(1), .parameters),
        HostileKey("no algorithm", ec.removing(3), .parameters),
        HostileKey("algorithm ES384", ec.replacing(3, .integer(-35)), .algorithm),
        HostileKey("algorithm ES512", ec.replacing(3, .integer(-36)), .algorithm),
        HostileKey("algorithm ES256K", ec.replacing(3, .integer(-47)), .algorithm),
        HostileKey("algorithm PS256", rsa.replacing(3, .integer(-37)), .algorithm),
        HostileKey("algorithm RS1", rsa.replacing(3, .integer(-65_535)), .algorithm),
        HostileKey("algorithm ESP256", ec.replacing(3, .integer(-9)), .algorithm),
        HostileKey("algorithm 7", ec.replacing(3, .integer(7)), .algorithm),
        HostileKey("algorithm -2^64", ec.replacing(3, .negative(.max)), .algorithm),
        HostileKey("algorithm as text", ec.replacing(3, .text("ES256")), .algorithm),
        HostileKey("no algorithm value", ec.replacing(3, .null), .algorithm),
        // EC2.
        HostileKey("EC2 with key type OKP", ec.replacing(1, .unsigned(1)), .keyType),
        HostileKey("EC2 with key type RSA", ec.replacing(1, .unsigned(3)), .keyType),
        HostileKey("EC2 with key type 0", ec.replacing(1, .unsigned(0)), .keyType),
        HostileKey("EC2 with a key type as text", ec.replacing(1, .text("EC2")), .keyType),
        HostileKey("EC2 with algorithm EdDSA", ec.replacing(3, .integer(-8)), .keyType),
        HostileKey("EC2 with algorithm RS256", ec.replacing(3, .integer(-257)), .keyType),
        HostileKey("EC2 without a curve", ec.removing(-1).adding(-4, .null), .parameters),
        HostileKey("EC2 on P-384", ec.replacing(-1, .unsigned(2)), .curve),
        HostileKey("EC2 on secp256k1", ec.replacing(-1, .unsigned(8)), .curve),
        HostileKey("EC2 with a negative curve", ec.replacing(-1, .negative(0)), .curve),
        HostileKey("EC2 without x", ec.removing(-2), .parameters),
        HostileKey("EC2 without y", ec.removing(-3), .parameters),
        HostileKey("EC2 with an unknown parameter for y", ec.removing(-3).adding(-4, .bytes(zeros)), .parameters),
        HostileKey("EC2 with a private key", ec.adding(-4, .bytes(zeros)), .parameters),
        HostileKey("EC2 with a sign bit for y", ec.replacing(-3, .boolean(true)), .coordinate),
        HostileKey("EC2 with x of 31 bytes", ec.replacing(-2, .bytes(Array(zeros.dropLast()))), .coordinate),
        HostileKey("EC2 with x of 33 bytes", ec.replacing(-2, .bytes(zeros + [0])), .coordinate),
        HostileKey("EC2 with an empty y", ec.replacing(-3, .bytes([])), .coordinate),
        HostileKey("EC2 with y as an integer", ec.replacing(-3, .unsigned(1)), .coordinate),
        HostileKey("EC2 at infinity", ec.replacing(-2, .bytes(zeros)).replacing(-3, .bytes(zeros)), .point),
        HostileKey("EC2 off the curve", ec.replacing(-3, .bytes(zeros)), .point),
        HostileKey("EC2 with x above p", ec.replacing(-2, .bytes([UInt8](repeating: 0xFF, count: 32))), .point),
        HostileKey("EC2 with a key id", ec.adding(2, .bytes([1])), .cbor(.unsortedKeys)),
        HostileKey(
            "EC2 with two algorithms",
            .map([.init(.unsigned(1), .unsigned(2)), .init(.unsigned(3), .integer(-7)), .init(.unsigned(3), .null)]),
            .cbor(.duplicateKey)),
        // OKP.
        HostileKey("OKP with key type EC2", okp.replacing(1, .unsigned(2)), .keyType),
        HostileKey("OKP with algorithm ES256", okp.replacing(3, .integer(-7)), .keyType),
        HostileKey("OKP without a curve", okp.removing(-1).adding(-3, .null), .parameters),
        HostileKey("OKP on X25519", okp.replacing(-1, .unsigned(4)), .curve),
        HostileKey("OKP on Ed448", okp.replacing(-1, .unsigned(7)), .curve),
        HostileKey("OKP on P-256", okp.replacing(-1, .unsigned(1)), .curve),
        HostileKey("OKP with a curve as text", okp.replacing(-1, .text("Ed25519")), .curve),
        HostileKey("OKP without x", okp.removing(-2), .parameters),
        HostileKey("OKP with y", okp.adding(-3, .bytes(zeros)), .parameters),
        HostileKey("OKP with x of 31 bytes", okp.replacing(-2, .bytes(Array(zeros.dropLast()))), .coordinate),
        HostileKey("OKP with x of 57 bytes", okp.replacing(-2, .bytes([UInt8](repeating: 1, count: 57))), .coordinate),
        HostileKey("OKP with x as text", okp.replacing(-2, .text("x")), .coordinate),
        // RSA.
        HostileKey("RSA with key type EC2", rsa.replacing(1, .unsigned(2)), .keyType),
        HostileKey("RSA with algorithm ES256", rsa.replacing(3, .integer(-7)), .keyType),
        HostileKey("RSA without a modulus", rsa.removing(-1).adding(-3, .null), .parameters),
        HostileKey("RSA without an exponent", rsa.removing(-2).adding(-3, .null), .parameters),
        HostileKey("RSA with one parameter less", rsa.removing(-2), .parameters),
        HostileKey("RSA with a private exponent", rsa.adding(-3, .bytes([1])), .parameters),
        HostileKey("RSA with exponent 3", rsa.replacing(-2, .bytes([3])), .exponent),
        HostileKey("RSA with exponent 1", rsa.replacing(-2, .bytes([1])), .exponent),
        HostileKey("RSA with a padded exponent", rsa.replacing(-2, .bytes([0, 1, 0, 1])), .exponent),
        HostileKey("RSA with exponent 65539", rsa.replacing(-2, .bytes([1, 0, 3])), .exponent),
        HostileKey("RSA with an empty exponent", rsa.replacing(-2, .bytes([])), .exponent),
        HostileKey("RSA with an integer exponent", rsa.replacing(-2, .unsigned(65_537)), .exponent),
        HostileKey("RSA with 1024 bits", rsa.replacing(-1, modulus(0x80, 128)), .modulus),
        HostileKey("RSA with 2047 bits", rsa.replacing(-1, modulus(0x7F, 256)), .modulus),
        HostileKey("RSA with 4097 bits", rsa.replacing(-1, modulus(0x01, 513)), .modulus),
        HostileKey("RSA with 16384 bits", rsa.replacing(-1, modulus(0x80, 2048)), .modulus),
        HostileKey("RSA with a leading zero", rsa.replacing(-1, modulus(0x00, 257)), .modulus),
        HostileKey(
            "RSA with an even modulus", rsa.replacing(-1, .bytes([0x80] + [UInt8](repeating: 2, count: 255))),
            .modulus),
        HostileKey("RSA with an empty modulus", rsa.replacing(-1, .bytes([])), .modulus),
        HostileKey("RSA with an integer modulus", rsa.replacing(-1, .unsigned(15)), .modulus),
    ]

    private static func modulus(_ first: UInt8, _ count: Int) -> CBOR {
        .bytes([first] + [UInt8](repeating: 1, count: count - 1))
    }

    @Test(arguments: hostile)
    func `refuses keys with other parameters than their algorithm requires`(hostile: HostileKey) {
        #expect(throws: hostile.problem) { try COSEKey(hostile.key.encoded) }
    }

    @Test(arguments: [(0x80, 256), (0xFF, 256), (0x01, 257), (0xC0, 384), (0x80, 512), (0xFF, 512)] as [(UInt8, Int)])
    func `accepts moduli of 2048 to 4096 bits`(first: UInt8, count: Int) throws {
        let key = try COSEKey(Self.rsa.replacing(-1, Self.modulus(first, count)).encoded)
        #expect(key.algorithm == .rs256)
        #expect(!key.isValidSignature([UInt8](repeating: 0, count: count), for: []))
    }

    @Test func `refuses bytes after the key and bytes that are not CBOR`() {
        #expect(throws: COSEKeyProblem.cbor(.trailingBytes)) { try COSEKey(Self.ec.encoded + [0]) }
        #expect(throws: COSEKeyProblem.cbor(.truncated)) { try COSEKey([]) }
        // Texts in place of the numbers of key type and curve.
        #expect(throws: COSEKeyProblem.keyType) { try COSEKey(hex("a301634f4b500327206745643235353139")) }
    }

    /// The points of small order in canonical encoding, and the non-canonical ones that some libraries accept. Source:
    /// Chalkias, Garillot and Nikolaenko, "Taming the Many EdDSAs".
    private static let weak = [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        // Off the curve: y = 2 and y = 7, and hashes.
        "0200000000000000000000000000000000000000000000000000000000000000",
        "0700000000000000000000000000000000000000000000000000000000000000",
        "5d74c6758cb7160688ea57609bb81e200a0e9811284b6fc8cc9a83881d708896",
        "2d1052204822c29bcf8a2b71a1d6a3e3a2ff209d9824309b930dcd623c40163a",
        "f483d37c4bc1fd075f89c9c8a1ae3242631a51c572f3c71a418462d7b49cc32e",
        "d817e7192a67f447b7726a1731922e0b6886cc3914aae690ab73af624de2088b",
    ]

    @Test(arguments: weak)
    func `refuses Ed25519 points of small order, off the curve and in other encodings`(point: String) {
        #expect(throws: COSEKeyProblem.point) { try COSEKey(TestCredential.okp(hex(point)).encoded) }
    }

    @Test(arguments: [
        // The base point, small y, and hashes; a Python program decided which are on the curve.
        "5866666666666666666666666666666666666666666666666666666666666666",
        "0300000000000000000000000000000000000000000000000000000000000000",
        "0400000000000000000000000000000000000000000000000000000000000080",
        "de5e5cf1c64a0c2d43896701b6de113c0f99e99bda8d5530fca50f78d8b85f89",
        "1ff410c87daaa29be86722a93f7fdbdcfd7c667d542e29762e86ba12b7e39b3a",
        "68b7c16d2e900bd498e0c766f29e9fd3137ab4f32815f323e6bfbd7500e2210b",
        "e0a262f5e19a2000bf8adadfa728f90c6684e22a4e2026846da7e03e993e54d9",
        "800cf34359f4989ce92a0279a2b2434217fc62a33e64cfa3ab47d8f7172e8e76",
        // Source: RFC 8032 §7.1, test 1.
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    ])
    func `accepts Ed25519 points on the curve`(point: String) throws {
        #expect(try COSEKey(TestCredential.okp(hex(point)).encoded).algorithm == .edDSA)
    }

    @Test func `512 pseudorandom points are on the curve where an independent implementation says so`() {
        // One bit for the SHA-256 hash of each of "point 0" to "point 511", by a Python program with big integers.
        let expected = hex(
            """
            cdbb82c33a2fe20bc63156d8655ff0e713024de730b017ce7333da44569a456f
            674375207c6a124ef8fbd80b84342b01541d897e9e3a7e0bde71aea48d518b8e
            """)
        #expect(expected.count == 64)
        for number in 0..<512 {
            let point = Array(SHA256.hash(data: Array("point \(number)".utf8)))
            let isOnCurve = expected[number / 8] >> (7 - number % 8) & 1 == 1
            #expect(Edwards25519.isPublicKey(point) == isOnCurve)
        }
    }

    @Test func `verifies the first test vector of Ed25519`() throws {
        // Source: RFC 8032 §7.1, test 1.
        let point = hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        let signature = hex(
            """
            e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b
            d25bf5f0595bbe24655141438e7a100b
            """)
        #expect(try COSEKey(TestCredential.okp(point).encoded).isValidSignature(signature, for: []))
    }
}
