import Dispatch
import Foundation
import GRDB
import OstiaryEngine
import Testing

@testable import OstiaryStore

@Suite struct GroupWriterTests {
    @Test func `lets many waiting writes share few commits`() async throws {
        let writer = try Writer(maximumGroup: 100)
        let gate = await writer.closeGate()
        let writes = Task { try await inParallel(500) { try await writer.insert($0) } }
        await writer.untilWaiting(500)
        gate.signal()
        _ = try await writes.value
        #expect(try await writer.values() == Array(0..<500))
        // One for the write that held the gate, and one for each hundred.
        #expect(writer.group.commitCount == 6)
    }

    @Test func `undoes a write that throws and none of its neighbours`() async throws {
        let writer = try Writer()
        let gate = await writer.closeGate()
        async let outcomes = inParallel(30) { number in
            do {
                try await writer.group.write { db in
                    try db.run("INSERT INTO item (number) VALUES (?1)", [number])
                    if number.isMultiple(of: 3) { throw SampleRefused() }
                }
                return nil as Int?
            } catch is SampleRefused { return number }
        }
        await writer.untilWaiting(30)
        gate.signal()
        #expect(try await outcomes.compactMap { $0 }.count == 10)
        #expect(try await writer.values() == (0..<30).filter { !$0.isMultiple(of: 3) })
        #expect(writer.group.commitCount == 2)
    }

    @Test func `undoes a write that SQLite refuses and none of its neighbours`() async throws {
        let writer = try Writer()
        try await writer.insert(1)
        let gate = await writer.closeGate()
        let clash = Task { try await writer.insert(1) }
        let fine = Task { try await writer.insert(2) }
        await writer.untilWaiting(2)
        gate.signal()
        try await fine.value
        await #expect(throws: StoreError.failed(code: 1555)) { try await clash.value }
        #expect(try await writer.values() == [1, 2])
    }

    @Test func `fails every write of a group whose commit fails`() async throws {
        let writer = try Writer()
        let gate = await writer.closeGate()
        let orphan = Task {
            try await writer.group.write { try $0.run("INSERT INTO part (item) VALUES (99)") }
        }
        let neighbour = Task { try await writer.insert(1) }
        await writer.untilWaiting(2)
        gate.signal()
        await #expect(throws: StoreError.failed(code: 787)) { try await orphan.value }
        await #expect(throws: StoreError.failed(code: 787)) { try await neighbour.value }
        #expect(try await writer.values() == [])
        try await writer.insert(1)
        #expect(try await writer.values() == [1])
    }

    @Test func `refuses writes past the length of its queue`() async throws {
        let writer = try Writer(maximumWaiting: 3)
        let gate = await writer.closeGate()
        let waiting = Task { try await inParallel(3) { try await writer.insert($0) } }
        await writer.untilWaiting(3)
        await #expect(throws: StoreError.overloaded) { try await writer.insert(3) }
        gate.signal()
        _ = try await waiting.value
        try await writer.insert(4)
        #expect(try await writer.values() == [0, 1, 2, 4])
    }

    @Test func `finishes what waits when it is closed and takes no more`() async throws {
        let writer = try Writer(maximumGroup: 2)
        let gate = await writer.closeGate()
        let waiting = Task { try await inParallel(9) { try await writer.insert($0) } }
        await writer.untilWaiting(9)
        async let closed: Void = writer.group.close()
        gate.signal()
        await closed
        #expect(try await writer.values() == Array(0..<9))
        _ = try await waiting.value
        await #expect(throws: StoreError.closed) { try await writer.insert(10) }
    }
}

/// A group writer on a table of numbers.
private struct Writer: Sendable {
    let database: DatabaseQueue
    let group: GroupWriter

    init(maximumGroup: Int = 512, maximumWaiting: Int = 10_000) throws {
        database = try DatabaseQueue()
        try database.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE item (number INTEGER PRIMARY KEY);
                    CREATE TABLE part (item INTEGER REFERENCES item (number) DEFERRABLE INITIALLY DEFERRED);
                    """)
        }
        group = GroupWriter(database, maximumGroup: maximumGroup, maximumWaiting: maximumWaiting)
    }

    func insert(_ number: Int) async throws {
        _ = try await group.write { try $0.run("INSERT INTO item (number) VALUES (?1)", [number]) }
    }

    func values() async throws -> [Int] {
        try await database.read { try Int.fetchAll($0, sql: "SELECT number FROM item ORDER BY number") }
    }

    /// Blocks the writer in a separate write until the gate is signalled.
    func closeGate() async -> DispatchSemaphore {
        let gate = DispatchSemaphore(value: 0)
        await withCheckedContinuation { held in
            group.writeLater(
                { _ in
                    held.resume()
                    // Blocks the database's own queue, which is not part of Swift's thread pool.
                    gate.wait()
                }, finished: {})
        }
        return gate
    }

    func untilWaiting(_ count: Int) async {
        while group.waitingCount < count { await Task.yield() }
    }
}
