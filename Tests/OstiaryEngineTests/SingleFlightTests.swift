import OstiaryEngine
import Synchronization
import Testing

@Suite struct SingleFlightTests {
    private struct Failure: Error {}

    /// Work that counts its executions and ends when the test ends it.
    private final class Work: Sendable {
        let count = Mutex(0)
        private let beginning = AsyncStream<Void>.makeStream()
        private let gate = AsyncStream<Void>.makeStream()

        func open() { gate.continuation.finish() }

        func run() async -> Int {
            let number = count.withLock { count in
                count += 1
                return count
            }
            beginning.continuation.finish()
            for await _ in gate.stream {}
            return number
        }

        func hasBegun() async { for await _ in beginning.stream {} }
    }

    @Test func `executes work once for concurrent callers, and tells the one whose work it was`() async throws {
        let (flight, work) = (SingleFlight<String, Int>(), Work())
        let callers = (0..<20).map { _ in Task { try await flight.run("a") { await work.run() } } }
        await work.hasBegun()
        #expect(flight.isRunning("a") && !flight.isRunning("b"))
        work.open()
        // A caller that arrives after the end starts a new execution.
        var (own, values) = (0, Set<Int>())
        for caller in callers {
            let outcome = try await caller.value
            values.insert(outcome.value)
            own += outcome.isOwn ? 1 : 0
        }
        let executions = work.count.withLock { $0 }
        #expect(own == executions && values == Set(1...executions))
        #expect(!flight.isRunning("a"))
    }

    @Test func `executes work of different keys side by side`() async throws {
        let (flight, work) = (SingleFlight<String, Int>(), Work())
        let waiting = Task { try await flight.run("a") { await work.run() } }
        await work.hasBegun()
        #expect(try await flight.run("b") { 7 }.value == 7)
        work.open()
        #expect(try await waiting.value.isOwn)
    }

    @Test func `gives the error to every caller, and executes the next work`() async throws {
        let flight = SingleFlight<String, Int>()
        await #expect(throws: Failure.self) { try await flight.run("a") { throw Failure() } }
        #expect(try await flight.run("a") { 1 }.value == 1)
    }

    @Test func `a cancelled caller returns at once and the work goes on for the others`() async throws {
        let (flight, work) = (SingleFlight<String, Int>(), Work())
        let cancelled = Task { try await flight.run("a") { await work.run() } }
        await work.hasBegun()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(flight.isRunning("a"))
        let other = Task { try await flight.run("a") { 2 } }
        work.open()
        let outcome = try await other.value
        #expect(outcome.value == 1 && !outcome.isOwn || outcome.value == 2 && outcome.isOwn)
        #expect(work.count.withLock { $0 } == 1)
    }
}
