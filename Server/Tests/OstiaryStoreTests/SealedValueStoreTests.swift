import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore
import PostgresServer
import Testing

/// The values that a change of the encryption key seals again, as every store lists and replaces them.
@Suite struct SealedValueStoreTests {
    @Test(arguments: Backend.allCases)
    func `keeps the first key of a name`(backend: Backend) async throws {
        try await backend.withStore { store in
            let first = try await store.storeKey("a", orAdding: [1], at: noon)
            let again = try await store.storeKey("a", orAdding: [2], at: noon)
            let other = try await store.storeKey("b", orAdding: [2], at: noon)
            #expect(first == [1] && again == [1] && other == [2])
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists every kind with the names that bind it, and replaces it once`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await fill(store)
            for kind in SealedValue.Kind.allCases {
                let values = try await store.sealedValues(kind, after: nil, limit: 100)
                #expect(values.map(\.names) == expected[kind], "\(kind)")
                for value in values {
                    #expect(try await store.replace(value, with: [9, 9]), "\(kind)")
                    #expect(try await !store.replace(value, with: [8]), "\(kind)")
                }
                #expect(
                    try await store.sealedValues(kind, after: nil, limit: 100).allSatisfy { $0.bytes == [9, 9] },
                    "\(kind)")
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `continues after a position`(backend: Backend) async throws {
        try await backend.withStore { store in
            for number in 0..<7 { _ = try await store.storeKey("k\(number)", orAdding: [1], at: noon) }
            var names: [String] = []
            var position: SealedValue.Position?
            repeat {
                let page = try await store.sealedValues(.storeKey, after: position, limit: 3)
                #expect(page.count <= 3)
                names += page.flatMap(\.names)
                position = page.last?.position
            } while position != nil
            #expect(names == (0..<7).map { "k\($0)" })
        }
    }

    /// Every column of the tables is found by its statement, with more rows than a page has.
    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
    func `lists the same values in both databases`() async throws {
        try await withTemporaryDirectory { directory in
            try await FilledStore.make(at: directory.database)
            try await PostgresServer.shared().withSettings { settings in
                let copy = try await StoreCopy(
                    from: directory.database, to: settings, system: .system, log: .silent)
                _ = try await copy.run { _ in }
                try await copy.close()
                let sqlite = try SQLiteStore(path: directory.database, system: .system)
                let postgres = try await PostgresStore.open(settings, system: .system, log: .silent)
                for kind in SealedValue.Kind.allCases {
                    let ours = try await Self.all(kind, sqlite)
                    #expect(ours == (try await Self.all(kind, postgres)), "\(kind)")
                    #expect(Set(ours.map(\.position)).count == ours.count)
                }
                await postgres.close()
                try await sqlite.close()
            }
        }
    }

    private static func all(_ kind: SealedValue.Kind, _ store: any Store) async throws -> [SealedValue] {
        var values: [SealedValue] = []
        while true {
            let page = try await store.sealedValues(kind, after: values.last?.position, limit: 2)
            guard !page.isEmpty else { return values }
            values += page
        }
    }

    private let expected: [SealedValue.Kind: [[String]]] = [
        .storeKey: [["derivation"]], .signingKey: [["vici", "kid"]],
        .endpointSecret: [["ep_00000000000000000000000000000000"]],
        .previousEndpointSecret: [["ep_00000000000000000000000000000000"]], .factor: [["vici", "id", "f1"]],
        .factorUndo: [["vici"]], .signInDenial: [["vici"]], .signInHistory: [["vici", "id"]],
        .sessionAttachment: [["vici", "s1"]], .message: [["vici", "m1"]], .failedMessage: [["vici", "r1"]],
        .answer: [[]],
    ]

    /// Adds one value of each kind.
    private func fill(_ store: any Store) async throws {
        _ = try await store.storeKey("derivation", orAdding: [1], at: noon)
        let account = try await store.add(.local(email: "jo@example.com", id: "id"), spending: nil)
        let session = Session(
            id: try SessionID("s1"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
            endsAt: noon.after(60))
        _ = try await store.add(session, credentialVersion: account.credentialVersion, attachment: [4])
        let key = StoredSigningKey(
            app: account.app, kid: "kid", algorithm: "ES256", sealedPrivateKey: [1], createdAt: noon)
        _ = try await store.add(key, retiringOthersAt: noon, onlyIf: .always)
        _ = try await store.enrol(.sample("f1", of: account))
        _ = try await store.enrol(.sample("p1", of: account, credentialID: [1]))
        for kind in [SingleUseRecord.Kind.factorUndo, .signInDenial, .browserCode] {
            try await store.add(
                SingleUseRecord(
                    app: account.app, kind: kind, hash: [5], payload: [1, 2], expiresAt: noon.after(60)))
        }
        try await store.setSignInHistory([3], of: account.id, in: account.app, until: noon.after(60))
        try await store.enqueue(QueuedMessage(id: "m1", app: account.app, createdAt: noon, sealed: [5]))
        let request = IdempotentRequest(
            hash: [6], bodyHash: [7], claim: "c", claimedUntil: noon.after(60), expiresAt: noon.after(600))
        _ = try await store.claim(request, at: noon)
        try await store.complete(request, with: [8])
        let endpoint = try EventEndpoint.sample()
        _ = try await store.add(endpoint, secret: [1])
        _ = try await store.replaceSecret(of: endpoint.id, with: [2], previousExpiresAt: noon.after(60))
        try await fillFailedMessage(store, account.app)
    }

    private func fillFailedMessage(_ store: any Store, _ app: AppName) async throws {
        try await store.enqueue(QueuedMessage(id: "r1", app: app, createdAt: noon, sealed: [5]))
        try await store.settle(
            MessageRecord(
                id: "r1", app: app, description: nil, outcome: .failed, attempts: 1, lastError: nil, createdAt: noon,
                settledAt: noon, usefulUntil: noon.after(600), sealed: [5]))
    }
}
