import Foundation
@testable import OstiaryEngine
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

@Suite struct KeyRingTests {
    private let ring = KeyRing(master: SymmetricKey(data: Data(repeating: 1, count: 32)))
    private let other = KeyRing(master: SymmetricKey(data: Data(repeating: 2, count: 32)))
    private let purposes: [KeyRing.Purpose] = [
        .refreshTokens, .codes, .recipients, .attempts, .resetTokens, .registrations, .outbox, .signingKeys,
    ]

    private func bytes(_ key: SymmetricKey) -> [UInt8] { key.withUnsafeBytes { Array($0) } }

    @Test func `derives another key for every purpose, app and master`() throws {
        var keys: Set<[UInt8]> = []
        let apps: [AppName?] = [nil, try AppName("vici"), try AppName("clarity")]
        for ring in [ring, other] {
            for purpose in purposes {
                for app in apps { keys.insert(bytes(ring.key(for: purpose, app: app))) }
            }
        }
        #expect(keys.count == 2 * purposes.count * apps.count)
        #expect(keys.allSatisfy { $0.count == 32 })
    }

    @Test func `derives the same key every time`() throws {
        let again = KeyRing(master: SymmetricKey(data: Data(repeating: 1, count: 32)))
        #expect(bytes(ring.key(for: .codes)) == bytes(again.key(for: .codes)))
    }

    /// Stored data depends on these keys: another derivation would void every refresh token.
    @Test func `derives the keys that were derived before`() {
        let expected = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(repeating: 1, count: 32)),
            info: Data("ostiary/refresh-tokens/".utf8), outputByteCount: 32)
        #expect(bytes(ring.key(for: .refreshTokens)) == bytes(expected))
    }

    /// Stored data depends on these hashes too. The state of the first hash must not be that of the next.
    @Test func `hashes by HMAC-SHA256 as before, each time anew`() throws {
        for text in ["one", "another", "one"] {
            let expected = HMAC<SHA256>.authenticationCode(
                for: Data("5:token\(text.utf8.count):\(text)".utf8),
                using: ring.key(for: .attempts, app: try AppName("vici")))
            #expect(ring.digest(["token", text], for: .attempts, app: try AppName("vici")) == Array(expected))
        }
    }

    @Test func `hashes no two lists of parts alike`() {
        let lists: [[String]] = [
            [], [""], ["", ""], ["ab"], ["a", "b"], ["b", "a"], ["1:a"], ["a1:b"], ["a", "1:b"],
        ]
        let digests = lists.map { ring.digest($0, for: .codes, app: nil) }
        #expect(Set(digests).count == lists.count)
    }

    @Test func `hashes differently for another purpose, app or master`() throws {
        let app = try AppName("vici")
        let digests = [
            ring.digest(["a"], for: .codes, app: app), ring.digest(["a"], for: .recipients, app: app),
            ring.digest(["a"], for: .codes, app: nil), other.digest(["a"], for: .codes, app: app),
        ]
        #expect(Set(digests).count == digests.count)
    }

    @Test func `opens what it sealed`() throws {
        let plain = Array("secret".utf8)
        let sealed = try ring.seal(plain, for: .outbox, context: "m1")
        #expect(try ring.open(sealed, for: .outbox, context: "m1") == plain)
    }

    @Test func `seals the same twice in two ways`() throws {
        let plain = Array("secret".utf8)
        #expect(try ring.seal(plain, for: .outbox, context: "") != ring.seal(plain, for: .outbox, context: ""))
    }

    @Test func `opens nothing with another context, purpose or master`() throws {
        let sealed = try ring.seal([1, 2, 3], for: .outbox, context: "m1")
        #expect(throws: (any Error).self) { try ring.open(sealed, for: .outbox, context: "m2") }
        #expect(throws: (any Error).self) { try ring.open(sealed, for: .signingKeys, context: "m1") }
        #expect(throws: (any Error).self) { try other.open(sealed, for: .outbox, context: "m1") }
    }

    @Test func `opens nothing that was altered, wherever`() throws {
        let sealed = try ring.seal([1, 2, 3], for: .outbox, context: "m1")
        for index in sealed.indices {
            var altered = sealed
            altered[index] ^= 1
            #expect(throws: (any Error).self) { try ring.open(altered, for: .outbox, context: "m1") }
            #expect(throws: (any Error).self) { try ring.open(Array(sealed[..<index]), for: .outbox, context: "m1") }
        }
    }

    @Test func `compares bytes and lengths`() {
        #expect(constantTimeEqual([], []))
        #expect(constantTimeEqual([1, 2], [1, 2]))
        #expect(!constantTimeEqual([1, 2], [1, 3]))
        #expect(!constantTimeEqual([1, 2], [0, 2]))
        #expect(!constantTimeEqual([1, 2], [1, 2, 0]))
        #expect(!constantTimeEqual([1], []))
    }
}
