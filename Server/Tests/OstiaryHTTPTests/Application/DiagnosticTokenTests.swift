import Crypto
import Foundation
import OstiaryEngine
import Testing

/// The token by which `ostiary doctor` asks for the server's view of its request.
@Suite struct DiagnosticTokenTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let keys = DiagnosticTokenTests.ring(1)

    private static func ring(_ byte: UInt8, earlier: [UInt8] = []) -> KeyRing {
        func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: Data(repeating: byte, count: 32)) }
        return KeyRing(master: key(byte), earlier: earlier.map(key), derivation: key(9))
    }

    @Test func `a token is valid for a minute in both directions`() throws {
        let token = try DiagnosticToken.make(with: keys, at: now)
        for seconds in [-60.0, 0, 60] {
            #expect(DiagnosticToken.isValid(token, with: keys, at: now.addingTimeInterval(seconds)))
        }
        for seconds in [-61.0, 61] {
            #expect(!DiagnosticToken.isValid(token, with: keys, at: now.addingTimeInterval(seconds)))
        }
    }

    @Test func `only an encryption key of the server makes tokens, an earlier one among them`() throws {
        let token = try DiagnosticToken.make(with: keys, at: now)
        #expect(DiagnosticToken.isValid(token, with: Self.ring(2, earlier: [1]), at: now))
        #expect(!DiagnosticToken.isValid(token, with: Self.ring(2), at: now))
    }

    @Test(arguments: ["", "?", "AAAA", String(repeating: "A", count: 100_000)])
    func `other text is no token`(text: String) {
        #expect(!DiagnosticToken.isValid(text, with: keys, at: now))
    }
}
