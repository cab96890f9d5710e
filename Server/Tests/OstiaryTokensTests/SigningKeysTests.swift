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
        #expect(try await published(by: one, at: now) == [key.kid])
        #expect(try await other.tokens.read(late, at: now + SigningKeys.reloadSeconds) == nil)
        #expect(try await published(by: other, at: now + SigningKeys.reloadSeconds) == [key.kid])
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
        #expect(try await published(by: node, at: during) == [second, first])

        let after = start.addingTimeInterval(10 + Self.overlap)
        #expect(try await node.keys.list(at: after).map(\.kid) == [second])
        #expect(try await published(by: node, at: after) == [second])
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

    // MARK: A schedule

    private static let day: TimeInterval = 86_400

    @Test func `a schedule publishes the next key a day before it signs`() async throws {
        let node = try await Node()
        let first = try await node.keys.current(at: start).stored.kid
        let lifetime = 90 * Self.day
        #expect(try await node.keys.rotate(after: lifetime, at: start + 89 * Self.day - 1) == nil)
        let next = try #require(try await node.keys.rotate(after: lifetime, at: start + 89 * Self.day))
        #expect(next.createdAt == start + lifetime)
        #expect(try await node.keys.rotate(after: lifetime, at: start + 89 * Self.day) == nil)

        let published = start + 89 * Self.day
        #expect(try await self.published(by: node, at: published) == [next.kid, first])
        for (now, kid) in [(published, first), (start + lifetime - 1, first), (start + lifetime, next.kid)] {
            #expect(try await node.keys.current(at: now).stored.kid == kid)
        }
        // The last token of the first key.
        let last = try await node.tokens.issue(makeGrant(issuedAt: start + lifetime - 1))
        #expect(try await node.tokens.read(last, at: start + lifetime + 3598) != nil)
        #expect(try await self.published(by: node, at: start + lifetime + Self.overlap - 1) == [next.kid, first])
        #expect(try await self.published(by: node, at: start + lifetime + Self.overlap) == [next.kid])
        #expect(try await node.keys.rotate(after: lifetime, at: start + 179 * Self.day - 1) == nil)
        #expect(try await node.keys.rotate(after: lifetime, at: start + 179 * Self.day) != nil)
    }

    @Test func `a scheduled key is returned also if the store cannot be read afterwards`() async throws {
        let store = SigningKeysInMemory()
        let node = try await Node(store: store)
        let due = start + 365 * Self.day
        await store.goAwayAfterAdd()
        let next = try #require(try await node.keys.rotate(after: 90 * Self.day, at: due))
        await store.comeBack()
        #expect(try await store.signingKeys(of: AppName("vici"), at: due).map(\.kid).contains(next.kid))
    }

    @Test func `one of several nodes publishes the next key, and all sign with it`() async throws {
        let store = SigningKeysInMemory()
        let nodes = [try await Node(store: store), try await Node(store: store), try await Node(store: store)]
        let due = start + 365 * Self.day
        // Each has the keys in memory.
        for node in nodes { _ = try await node.keys.keys(at: due) }
        let created = try await nodes.asyncMap { try await $0.keys.rotate(after: 90 * Self.day, at: due) }
        let next = try #require(created.compactMap(\.self).first)
        #expect(created.count { $0 != nil } == 1)
        for node in nodes {
            #expect(try await published(by: node, at: due).contains(next.kid))
            #expect(try await node.keys.current(at: due + Self.day).stored.kid == next.kid)
        }
    }

    @Test func `a rotation by command puts the schedule off, also when the next key is published`() async throws {
        let node = try await Node()
        let lifetime = 90 * Self.day
        let published = start + 89 * Self.day
        let next = try #require(try await node.keys.rotate(after: lifetime, at: published))
        let urgent = try await node.keys.rotate(at: published + 60)
        for now in [published + 60, next.createdAt, next.createdAt + 60] {
            #expect(try await node.keys.current(at: now).stored.kid == urgent.kid)
        }
        #expect(try await node.keys.rotate(after: lifetime, at: published + 60 + 89 * Self.day - 1) == nil)
        #expect(try await node.keys.rotate(after: lifetime, at: published + 60 + 89 * Self.day) != nil)
    }

    @Test func `the next key is published for longer than key sets are cached, and longer than nodes keep their own`() {
        // The `max-age` of key sets that the server states, and the interval in which its nodes read the store.
        #expect(SigningKeys.publishedAheadSeconds >= 10 * max(300, SigningKeys.reloadSeconds))
    }

    @Test func `another node signs with the next key from its beginning, and accepts it before from clocks ahead`()
        async throws
    {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        let published = start + 89 * Self.day
        let next = try #require(try await one.keys.rotate(after: 90 * Self.day, at: published))
        // The clock of the one is 30 seconds ahead: its token reaches the other before the key has begun there.
        let early = try await one.tokens.issue(makeGrant(issuedAt: next.createdAt))
        #expect(try kid(of: early) == next.kid)
        #expect(try await other.tokens.read(early, at: next.createdAt - 30) != nil)
        let late = try await other.tokens.issue(makeGrant(issuedAt: next.createdAt - 30))
        #expect(try kid(of: late) != next.kid)
        #expect(try await one.tokens.read(late, at: next.createdAt + 3500) != nil)
        let punctual = try await other.tokens.issue(makeGrant(issuedAt: next.createdAt))
        #expect(try kid(of: punctual) == next.kid)
    }

    @Test(arguments: [3650.0, -3650]) func `a clock that was ten years off leaves a key that signs and verifies`(
        days: Double
    )
        async throws
    {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        let lifetime = 90 * Self.day
        let before = try await one.tokens.issue(makeGrant(issuedAt: start))
        let off = start + days * Self.day
        let made = try await one.keys.rotate(after: lifetime, at: off)
        // Ahead a key is due; back none is, because no key has begun.
        #expect((made != nil) == (days > 0))
        let during = try await one.tokens.issue(makeGrant(issuedAt: off))
        #expect(try await one.tokens.read(during, at: off + 60) != nil)
        for node in [one, other] {
            let now = start + 600
            #expect(try await node.tokens.read(before, at: now) != nil)
            let token = try await node.tokens.issue(makeGrant(issuedAt: now))
            for reader in [one, other] { #expect(try await reader.tokens.read(token, at: now + 1) != nil) }
        }
    }

    @Test func `a key that a clock ahead has made does not stop the schedule`() async throws {
        let store = SigningKeysInMemory()
        let (one, other) = (try await Node(store: store), try await Node(store: store))
        let lifetime = 90 * Self.day
        let ahead = try #require(try await one.keys.rotate(after: lifetime, at: start + 3650 * Self.day))
        #expect(try await one.keys.rotate(after: lifetime, at: start + 89 * Self.day - 1) == nil)
        let due = start + 89 * Self.day
        let next = try #require(try await one.keys.rotate(after: lifetime, at: due))
        #expect(try await other.keys.rotate(after: lifetime, at: due - 5) == nil)
        #expect(try await other.keys.rotate(after: lifetime, at: due + 5) == nil)
        for node in [one, other] {
            #expect(try await node.keys.current(at: next.createdAt).stored.kid == next.kid)
            #expect(try await published(by: node, at: next.createdAt + Self.overlap) == [next.kid])
        }
        #expect(
            try await store.signingKeys(of: AppName("vici"), at: next.createdAt + Self.overlap).map(\.kid) == [next.kid]
        )
        #expect(ahead.kid != next.kid)
    }

    @Test func `a schedule creates no key where none is used`() async throws {
        let store = SigningKeysInMemory()
        let keys = SigningKeys(
            app: try AppName("vici"), algorithm: .rs256, store: store, keyRing: makeKeyRing(),
            tokenSeconds: 3600)
        #expect(try await keys.rotate(after: 7 * Self.day, at: start) == nil)
        #expect(try await store.signingKeys(of: AppName("vici"), at: start).isEmpty)
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

    private func kid(of token: Secret<String>) throws -> String? {
        try json(segments(token.reveal())[0])["kid"] as? String
    }

    private func published(by node: Node, at now: Date) async throws -> [String] {
        struct Set: Decodable {
            struct Key: Decodable { var kid: String }
            var keys: [Key]
        }
        let document = try #require(try await node.tokens.publicKeySet(at: now))
        return try JSONDecoder().decode(Set.self, from: Data(document)).keys.map(\.kid)
    }
}

extension Array {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}
