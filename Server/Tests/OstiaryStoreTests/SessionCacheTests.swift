import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
import Synchronization
import Testing

@testable import OstiaryStore

@Suite struct SessionCacheTests {
    @Test func `answers what it was given`() throws {
        let cache = SessionCache()
        cache.keep(try entry("s1"), readAt: cache.moment)
        #expect(cache.state(of: try SessionID("s1")) == (try entry("s1").state))
        #expect(cache.state(of: try SessionID("s2")) == nil)
    }

    @Test func `keeps no more than its capacity, and what is asked for longest`() throws {
        let cache = SessionCache(capacity: 10)
        for number in 0..<100 {
            cache.keep(try entry("s\(number)"), readAt: cache.moment)
            #expect(cache.state(of: try SessionID("s0")) != nil)
        }
        #expect(cache.count <= 10)
        #expect(cache.state(of: try SessionID("s50")) == nil)
    }

    @Test func `forgets sessions that are not in use, and keeps those that are`() throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let cache = SessionCache(now: { start + passed.withLock { $0 } })
        for second in 0..<3000 {
            passed.withLock { $0 = .seconds(second) }
            cache.keep(try entry("s\(second)"), readAt: cache.moment)
            if second % 60 == 0 { #expect(cache.state(of: try SessionID("s0")) != nil) }
            #expect(cache.count <= 2 * 302)
        }
    }

    @Test func `does not believe a reader that a commit overtook`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        try await store.addSession("s1", of: store.addAccount())
        let moment = store.cache.moment
        let stale = try #require(try await store.read { try $0.sessionEntry(SessionID("s1"), in: AppName("vici")) })
        _ = try await store.revoke(SessionID("s1"), in: .named(), Revocation(reason: .signOut, at: noon))
        store.cache.keep(stale, readAt: moment)
        #expect(store.cache.state(of: try SessionID("s1")) == nil)
        #expect(try await store.state("s1")?.session.revocation != nil)
    }

    @Test func `answers a second read without the database`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        try await store.addSession("s1", of: store.addAccount())
        let first = try await store.state("s1")
        try store.database.close()
        #expect(try await store.state("s1") == first)
        #expect(first != nil)
    }

    @Test func `is not disturbed by a change that was undone`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        try await store.addSession("s1", of: store.addAccount())
        _ = try await store.state("s1")
        await #expect(throws: SampleRefused.self) {
            try await store.write { db in
                try db.run("UPDATE session SET generation = 9")
                throw SampleRefused()
            }
        }
        #expect(try await store.state("s1")?.session.generation == 0)
    }

    @Test func `cannot be deceived by an account that changes without a new revision`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        _ = try await store.addAccount()
        // 1811: SQLITE_CONSTRAINT_TRIGGER
        await #expect(throws: StoreError.failed(code: 1811)) {
            try await store.write { try $0.run("UPDATE account SET full_name = 'other'") }
        }
    }

    private func entry(_ id: String) throws -> SessionCache.Entry {
        let account = Account(app: try .named(), id: try AccountID("1"), createdAt: noon)
        let session = Session(
            id: try SessionID(id), app: try .named(), accountID: account.id, createdAt: noon, idleSeconds: 1,
            endsAt: noon)
        return SessionCache.Entry(
            state: SessionState(session: session, account: account), session: 1, account: 1, accountRevision: 0)
    }
}
