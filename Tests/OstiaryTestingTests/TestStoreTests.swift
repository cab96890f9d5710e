import Foundation
import OstiaryClient
import OstiaryCore
import OstiaryTesting
import Testing

struct TestStoreTests {
    private let store = TestStore()

    private func session(_ id: String) throws -> ClientSession {
        ClientSession(
            id: ClientSession.ID(rawValue: id), contract: "vici", baseURL: try BaseURL("https://api.example.com"),
            accountID: nil, label: "jo@example.com", accessToken: Secret("a"), refreshToken: nil,
            issuedAt: TestClock.start, expiresAt: nil)
    }

    @discardableResult
    private func add(_ id: String) async throws -> Int {
        let session = try session(id)
        return try await store.change { saved in
            saved[session.id] = session
            return saved.sessions.count
        }
    }

    @Test func `keeps what it is given, and tells an empty store from a full one`() async throws {
        #expect(await store.read() == .absent)
        #expect(try await add("s1") == 1)
        #expect(await store.read() == .found(SavedSessions(sessions: [try session("s1")])))
    }

    @Test func `counts what it is asked for, and writes only what is new`() async throws {
        try await add("s1")
        try await add("s1")
        _ = await store.read()
        (try await store.refreshLease()).end()
        #expect(store.counts.reads == 1)
        #expect(store.counts.changes == 2)
        #expect(store.counts.writes == 1)
        #expect(store.counts.refreshLeases == 1)
    }

    @Test func `answers nothing while it is locked, and loses nothing`() async throws {
        try await add("s1")
        store.lock()
        #expect(await store.read() == .unavailable(TestStore.denied))
        await #expect(throws: StoreProblem.self) { try await add("s2") }
        store.unlock()
        #expect(await store.read() == .found(SavedSessions(sessions: [try session("s1")])))
    }

    @Test func `can be read while it cannot be written`() async throws {
        try await add("s1")
        store.makeUnwritable()
        await #expect(throws: TestStore.denied) { try await add("s2") }
        #expect(await store.read() == .found(SavedSessions(sessions: [try session("s1")])))
        store.makeWritable()
        #expect(try await add("s2") == 2)
    }

    @Test func `fails as often as it is told`() async throws {
        store.failNext(2, with: .busy)
        #expect(await store.read() == .unavailable(.busy))
        await #expect(throws: StoreProblem.busy) { try await add("s1") }
        #expect(await store.read() == .absent)
    }

    @Test func `gives the turn to refresh to one at a time`() async throws {
        let turn = try await store.refreshLease()
        let order = HoldingPoint()
        let second = Task {
            let turn = try await store.refreshLease()
            try await order.hold()
            turn.end()
        }
        try await store.counts { $0.refreshLeases == 2 }
        #expect(order.arrivals == 0)
        turn.end()
        try await order.arrivals(1)
        order.open()
        try await second.value
    }

    @Test func `takes the turn back from whoever is gone`() async throws {
        do { _ = try await store.refreshLease() }
        #expect(!store.isLeaseTaken)
    }

    @Test func `refuses the turn while it is told to`() async throws {
        store.refuseLeases()
        await #expect(throws: StoreProblem.busy) { try await store.refreshLease() }
        store.refuseLeases(false)
        try await store.refreshLease().end()
    }

    @Test func `ends one turn by its own end alone`() async throws {
        let first = try await store.refreshLease()
        first.end()
        let second = try await store.refreshLease()
        first.end()
        #expect(store.isLeaseTaken)
        second.end()
        #expect(!store.isLeaseTaken)
    }

    @Test func `holds its answer until it is let go`() async throws {
        let point = HoldingPoint()
        store.hold(at: point)
        async let answer = store.read()
        try await point.arrivals(1)
        store.lock()
        point.open()
        #expect(await answer == .unavailable(TestStore.denied))
    }
}
