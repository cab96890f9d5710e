import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct SigningKeyStoreTests {
    @Test(arguments: Backend.allCases)
    func `lets older keys retire when one is added`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await store.add(key("k1", 0), retiringOthersAt: noon.after(60), onlyIf: .always))
            #expect(try await store.add(key("k2", 1), retiringOthersAt: noon.after(61), onlyIf: .always))
            #expect(try await store.add(key("k3", 2), retiringOthersAt: noon.after(90), onlyIf: .always))
            let keys = try await store.signingKeys(of: .named(), at: noon.after(2))
            #expect(keys.map(\.kid) == ["k3", "k2", "k1"])
            #expect(keys.map(\.retiresAt) == [nil, noon.after(90), noon.after(61)])
            #expect(keys.last?.sealedPrivateKey == [4, 5])
            #expect(try await store.signingKeys(of: .named(), at: noon.after(61)).map(\.kid) == ["k3", "k2"])
            #expect(try await store.signingKeys(of: .named("other"), at: noon).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds a first key once`(backend: Backend) async throws {
        try await backend.withStore { store in
            let added = try await inParallel(10) { index in
                try await store.add(key("k\(index)", 0), retiringOthersAt: noon.after(60), onlyIf: .isFirst)
            }
            #expect(added.count { $0 } == 1)
            let keys = try await store.signingKeys(of: .named(), at: noon)
            #expect(keys.map(\.retiresAt) == [nil])
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds one successor of a key`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await store.add(key("k0", 0), retiringOthersAt: noon, onlyIf: .always)
            let added = try await inParallel(10) { index in
                try await store.add(
                    key("k\(index + 1)", 60), retiringOthersAt: noon.after(90),
                    onlyIf: .followsKey(from: noon, until: noon.after(200)))
            }
            #expect(added.count { $0 } == 1)
            #expect(try await store.signingKeys(of: .named(), at: noon).map(\.retiresAt) == [nil, noon.after(90)])
            // The successor was replaced before it signed: the next one follows the key that replaced it.
            _ = try await store.add(key("urgent", 30), retiringOthersAt: noon.after(100), onlyIf: .always)
            #expect(
                try await !store.add(
                    key("no", 70), retiringOthersAt: noon, onlyIf: .followsKey(from: noon, until: noon.after(200))))
            #expect(
                try await store.add(
                    key("yes", 80), retiringOthersAt: noon.after(120),
                    onlyIf: .followsKey(from: noon.after(30), until: noon.after(200))))
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds a successor beside a key that a clock ahead has made, which never signs then`(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            let years = 3_650.0 * 86_400
            _ = try await store.add(key("k0", 0), retiringOthersAt: noon, onlyIf: .always)
            _ = try await store.add(key("ahead", years), retiringOthersAt: noon.after(years), onlyIf: .always)
            let condition = SigningKeyCondition.followsKey(from: noon, until: noon.after(120))
            #expect(try await store.add(key("k1", 60), retiringOthersAt: noon.after(90), onlyIf: condition))
            #expect(try await !store.add(key("k2", 61), retiringOthersAt: noon.after(90), onlyIf: condition))
            let keys = try await store.signingKeys(of: .named(), at: noon)
            #expect(keys.map(\.kid) == ["ahead", "k1", "k0"])
            #expect(keys.map(\.retiresAt) == [noon.after(90), nil, noon.after(90)])
        }
    }

    private func key(_ kid: String, _ age: Double) throws -> StoredSigningKey {
        StoredSigningKey(
            app: try .named(), kid: kid, algorithm: "ES256", sealedPrivateKey: [4, 5], createdAt: noon.after(age))
    }
}
