import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct StoreMaintenanceTests {
    @Test(arguments: Backend.allCases)
    func `removes what is over and nothing else`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.replace(with: .sample("over", recipient: 1))
            var later = try PendingCode.sample("later", recipient: 2)
            later.expiresAt = noon.after(5000)
            try await store.replace(with: later)
            try await store.replace(with: .sample(1, of: account))
            for key in ["a", "b"] {
                let limit = RateLimit(attempts: 1, perSeconds: key == "a" ? 10 : 10_000)
                _ = try await store.count([AttemptBucket(key: key, limit: limit)], at: noon)
            }
            try await store.addSession("short", of: account, idleSeconds: 60)
            try await store.addSession("revoked", of: account)
            _ = try await store.rotate("revoked", from: 0, at: noon)
            _ = try await store.revoke(SessionID("revoked"), in: .named(), Revocation(reason: .signOut, at: noon))
            try await store.addSession("alive", of: account)
            // PostgreSQL stores them in monthly tables.
            for days in [-60.0, 0] {
                try await store.append(
                    AuditEvent(at: noon.after(days * 86_400), app: .named(), action: "signIn", outcome: "ok"))
            }

            let swept = try await store.sweep(
                at: noon.after(3600), endedBefore: noon.after(61), auditBefore: noon.after(-20 * 86_400))

            #expect(swept == 6)
            #expect(try await store.state("short") == nil)
            #expect(try await store.state("revoked") == nil)
            #expect(try await store.state("alive") != nil)
            #expect(try await store.takeTry(recipient: [2], id: nil, in: .named(), at: noon) != nil)
            #expect(try await store.events(1).map(\.event.at) == [noon])
            #expect(
                try await store.sweep(
                    at: noon.after(3600), endedBefore: noon.after(61), auditBefore: noon.after(-20 * 86_400)) == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `removes more than fits into one chunk`(backend: Backend) async throws {
        try await backend.withStore { store in
            let limit = RateLimit(attempts: 1, perSeconds: 10)
            _ = try await inParallel(1200) { index in
                _ = try await store.count([AttemptBucket(key: "k\(index)", limit: limit)], at: noon)
                try await store.append(AuditEvent(at: noon, app: .named(), action: "a", outcome: "ok"))
            }
            let swept = try await store.sweep(
                at: noon.after(310), endedBefore: noon, auditBefore: noon.after(40 * 86_400))
            #expect(swept == 2400)
        }
    }

    @Test(arguments: Backend.allCases)
    func `finds what is over behind a thousand rows that are not`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await inParallel(1001) { index in
                let limit = RateLimit(attempts: 1, perSeconds: index == 1000 ? 10 : 10_000)
                let key = "\(index == 1000 ? "b" : "a")\(index)"
                _ = try await store.count([AttemptBucket(key: key, limit: limit)], at: noon)
            }
            #expect(try await store.sweep(at: noon.after(310), endedBefore: noon, auditBefore: .distantPast) == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `is ready while it is open`(backend: Backend) async throws {
        try await backend.withStore { try await $0.checkReadiness() }
    }

    @Test func `is not ready once it is closed`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        try await store.close()
        await #expect(throws: StoreError.closed) { try await store.checkReadiness() }
    }

    @Test func `is not ready when its file was removed or replaced`() async throws {
        try await withTemporaryDirectory { directory in
            let store = try SQLiteStore(path: directory.database, system: .system)
            try await store.checkReadiness()
            try FileManager.default.removeItem(atPath: directory.database)
            await #expect(throws: StoreError.fileGone(path: directory.database)) { try await store.checkReadiness() }
            try Data("another".utf8).write(to: URL(fileURLWithPath: directory.database))
            await #expect(throws: StoreError.fileGone(path: directory.database)) { try await store.checkReadiness() }
        }
    }
}
