import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The change of the encryption key: see decision 87.
@Suite struct EncryptionKeyRotationTests {
    private let store: any Store = MemoryStore(system: .system)
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let old = key(1)
    private let new = key(2)

    private static func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: Data(repeating: byte, count: 32)) }

    private func ring(_ keys: SymmetricKey...) async throws -> KeyRing {
        try await KeyRing(of: store, encryptionKeys: keys, at: now)
    }

    private func rotate(_ keys: KeyRing, reseals: Bool = true) async throws -> EncryptionKeyRotation.Counts {
        let rotation = EncryptionKeyRotation(store: store, keys: keys)
        var counts = EncryptionKeyRotation.Counts()
        for kind in SealedValue.Kind.allCases {
            var position: SealedValue.Position?
            repeat {
                let page = try await rotation.page(of: kind, after: position, reseals: reseals)
                counts += page.counts
                position = page.next
            } while position != nil
        }
        return counts
    }

    private func addSigningKey(_ kid: String, sealedWith keys: KeyRing) async throws {
        let app = try AppName("clarity")
        let sealed = try keys.seal(
            [1, 2, 3], for: .signingKeys, context: SealedValue.Kind.signingKey.context(app.text, kid))
        let key = StoredSigningKey(
            app: app, kid: kid, algorithm: "ES256", sealedPrivateKey: sealed, createdAt: now)
        _ = try await store.add(key, retiringOthersAt: now, onlyIf: .always)
    }

    @Test func `hashes and tokens stay the same when the key changes, and when the old one is removed`() async throws {
        let digest = try await ring(old).digest(["a"], for: .recoveryCodes, app: nil)
        #expect(digest == KeyRing(master: old).digest(["a"], for: .recoveryCodes, app: nil))
        let both = try await ring(new, old)
        #expect(both.digest(["a"], for: .recoveryCodes, app: nil) == digest)
        #expect(try await rotate(both).resealed == 1)
        #expect(try await ring(new).digest(["a"], for: .recoveryCodes, app: nil) == digest)
    }

    @Test func `the old key cannot be removed before the rotation, nor replaced by another`() async throws {
        _ = try await ring(old)
        await #expect(throws: ForeignStoreKey()) { try await ring(new) }
        _ = try await ring(new, old)
        await #expect(throws: ForeignStoreKey()) { try await ring(new) }
    }

    @Test func `a store of an earlier version keeps the key that its newest signing key was sealed with`() async throws
    {
        try await addSigningKey("a", sealedWith: KeyRing(master: new))
        let keys = try await ring(Self.key(3), new, old)
        #expect(
            keys.digest(["a"], for: .serviceKeys, app: nil)
                == KeyRing(master: new).digest(["a"], for: .serviceKeys, app: nil))
    }

    @Test func `values are sealed with the newest key and opened with any`() async throws {
        let before = try await ring(old)
        let sealed = try before.seal([9], for: .outbox, context: "c")
        let after = try await ring(new, old)
        #expect(try after.open(sealed, for: .outbox, context: "c") == [9])
        #expect(throws: (any Error).self) { try after.open(sealed, for: .outbox, context: "d") }
        let resealed = try after.seal([9], for: .outbox, context: "c")
        #expect(throws: (any Error).self) { try before.open(resealed, for: .outbox, context: "c") }
    }

    @Test func `a rotation seals everything again, once, and reports what it cannot read`() async throws {
        let before = try await ring(old)
        for number in 0..<3 { try await addSigningKey("k\(number)", sealedWith: before) }
        try await addSigningKey("foreign", sealedWith: KeyRing(master: Self.key(9)))
        let both = try await ring(new, old)
        let seen = try await rotate(both, reseals: false)
        #expect(seen.earlier == 4 && seen.current == 0 && seen.unreadable == 1 && seen.resealed == 0)
        let done = try await rotate(both)
        #expect(done.earlier == 0 && done.current == 4 && done.unreadable == 1 && done.resealed == 4)
        #expect(try await rotate(both).resealed == 0)
        let after = try await rotate(ring(new), reseals: false)
        #expect(after.current == 4 && after.unreadable == 1)
    }

    @Test func `a value that changes meanwhile is left to the change`() async throws {
        let before = try await ring(old)
        try await addSigningKey("k", sealedWith: before)
        let found = try await store.sealedValues(.signingKey, after: nil, limit: 10)
        let value = try #require(found.first)
        let first = try await store.replace(value, with: [1])
        let second = try await store.replace(value, with: [2])
        #expect(first && !second)
        let left = try await store.sealedValues(.signingKey, after: nil, limit: 10)
        #expect(left.map(\.bytes) == [[1]])
    }

    @Test func `the secrets of factors that an undo restores are sealed again too`() async throws {
        let before = try await ring(old)
        let (app, hash): (AppName, [UInt8]) = (try AppName("vici"), [7, 7])
        let context = SealedValue.Kind.factor.context("vici", "a1", "f1")
        let material = Data(try before.seal([5], for: .factors, context: context)).base64EncodedString()
        // The form in which records are kept.
        let payload = """
            {"account": "a1", "change": "removed", "kind": "totp", "at": 0, "addedCodes": [], "removedCodes": [],
             "removedFactors": [
                {"id": "f1", "kind": "totp", "name": "Phone", "material": "\(material)", "counter": 0, "createdAt": 0}]}
            """
        let outer = SealedValue.Kind.factorUndo.context("vici", hash: hash)
        try await store.add(
            SingleUseRecord(
                app: app, kind: .factorUndo, hash: hash,
                payload: before.seal(Array(payload.utf8), for: .factors, context: outer),
                expiresAt: now.addingTimeInterval(60)))
        // The store's own key, and the record.
        #expect(try await rotate(ring(new, old)).resealed == 2)
        let after = try await ring(new)
        let found = try await store.sealedValues(.factorUndo, after: nil, limit: 1)
        let value = try #require(found.first)
        let plain = try after.open(value.bytes, for: .factors, context: outer)
        let restored = try JSONDecoder().decode(FactorUndoPayload.self, from: Data(plain))
        let kept = try #require(restored.removedFactors.first?.material)
        #expect(try after.open(Array(kept), for: .factors, context: context) == [5])
    }
}
