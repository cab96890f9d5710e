import Foundation
import OstiaryTestSupport
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct PublicKeyPinTests {
    /// A certificate in DER, and the pin that OpenSSL gives it.
    struct Sample: Decodable, CustomTestStringConvertible {
        let name: String
        let certificate: Data
        let pin: String
        var testDescription: String { name }
    }

    /// Made by OpenSSL: one certificate of each kind of key, with and without extensions.
    private static let samples = Task {
        let directory = try TemporaryDirectory()
        let process = try PythonProcess(
            """
            import base64, json, subprocess
            os.chdir(sys.argv[1])

            def openssl(*arguments, data=None):
                return subprocess.run(["openssl", *arguments], input=data, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, check=True).stdout

            kinds = {"RSA": ("-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"), "Ed25519": ("-algorithm", "ed25519"),
                     "P-256": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"),
                     "P-384": ("-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384")}
            samples = []
            for kind, options in kinds.items():
                openssl("genpkey", *options, "-out", "key")
                request = openssl("req", "-new", "-key", "key", "-subj", f"/C=DE/O=Sämple/CN={kind}", "-utf8")
                made = {
                    kind: openssl("req", "-x509", "-key", "key", "-subj", f"/CN={kind}", "-days", "2", "-outform", "der"),
                    # Version 1: without a version field and without extensions.
                    kind + " plain": openssl("x509", "-req", "-signkey", "key", "-days", "2", "-outform", "der", data=request),
                }
                for name, der in made.items():
                    public = openssl("x509", "-inform", "der", "-pubkey", "-noout", data=der)
                    digest = openssl("dgst", "-sha256", "-binary",
                                     data=openssl("pkey", "-pubin", "-outform", "der", data=public))
                    samples.append({"name": name, "certificate": base64.b64encode(der).decode(),
                                    "pin": "sha256/" + base64.b64encode(digest).decode()})
            print(json.dumps(samples), flush=True)
            """, [directory.path])
        defer { process.stop() }
        return try JSONDecoder().decode([Sample].self, from: Data(await process.nextLine().utf8))
    }

    @Test func `equals OpenSSL's for RSA, P-256, P-384 and Ed25519`() async throws {
        let samples = try await Self.samples.value
        #expect(samples.count == 8)
        for sample in samples {
            #expect(PublicKeyPin(certificate: sample.certificate)?.description == sample.pin, "\(sample.name)")
        }
    }

    @Test func `a set of pins allows a chain in which any certificate has one`() async throws {
        let samples = try await Self.samples.value
        let reserve = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let chain = samples.filter { $0.name != "RSA" && $0.name != "RSA plain" }
        for sample in samples {
            let pins = try PinSet([sample.pin, reserve])
            #expect(
                pins.allows(chain: chain.map(\.certificate), at: TestClock.start)
                    == chain.contains { $0.pin == sample.pin })
        }
    }

    @Test func `reads no certificate that was cut off, and none with something behind it`() async throws {
        for sample in try await Self.samples.value {
            let bytes = [UInt8](sample.certificate)
            for count in bytes.indices { #expect(PublicKeyPin(certificate: bytes[..<count]) == nil, "\(count) bytes") }
            #expect(PublicKeyPin(certificate: bytes + [0]) == nil)
            #expect(PublicKeyPin(certificate: bytes) != nil)
        }
    }

    @Test func `a changed byte gives another key, the same, or none, and never a trap`() async throws {
        var generator = SystemRandomNumberGenerator()
        let seed = generator.next()
        var random = SeededRandom(seed: seed)
        for sample in try await Self.samples.value {
            for _ in 0..<2_000 {
                var bytes = [UInt8](sample.certificate)
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
                }
                guard let key = SubjectPublicKeyInfo.bytes(certificate: bytes[...]) else { continue }
                #expect(key.first == 0x30 && key.startIndex > 4 && key.endIndex <= bytes.count, "seed \(seed)")
            }
        }
    }

    @Test(
        arguments: [
            [], [0x30], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x30, 0x81, 0x00], [0x30, 0x00], [0x30, 0x02, 0x30, 0x00], Array(repeating: 0x30, count: 10_000),
        ] as [[UInt8]])
    func `reads no key in nonsense`(_ bytes: [UInt8]) {
        #expect(PublicKeyPin(certificate: bytes) == nil)
    }

    @Test func `takes a length in its shortest form alone`() async throws {
        let sample = try #require(try await Self.samples.value.first)
        var bytes = [UInt8](sample.certificate)
        #expect(bytes[1] == 0x82)
        bytes[1] = 0x83
        bytes.insert(0, at: 2)
        #expect(PublicKeyPin(certificate: bytes) == nil)
    }
}
