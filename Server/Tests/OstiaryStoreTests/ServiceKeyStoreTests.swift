import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct ServiceKeyStoreTests {
    private func key(_ digit: Character, _ name: String = "Shop") throws -> ServiceKey {
        ServiceKey(
            id: try ServiceKeyID(String(repeating: digit, count: 16)), name: name, hash: [1, 2],
            scopes: [.accountsRead, .signingKeysWrite], apps: [try .named("vici"), try .named("idp")],
            networks: [try #require(AddressRange("10.0.0.0/8")), try #require(AddressRange("2001:db8::1"))],
            createdAt: noon, expiresAt: noon.after(60))
    }

    @Test(arguments: Backend.allCases)
    func `gives back a key as it was added`(backend: Backend) async throws {
        try await backend.withStore { store in
            let full = try key("a")
            let bare = ServiceKey(
                id: try ServiceKeyID("0123456789abcdef"), name: "ä", hash: [3], scopes: [.auditRead], createdAt: noon)
            try await store.add(full)
            try await store.add(bare)
            #expect(try await store.serviceKey(full.id) == full)
            #expect(try await store.serviceKey(bare.id) == bare)
            #expect(try await store.serviceKey(key("b").id) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists keys in pages in the order of their creation`(backend: Backend) async throws {
        try await backend.withStore { store in
            let keys = try ["c", "a", "b"].map { try key($0, String($0)) }
            for key in keys { try await store.add(key) }
            let first = try await store.serviceKeys(after: nil, limit: 2)
            #expect(first.page.map(\.name) == ["c", "a"])
            let second = try await store.serviceKeys(after: first.position, limit: 2)
            #expect(first.position != nil && second.position == nil)
            #expect(second.page.map(\.name) == ["b"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `revokes a key once and for all`(backend: Backend) async throws {
        try await backend.withStore { store in
            let key = try key("a")
            try await store.add(key)
            #expect(try await store.revokeServiceKey(key.id, at: noon.after(1))?.revokedAt == noon.after(1))
            #expect(try await store.revokeServiceKey(key.id, at: noon.after(2))?.revokedAt == noon.after(1))
            #expect(try await store.serviceKey(key.id)?.revokedAt == noon.after(1))
            #expect(try await store.revokeServiceKey(self.key("b").id, at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the latest use`(backend: Backend) async throws {
        try await backend.withStore { store in
            let key = try key("a")
            try await store.add(key)
            for seconds in [5.0, 9, 7] { try await store.noteUse(of: key.id, at: noon.after(seconds)) }
            #expect(try await store.serviceKey(key.id)?.lastUsedAt == noon.after(9))
        }
    }
}
