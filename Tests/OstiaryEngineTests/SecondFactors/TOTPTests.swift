import Foundation
import OstiaryCore
@testable import OstiaryEngine
import Testing

@Suite struct TOTPTests {
    private static let secret = Array("12345678901234567890".utf8)
    private let totp = TOTP(secret: secret)
    private let now = Date(timeIntervalSince1970: 1_800_000_015)
    private var current: Int64 { TOTP.step(at: now) }

    private func code(_ step: Int64) throws -> OneTimeCode { try OneTimeCode(totp.code(at: step)) }

    /// The vectors for SHA-1, of which a code of 6 digits has the last ones. Source: RFC 6238 appendix B.
    @Test(arguments: [
        (59.0, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `generates the codes of RFC 6238 appendix B`(_ seconds: Double, _ expected: String) {
        let step = TOTP.step(at: Date(timeIntervalSince1970: seconds))
        #expect(totp.code(at: step) == String(expected.suffix(6)))
    }

    @Test func `a time step lasts 30 seconds and begins at a multiple of 30`() {
        let steps = [29.999, 30, 59.999, 60, -0.001].map { TOTP.step(at: Date(timeIntervalSince1970: $0)) }
        #expect(steps == [0, 1, 1, 2, -1])
    }

    @Test(arguments: [-1, 0, 1] as [Int64])
    func `accepts the code of the current step and of one step either side`(_ offset: Int64) throws {
        #expect(totp.acceptedStep(of: try code(current + offset), at: now, after: nil) == current + offset)
    }

    @Test(arguments: [-3, -2, 2, 3] as [Int64])
    func `refuses the code of a step that is further away`(_ offset: Int64) throws {
        #expect(totp.acceptedStep(of: try code(current + offset), at: now, after: nil) == nil)
    }

    @Test func `refuses the step that was accepted last and those before it`() throws {
        #expect(totp.acceptedStep(of: try code(current), at: now, after: current) == nil)
        #expect(totp.acceptedStep(of: try code(current - 1), at: now, after: current) == nil)
        #expect(totp.acceptedStep(of: try code(current + 1), at: now, after: current) == current + 1)
    }

    @Test func `refuses used steps after the clock was set back`() throws {
        let before = now - 300
        let step = TOTP.step(at: before)
        #expect(totp.acceptedStep(of: try code(step), at: before, after: current) == nil)
    }

    @Test(arguments: ["000000", "12345", "1234567"])
    func `refuses a wrong code, and one with another number of digits`(_ text: String) throws {
        let codes = try (-1...1).map { try code(current + $0).reveal() }
        try #require(!codes.contains(text))
        #expect(totp.acceptedStep(of: try OneTimeCode(text), at: now, after: nil) == nil)
    }

    @Test func `refuses the code of another secret`() throws {
        let other = TOTP(secret: Array("another secret of 20".utf8))
        #expect(other.acceptedStep(of: try code(current), at: now, after: nil) == nil)
    }

    @Test func `the URI names issuer and account, percent-encoded, and holds the secret in base32`() {
        let uri = TOTP.uri(secret: Self.secret, issuer: "Time & Co", account: "jo@example.com")
        #expect(
            uri == "otpauth://totp/Time%20%26%20Co:jo%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=Time%20%26%20Co&algorithm=SHA1&digits=6&period=30")
    }
}
