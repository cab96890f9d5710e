import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct ServiceKeyTests {
    private let servers: ServerWorld
    private var clock: TestClock { servers.world.clock }

    init() throws { servers = try ServerWorld() }

    @Test func `has a text that secret scanners find, and is kept without it`() async throws {
        let (key, text) = try await servers.key()
        #expect(text.reveal().wholeMatch(of: /ostk_[0-9a-f]{16}_[A-Za-z0-9_-]{43}/) != nil)
        #expect(text.reveal().hasPrefix("ostk_\(key.id)_"))
        let kept = try #require(try await servers.server.store.serviceKey(key.id))
        #expect(kept == key && kept.hash.count == 32)
        #expect(try await servers.refusal(of: text) == nil)
    }

    @Test func `is refused with any other text`() async throws {
        let (key, text) = try await servers.key()
        let (other, _) = try await servers.key()
        let secret = text.reveal().dropFirst(22)
        let wrong = [
            "", "ostk_", "ostk_\(key.id)_", "\(text.reveal())A", String(text.reveal().dropLast()),
            "ostk_\(other.id)_\(secret)", "ostk_0000000000000000_\(secret)", "OSTK\(text.reveal().dropFirst(4))",
            "ostk_\(key.id)_\(String(repeating: "A", count: 43))", "e\(String(repeating: "\u{301}", count: 4000))",
        ]
        for text in wrong { #expect(try await servers.refusal(of: Secret(text)) == .unknown, "\(text)") }
        #expect(try await servers.refusal(of: nil) == .missing)
    }

    @Test func `is refused from its expiry on`() async throws {
        let (_, text) = try await servers.key(expiresIn: 60)
        clock.shiftWall(by: .seconds(59))
        #expect(try await servers.refusal(of: text) == nil)
        clock.shiftWall(by: .seconds(1))
        #expect(try await servers.refusal(of: text) == .expired)
    }

    @Test func `is refused as soon as it is revoked, on every node`() async throws {
        let (key, text) = try await servers.key()
        let node = try ServerWorld.node(beside: servers)
        #expect(try await node.refusal(of: text) == nil)
        let revoked = try await servers.operatorsAdministration.revokeServiceKey(key.id.text)
        #expect(revoked.revokedAt == clock.now.asStored)
        #expect(try await node.refusal(of: text) == .revoked)
        for id in ["", "x", "0000000000000000", "\(key.id)0"] {
            await #expect(throws: AdministrationProblem.self) {
                try await servers.operatorsAdministration.revokeServiceKey(id)
            }
        }
    }

    @Test func `is accepted from its networks alone`() async throws {
        let (_, text) = try await servers.key(networks: ["10.1.0.0/16", "2001:db8::/32", "192.0.2.7"])
        for address in ["10.1.255.255", "2001:db8::9", "192.0.2.7", "::ffff:10.1.0.1"] {
            #expect(try await servers.refusal(of: text, from: address) == nil, "\(address)")
        }
        for address in ["10.2.0.0", "2001:db9::1", "192.0.2.8", "", "10.1.0.1, 10.1.0.2"] {
            #expect(try await servers.refusal(of: text, from: address) == .networkNotAllowed, "\(address)")
        }
    }

    @Test func `is refused with another encryption key, whatever the store says`() async throws {
        let (_, text) = try await servers.key()
        let node = try ServerWorld.node(beside: servers, master: 8)
        #expect(try await node.refusal(of: text) == .unknown)
    }

    @Test func `records its last use once a minute, and never lets a request wait for it`() async throws {
        let (key, text) = try await servers.key()
        func lastUse(after seconds: Double) async throws -> Date? {
            clock.shiftWall(by: .seconds(seconds))
            #expect(try await servers.refusal(of: text) == nil)
            await servers.server.serviceKeyUses.finish()
            return try await servers.server.store.serviceKey(key.id)?.lastUsedAt
        }
        let first = try #require(try await lastUse(after: 0))
        #expect(first == clock.now.asStored)
        #expect(try await lastUse(after: 59) == first)
        #expect(try await lastUse(after: 2) == clock.now.asStored)
    }

    @Test func `limits the wrong keys of a network, and never the right one`() async throws {
        let (key, text) = try await servers.key()
        let wrong = Secret("ostk_\(key.id)_\(String(repeating: "A", count: 43))")
        for _ in 0..<30 { #expect(try await servers.refusal(of: wrong) == .unknown) }
        #expect(try await servers.refusal(of: wrong) == .tooMany(retryAfterSeconds: 2))
        #expect(try await servers.refusal(of: wrong, from: "192.0.2.2") == .unknown)
        #expect(try await servers.refusal(of: text) == nil)
    }

    @Test func `the refusal of a key has the problems of all fields`() async throws {
        let new = NewServiceKey(name: "", scopes: [], apps: ["nowhere"], networks: ["x"])
        let problem = await #expect(throws: AdministrationProblem.self) {
            try await servers.operatorsAdministration.createServiceKey(new)
        }
        #expect(
            problem?.all.map(\.code) == ["name_missing", "scopes_missing", "app_unknown", "network_malformed"])
    }

    @Test func `names the fields of a key that is not acceptable`() async throws {
        let cases: [(NewServiceKey, pointer: String, code: String)] = [
            (NewServiceKey(name: " ", scopes: ["audit:read"]), "/name", "name_missing"),
            (NewServiceKey(name: "A", scopes: []), "/scopes", "scopes_missing"),
            (NewServiceKey(name: "A", scopes: ["audit:read", "audit:*"]), "/scopes/1", "scope_unknown"),
            (NewServiceKey(name: "A", scopes: ["audit:read"], apps: ["nowhere"]), "/apps/0", "app_unknown"),
            (
                NewServiceKey(name: "A", scopes: ["audit:read"], networks: ["10.0.0.1/8"]), "/networks/0",
                "network_malformed"
            ),
            (
                NewServiceKey(name: "A", scopes: ["audit:read"], expiresAt: clock.now), "/expires_at",
                "expires_at_past"
            ),
            (
                NewServiceKey(name: "A", scopes: ["audit:read"], expiresAt: clock.now + 3653 * 86_400 + 1),
                "/expires_at", "expires_at_too_late"
            ),
            (
                NewServiceKey(name: "A", scopes: ["audit:read"], expiresAt: .distantFuture + 1e300), "/expires_at",
                "expires_at_too_late"
            ),
            (
                NewServiceKey(name: "A", scopes: ["audit:read"], expiresAt: Date(timeIntervalSince1970: .nan)),
                "/expires_at", "expires_at_past"
            ),
        ]
        for (new, pointer, code) in cases {
            let problem = await #expect(throws: AdministrationProblem.self) {
                try await servers.operatorsAdministration.createServiceKey(new)
            }
            #expect(problem?.pointer == pointer && problem?.code == code)
        }
        #expect(try await servers.operatorsAdministration.serviceKeys(after: nil, limit: 10).page.isEmpty)
        let longest = NewServiceKey(name: "A", scopes: ["audit:read"], expiresAt: clock.now + 3653 * 86_400)
        #expect(try await servers.operatorsAdministration.createServiceKey(longest).key.expiresAt != nil)
    }

    @Test func `is in the audit log with its creation, its revocation and its refusals, once a minute each`()
        async throws
    {
        let (key, text) = try await servers.key()
        _ = try await servers.operatorsAdministration.revokeServiceKey(key.id.text)
        for _ in 0..<3 { _ = try await servers.refusal(of: text) }
        for _ in 0..<3 { _ = try await servers.refusal(of: Secret("ostk_")) }
        let events = try await servers.events()
        #expect(
            events.map(\.action) == [
                "cli.service_keys.create", "cli.service_keys.revoke", "admin.authenticate", "admin.authenticate",
            ])
        #expect(events.map(\.outcome) == ["ok", "ok", "service_key_revoked", "service_key_unknown"])
        #expect(events.map(\.actor) == ["cli:operator", "cli:operator", "key:\(key.id)", nil])
        #expect(events.map(\.identifier) == [key.id.text, key.id.text, nil, nil])
        #expect(events.allSatisfy { $0.app == .server })
        #expect(!"\(events)".contains(text.reveal().dropFirst(22)))
    }

    @Test func `is not created if the audit log cannot be written`() async throws {
        servers.world.store.fail("audit")
        await #expect(throws: WatchedStore.Away.self) { try await servers.key() }
        servers.world.store.recover()
        #expect(try await servers.operatorsAdministration.serviceKeys(after: nil, limit: 10).page.isEmpty)
    }
}

extension ServerWorld {
    /// Creates another node of the same store.
    static func node(beside other: ServerWorld, master: UInt8 = 7) throws -> ServerWorld {
        try ServerWorld(World("vici", .vici, master: master, sharing: other.world))
    }
}
