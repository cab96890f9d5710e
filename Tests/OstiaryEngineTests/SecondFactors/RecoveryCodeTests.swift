import Foundation
import OstiaryCore
@testable import OstiaryEngine
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

@Suite struct RecoveryCodeTests {
    private let keys = KeyRing(master: .init(data: [UInt8](repeating: 7, count: 32)))

    /// Returns a system whose random bytes are these, again and again.
    private func system(_ bytes: [UInt8]) -> SystemDependencies {
        SystemDependencies(now: { Date(timeIntervalSince1970: 0) }, randomBytes: { Array(bytes.prefix($0)) })
    }

    @Test func `has ten symbols of Crockford's base32 with a dash in the middle`() {
        #expect(RecoveryCode(system(Array(0..<10))).reveal() == "01234-56789")
        #expect(RecoveryCode(system([10, 17, 18, 19, 20, 21, 22, 27, 28, 31])).reveal() == "AHJKM-NPVWZ")
    }

    @Test func `uses five bits of each random byte`() {
        #expect(RecoveryCode(system([32, 33, 255, 64, 65, 0, 1, 31, 63, 95])).reveal() == "01Z01-01ZZZ")
    }

    @Test func `two codes of the system's random source differ`() {
        #expect(RecoveryCode(.system) != RecoveryCode(.system))
    }

    @Test(arguments: ["01ABC-DEFGH", "01abcdefgh", "oIaBc-dEfGh", "0L-ABC-DE-FGH", "-0-1-A-B-C-D-E-F-G-H-"])
    func `ignores dashes and case, and reads ambiguous letters as digits`(_ text: String) throws {
        #expect(try RecoveryCode(text).reveal() == "01ABC-DEFGH")
    }

    @Test(arguments: [
        "", "01ABC-DEFG", "01ABC-DEFGHJ", "01ABC-DEFGU", "01ABC DEFGH", "01ABC-DEFG\u{E9}", "01ABC-DEFG\u{301}H",
        String(repeating: "-", count: 22), String(repeating: "0", count: 1_000_000),
    ])
    func `refuses every other text`(_ text: String) {
        #expect(throws: FieldProblem.malformed) { try RecoveryCode(text) }
    }

    @Test func `its hash depends on code, account and app, and not on the spelling`() throws {
        let code = try RecoveryCode("01ABC-DEFGH")
        let (one, two) = (try AccountID("a"), try AccountID("b"))
        let (app, other) = (try AppName("vici"), try AppName("clarity"))
        let hash = code.hash(for: one, in: app, keys: keys)
        #expect(hash == (try RecoveryCode("o1abcdefgh").hash(for: one, in: app, keys: keys)))
        let others = [
            code.hash(for: two, in: app, keys: keys), code.hash(for: one, in: other, keys: keys),
            try RecoveryCode("01ABC-DEFGJ").hash(for: one, in: app, keys: keys),
        ]
        #expect(Set(others + [hash]).count == 4)
    }

    @Test func `cannot be printed`() throws {
        #expect(!"\(try RecoveryCode("01ABC-DEFGH"))".contains("ABC"))
    }
}
