import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

/// Signing keys that a schedule replaces.
@Suite struct SigningKeyScheduleTests {
    private static let day = SigningKeysTests.day

    @Test func `a schedule publishes the next key a day before it signs`() async throws {
        let node = try await Node()
        let first = try await node.keys.current(at: start).stored.kid
        let lifetime = 90 * Self.day
        #expect(try await node.keys.rotate(after: lifetime, at: start + 89 * Self.day - 1) == nil)
        let next = try #require(try await node.keys.rotate(after: lifetime, at: start + 89 * Self.day))
        #expect(next.createdAt == start + lifetime)
        #expect(try await node.keys.rotate(after: lifetime, at: start + 89 * Self.day) == nil)

        let published = start + 89 * Self.day
        #expect(try await node.publishedKeys(at: published) == [next.kid, first])
        for (now, kid) in [(published, first), (start + lifetime - 1, first), (start + lifetime, next.kid)] {
            #expect(try await node.keys.current(at: now).stored.kid == kid)
        }
        // The last token of the first key.
        let last = try await node.tokens.issue(makeGrant(issuedAt: start + lifetime - 1))
        #expect(try await node.tokens.read(last, at: start + lifetime + 3598) != nil)
        #expect(try await node.publishedKeys(at: start + lifetime + SigningKeysTests.overlap - 1) == [next.kid, first])
        #expect(try await node.publishedKeys(at: start + lifetime + SigningKeysTests.overlap) == [next.kid])
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
            #expect(try await node.publishedKeys(at: due).contains(next.kid))
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
            #expect(try await node.publishedKeys(at: next.createdAt + SigningKeysTests.overlap) == [next.kid])
        }
        #expect(
            try await store.signingKeys(of: AppName("vici"), at: next.createdAt + SigningKeysTests.overlap).map(\.kid)
                == [next.kid]
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

    private func kid(of token: Secret<String>) throws -> String? {
        try json(segments(token.reveal())[0])["kid"] as? String
    }
}
