import OstiaryClient
import OstiaryCore
import Testing

@Suite struct CodeVerifierTests {
    private struct Fixed: RandomNumberGenerator {
        let number: UInt64
        func next() -> UInt64 { number }
    }

    @Test func `is 43 characters of base64url`() {
        var ones = Fixed(number: .max)
        #expect(CodeVerifier(using: &ones).text.reveal() == String(repeating: "_", count: 42) + "8")
        var zeros = Fixed(number: 0)
        #expect(CodeVerifier(using: &zeros).text.reveal() == String(repeating: "A", count: 43))
    }

    @Test func `is another one each time`() {
        #expect(Set((0..<100).map { _ in CodeVerifier() }).count == 100)
    }

    /// Source: RFC 7636, Appendix B.
    private struct FromTheSpecification: RandomNumberGenerator {
        var bytes: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]

        mutating func next() -> UInt64 {
            defer { bytes.removeFirst(8) }
            return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        }
    }

    @Test func `has the challenge of the specification's example`() {
        var numbers = FromTheSpecification()
        let verifier = CodeVerifier(using: &numbers)
        #expect(verifier.text.reveal() == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func `is not printed`() {
        let verifier = CodeVerifier()
        #expect(!"\(verifier) \(String(reflecting: verifier))".contains(verifier.text.reveal()))
    }
}
