import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

@Suite struct SigningKeysTests {
    /// A token's lifetime, a minute until every node has reloaded the keys, and a minute of clock skew.
    static let overlap: TimeInterval = 3600 + 60 + 60
    static let day: TimeInterval = 86_400

    @Test func `nodes that start together agree on one key`() async throws {
        let store = SigningKeysInMemory()
        async let one = Node(store: store)
        async let other = Node(store: store)
        let kids = try await [one, other].asyncMap { try await $0.keys.current(at: start).stored.kid }
        #expect(kids[0] == kids[1])
        #expect(try await store.signingKeys(of: AppName("vici"), at: start).count == 1)
    }

    @Test func `a node that starts again goes on with the key there is`() async throws {
        let store = SigningKeysInMemory()
        let token = try await Node(store: store).tokens.issue(makeGrant())
        let later = start.addingTimeInterval(600)
        #expect(try await Node(store: store, at: later).tokens.read(token, at: later) != nil)
    }

    @Test func `each app has keys of its own`() async throws {
        let store = SigningKeysInMemory()
        let token = try await Node(store: store, app: "clarity").tokens.issue(makeGrant())
        #expect(try await Node(store: store, app: "vici").tokens.read(token, at: start) == nil)
    }

    @Test func `a rotation signs with the new key at once and accepts the old one until it retires`() async throws {
        let node = try await Node()
        let old = try await node.tokens.issue(makeGrant(lifetime: 100_000))
        let key = try await node.keys.rotate(at: start)
        let new = try await node.tokens.issue(makeGrant(lifetime: 100_000))
        #expect(try json(segments(new.reveal())[0])["kid"] as? String == key.kid)
        #expect(try json(segments(old.reveal())[0])["kid"] as? String != key.kid)

        // Both from the cache and newly verified.
        for tokens in [
            node.tokens, JWTAccessTokens(issuer: issuer, audience: audience, keys: node.keys, randomBytes: { _ in [] }),
        ] {
            for (seconds, isAccepted) in [(0, true), (Self.overlap - 1, true), (Self.overlap, false)] {
                let now = start.addingTimeInterval(seconds)
                #expect((try await tokens.read(old, at: now) != nil) == isAccepted)
                #expect(try await tokens.read(new, at: now) != nil)
            }
        }
    }

    @Test func `a rotation after a theft rejects the tokens of earlier keys, at other nodes within a minute`()
        async throws
    {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        let stolen = try await one.tokens.issue(makeGrant())
        // Also from the cache of verified tokens.
        for node in [one, other] { #expect(try await node.tokens.read(stolen, at: start + 1) != nil) }
        _ = try await one.keys.rotate(after: 7 * Self.day, at: start + 6 * Self.day)
        let now = start + 6 * Self.day + 60
        let late = try await other.tokens.issue(makeGrant(issuedAt: now))
        let key = try await one.keys.rotate(at: now, revokingEarlier: true)
        #expect(try await one.tokens.read(late, at: now) == nil)
        #expect(try await one.publishedKeys(at: now) == [key.kid])
        #expect(try await other.tokens.read(late, at: now + SigningKeys.reloadSeconds) == nil)
        #expect(try await other.publishedKeys(at: now + SigningKeys.reloadSeconds) == [key.kid])
        #expect(try await one.keys.current(at: now + 30 * Self.day).stored.kid == key.kid)
    }

    @Test func `keys are listed and published until they retire, the newest first`() async throws {
        let node = try await Node()
        let first = try await node.keys.current(at: start).stored.kid
        let second = try await node.keys.rotate(at: start.addingTimeInterval(10)).kid

        let during = start.addingTimeInterval(20)
        let list = try await node.keys.list(at: during)
        #expect(list.map(\.kid) == [second, first])
        #expect(list.map(\.algorithm) == ["ES256", "ES256"])
        #expect(list.map(\.createdAt) == [start.addingTimeInterval(10), start])
        #expect(list.map(\.retiresAt) == [nil, start.addingTimeInterval(10 + Self.overlap)])
        #expect(try await node.publishedKeys(at: during) == [second, first])

        let after = start.addingTimeInterval(10 + Self.overlap)
        #expect(try await node.keys.list(at: after).map(\.kid) == [second])
        #expect(try await node.publishedKeys(at: after) == [second])
    }

    @Test func `a node knows another node's new key when it meets it`() async throws {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        try await one.keys.rotate(at: start)
        let new = try await one.tokens.issue(makeGrant())
        #expect(try await other.tokens.read(new, at: start) != nil)
    }

    @Test func `what the other node signs before it learns of a rotation lives its full life`() async throws {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        try await one.keys.rotate(at: start)
        let lastMoment = start.addingTimeInterval(59)
        let old = try await other.tokens.issue(makeGrant(issuedAt: lastMoment))
        #expect(try await one.tokens.read(old, at: lastMoment.addingTimeInterval(3599)) != nil)
    }

    @Test func `a node learns of a rotation within a minute`() async throws {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        let kid = try await one.keys.rotate(at: start).kid
        let token = try await other.tokens.issue(makeGrant(issuedAt: start.addingTimeInterval(60)))
        #expect(try json(segments(token.reveal())[0])["kid"] as? String == kid)
    }

    @Test func `a clock that was set back does not keep old keys`() async throws {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        let kid = try await one.keys.rotate(at: start).kid
        #expect(try await other.keys.current(at: start.addingTimeInterval(-3600)).stored.kid == kid)
    }

    @Test func `made-up keys do not become load on the store`() async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        let before = await store.reads
        for _ in 0..<1000 {
            let key = P256.Signing.PrivateKey()
            let forged = try TokenKey.es256(key, kid: JSONWebKey(key.publicKey).kid, for: .access)
            let claims = try AccessClaims(makeGrant(), issuer: issuer, audience: audience, id: [])
            let token = try CompactToken.write(JSON.object(claims.members).bytes, signedBy: forged)
            #expect(try await node.tokens.read(Secret(token), at: start) == nil)
        }
        #expect(await store.reads - before == 5)
        // This node's own tokens are still accepted, and need no read.
        #expect(try await node.tokens.read(node.tokens.issue(makeGrant()), at: start) != nil)
        #expect(await store.reads - before == 5)
    }

    @Test func `a read that began before a rotation does not hide the new key`() async throws {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        await store.holdNextRead()
        let stranger = try await Node(app: "vici").tokens.issue(makeGrant())
        let slow = Task { try await other.tokens.read(stranger, at: start) }
        while !(await store.isHolding) { await Task.yield() }

        try await one.keys.rotate(at: start)
        let new = try await one.tokens.issue(makeGrant())
        let waiting = Task { try await other.tokens.read(new, at: start) }
        for _ in 0..<1000 { await Task.yield() }
        await store.releaseReads()
        #expect(try await slow.value == nil)
        #expect(try await waiting.value != nil)
    }

    @Test func `a slow read does not undo a rotation`() async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        await store.holdNextRead()
        let slow = Task { try await node.keys.list(at: start) }
        while !(await store.isHolding) { await Task.yield() }
        let kid = try await node.keys.rotate(at: start).kid
        await store.releaseReads()
        _ = try await slow.value
        #expect(try await node.keys.current(at: start).stored.kid == kid)
    }

    @Test func `while the store is away what is known serves for a minute, and no longer`() async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        let token = try await node.tokens.issue(makeGrant())
        await store.goAway()
        #expect(try await node.tokens.read(token, at: start.addingTimeInterval(59)) != nil)
        let later = start.addingTimeInterval(60)
        await #expect(throws: SigningKeysInMemory.Away.self) { try await node.tokens.read(token, at: later) }
        await #expect(throws: SigningKeysInMemory.Away.self) { try await node.tokens.issue(makeGrant(issuedAt: later)) }
        await store.comeBack()
        #expect(try await node.tokens.read(token, at: later) != nil)
    }

    @Test func `a caller that gives up does not end the read that others wait for`() async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        let token = try await node.tokens.issue(makeGrant())
        let later = start.addingTimeInterval(60)
        await store.holdNextRead()
        let impatient = Task { try await node.tokens.read(token, at: later) }
        while !(await store.isHolding) { await Task.yield() }
        let patient = Task { try await node.tokens.read(token, at: later) }
        impatient.cancel()
        await store.releaseReads()
        #expect(try await patient.value != nil)
    }

    @Test func `the private half is sealed`() async throws {
        let store = SigningKeysInMemory()
        _ = try await Node(store: store)
        let key = try #require(try await store.signingKeys(of: AppName("vici"), at: start).first)
        #expect(throws: (any Error).self) { try P256.Signing.PrivateKey(rawRepresentation: key.sealedPrivateKey) }
        #expect(throws: Never.self) { try SigningKeySet.Key(opening: key, keyRing: makeKeyRing()) }
        #expect(throws: (any Error).self) { try SigningKeySet.Key(opening: key, keyRing: makeKeyRing(8)) }
    }

    @Test func `a sealed key is worth nothing to another app or under another name`() async throws {
        let store = SigningKeysInMemory()
        _ = try await Node(store: store)
        let key = try #require(try await store.signingKeys(of: AppName("vici"), at: start).first)
        var moved = key
        moved.app = try AppName("clarity")
        #expect(throws: (any Error).self) { try SigningKeySet.Key(opening: moved, keyRing: makeKeyRing()) }
        var renamed = key
        renamed.kid = String(key.kid.reversed())
        #expect(throws: (any Error).self) { try SigningKeySet.Key(opening: renamed, keyRing: makeKeyRing()) }
    }

    @Test func `another encryption key is said at the start`() async throws {
        let store = SigningKeysInMemory()
        let kid = try await Node(store: store).keys.current(at: start).stored.kid
        let app = try AppName("vici")
        await #expect(throws: TokenError.signingKeyUnusable(app: app, kid: kid)) {
            try await Node(store: store, keyRing: makeKeyRing(8))
        }
    }

    @Test func `a retiring key that cannot be opened is left out`() async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        let old = try await node.tokens.issue(makeGrant())
        try await node.keys.rotate(at: start)
        await store.change { keys in keys[0].sealedPrivateKey = [1, 2, 3] }
        let restarted = try await Node(store: store)
        #expect(try await restarted.tokens.read(old, at: start) == nil)
        #expect(try await restarted.tokens.read(node.tokens.issue(makeGrant()), at: start) != nil)
    }

    @Test func `a key that is gone from the store is refused within a minute`() async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        let old = try await node.tokens.issue(makeGrant())
        try await node.keys.rotate(at: start)
        #expect(try await node.tokens.read(old, at: start) != nil)
        await store.change { keys in keys.removeFirst() }
        #expect(try await node.tokens.read(old, at: start.addingTimeInterval(60)) == nil)
    }
}
