import OstiaryTesting
import Synchronization
import Testing

struct HoldingPointTests {
    private let point = HoldingPoint()
    private let passed = Passed()

    /// What has gone through, in order.
    private final class Passed: Sendable {
        private let names = Mutex<[Int]>([])
        func add(_ name: Int) { names.withLock { $0.append(name) } }
        var all: [Int] { names.withLock { $0 } }
    }

    @Test func `holds whoever comes until it opens`() async throws {
        async let held: Void = hold(1)
        try await point.arrivals(1)
        #expect(passed.all.isEmpty)
        point.open()
        try await held
        try await hold(2)
        #expect(passed.all == [1, 2])
    }

    @Test func `lets as many go as were released, and holds the next`() async throws {
        point.release(2)
        try await hold(1)
        try await hold(2)
        async let held: Void = hold(3)
        try await point.arrivals(3)
        #expect(passed.all == [1, 2])
        point.release()
        try await held
    }

    @Test func `holds again after it was closed`() async throws {
        point.open()
        try await hold(1)
        point.close()
        async let held: Void = hold(2)
        try await point.arrivals(2)
        #expect(passed.all == [1])
        point.open()
        try await held
    }

    @Test func `ends the wait of a cancelled task, and of nobody else`() async throws {
        let cancelled = Task { try await hold(1) }
        async let held: Void = hold(2)
        try await point.arrivals(2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        point.release()
        try await held
        #expect(passed.all == [2])
    }

    @Test func `holds nobody who was cancelled before`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await hold(1)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    private func hold(_ name: Int) async throws {
        try await point.hold()
        passed.add(name)
    }
}
