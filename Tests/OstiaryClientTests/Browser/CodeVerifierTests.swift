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

    @Test func `is not printed`() {
        let verifier = CodeVerifier()
        #expect(!"\(verifier) \(String(reflecting: verifier))".contains(verifier.text.reveal()))
    }
}
