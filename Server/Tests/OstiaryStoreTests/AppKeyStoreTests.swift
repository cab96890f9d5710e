import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryStore

@Suite struct AppKeyStoreTests {
    private func key(_ id: UInt8 = 1, app: String = "vici", keptUntil: Date = noon.after(60)) throws -> AppKey {
        AppKey(
            app: try .named(app), id: [id, 0, 255], publicKey: [4, 1, 2], appID: "ABCDE12345.com.example.app",
            createdAt: noon, keptUntil: keptUntil)
    }

    private func recordUse(_ counter: UInt32, of key: AppKey, _ store: any Store) async throws -> Bool {
        try await store.recordUse(ofAppKey: key.id, in: key.app, counter: counter, keptUntil: noon.after(90))
    }

    @Test(arguments: Backend.allCases)
    func `gives back a key as it was added, to its app alone`(backend: Backend) async throws {
        try await backend.withStore { store in
            let key = try key()
            try await store.add(key)
            #expect(try await store.appKey(key.id, in: key.app) == key)
            #expect(try await store.appKey(key.id, in: .named("other")) == nil)
            #expect(try await store.appKey([2], in: key.app) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a key that is added again stays as it is`(backend: Backend) async throws {
        try await backend.withStore { store in
            var key = try key()
            try await store.add(key)
            #expect(try await recordUse(5, of: key, store))
            try await store.add(key)
            (key.counter, key.keptUntil) = (5, noon.after(90))
            #expect(try await store.appKey(key.id, in: key.app) == key)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a counter only grows, up to the greatest one`(backend: Backend) async throws {
        try await backend.withStore { store in
            let key = try key()
            try await store.add(key)
            #expect(try await !recordUse(0, of: key, store))
            #expect(try await recordUse(2, of: key, store))
            for counter in [1, 2] as [UInt32] { #expect(try await !recordUse(counter, of: key, store)) }
            #expect(try await recordUse(.max, of: key, store))
            #expect(try await !recordUse(.max, of: key, store))
            #expect(try await store.appKey(key.id, in: key.app)?.counter == .max)
            #expect(try await !recordUse(9, of: self.key(2), store))
        }
    }

    @Test(arguments: Backend.allCases)
    func `one of many requests with one counter is accepted`(backend: Backend) async throws {
        try await backend.withStore { store in
            let key = try key()
            try await store.add(key)
            let accepted = try await inParallel(16) { _ in try await recordUse(7, of: key, store) }
            #expect(accepted.count(where: \.self) == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a session is bound to the first key, and ends with its binding`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s", of: account)
            let (session, app) = (try SessionID("s"), account.app)
            #expect(try await store.appKey(of: session, in: app) == nil)
            #expect(try await store.bind(session, toAppKey: [1], in: app) == [1])
            #expect(try await store.bind(session, toAppKey: [2], in: app) == [1])
            #expect(try await store.appKey(of: session, in: app) == [1])
            #expect(try await store.appKey(of: session, in: .named("other")) == nil)
            #expect(try await store.bind(session, toAppKey: [2], in: .named("other")) == nil)
            #expect(try await store.bind(SessionID("none"), toAppKey: [2], in: app) == nil)
            _ = try await store.revoke(session, in: app, Revocation(reason: .signOut, at: noon))
            _ = try await store.sweep(at: noon, endedBefore: noon.after(1), auditBefore: .distantPast)
            #expect(try await store.appKey(of: session, in: app) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a key is swept when its time is over`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (over, later) = (try key(1), try key(2, keptUntil: noon.after(61)))
            for key in [over, later] { try await store.add(key) }
            #expect(try await store.sweep(at: noon.after(60), endedBefore: noon, auditBefore: .distantPast) == 1)
            #expect(try await store.appKey(over.id, in: over.app) == nil)
            #expect(try await store.appKey(later.id, in: later.app) == later)
        }
    }
}
