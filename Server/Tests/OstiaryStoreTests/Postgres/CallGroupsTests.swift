import Synchronization
import Testing

@testable import OstiaryStore

@Suite struct CallGroupsTests {
    @Test func `runs a call alone where there is a free place`() async throws {
        let runs = Runs(limit: 1)
        for number in 0..<3 { #expect(try await runs.answer(to: number) == number * 2) }
        #expect(runs.groups == [[0], [1], [2]])
    }

    @Test func `runs together what waited meanwhile, and no more than a group may have`() async throws {
        let runs = Runs(limit: 1, maximumGroup: 3)
        runs.close()
        async let first = runs.answer(to: 0)
        await runs.untilRunning(1)
        async let others = inParallel(5) { try await runs.answer(to: $0 + 1) }
        await runs.untilWaiting(5)
        runs.open()
        #expect(try await first == 0)
        #expect(try await others == [2, 4, 6, 8, 10])
        #expect(runs.groups.map(\.count) == [1, 3, 2])
        #expect(runs.groups.flatMap(\.self).sorted() == Array(0...5))
    }

    @Test func `runs as many groups at once as it may`() async throws {
        let runs = Runs(limit: 2)
        runs.close()
        async let answers = inParallel(6) { try await runs.answer(to: $0) }
        await runs.untilRunning(2)
        await runs.untilWaiting(4)
        #expect(runs.groups.map(\.count) == [1, 1])
        runs.open()
        #expect(try await answers == [0, 2, 4, 6, 8, 10])
    }

    @Test func `gives the error of a group to its calls, to those that wait, and to no later one`() async throws {
        let runs = Runs(limit: 1, maximumGroup: 2)
        runs.close()
        async let first = runs.answer(to: 0)
        await runs.untilRunning(1)
        async let others = inParallel(5) { number in
            await #expect(throws: Runs.Failed.self) { try await runs.answer(to: -1 - number) }
        }
        await runs.untilWaiting(5)
        runs.open()
        #expect(try await first == 0)
        _ = try await others
        #expect(runs.groups.map(\.count) == [1, 2])
        #expect(try await runs.answer(to: 4) == 8)
    }

    @Test func `gives the error of a lone call to those that wait, unless it was cancelled`() async throws {
        for isCancelled in [false, true] {
            let runs = Runs(limit: 1)
            runs.close()
            let first = Task { try await runs.answer(to: -1) }
            await runs.untilRunning(1)
            let second = Task { try await runs.answer(to: 2) }
            await runs.untilWaiting(1)
            if isCancelled { first.cancel() }
            runs.open()
            await #expect(throws: Runs.Failed.self) { try await first.value }
            if isCancelled {
                #expect(try await second.value == 4)
            } else {
                await #expect(throws: Runs.Failed.self) { try await second.value }
            }
        }
    }

    @Test func `refuses calls past the length of its queue`() async throws {
        let runs = Runs(limit: 1, maximumWaiting: 2)
        runs.close()
        async let answers = inParallel(3) { try await runs.answer(to: $0) }
        await runs.untilRunning(1)
        await runs.untilWaiting(2)
        await #expect(throws: StoreError.overloaded) { try await runs.answer(to: 3) }
        runs.open()
        #expect(try await answers == [0, 2, 4])
    }

    @Test func `refuses a call that waited for too long`() async throws {
        let runs = Runs(limit: 1, longestWait: .zero)
        runs.close()
        async let first = runs.answer(to: 0)
        await runs.untilRunning(1)
        let second = Task { try await runs.answer(to: 1) }
        await runs.untilWaiting(1)
        runs.open()
        #expect(try await first == 0)
        await #expect(throws: StoreError.overloaded) { try await second.value }
    }

    @Test func `answers a call whose task was cancelled while it waited`() async throws {
        let runs = Runs(limit: 1)
        runs.close()
        async let first = runs.answer(to: 0)
        await runs.untilRunning(1)
        let cancelled = Task { try await runs.answer(to: 1) }
        await runs.untilWaiting(1)
        cancelled.cancel()
        runs.open()
        #expect(try await first == 0)
        #expect(try await cancelled.value == 2)
        #expect(runs.wereCancelled == false)
    }
}

/// Groups that double numbers, and refuse negative ones; while it is closed, they wait.
private final class Runs: Sendable {
    struct Failed: Error {}

    private struct State {
        var isClosed = false
        var held: [CheckedContinuation<Void, Never>] = []
        var groups: [[Int]] = []
        var wereCancelled = false
    }

    private let calls: CallGroups<Int, Int>
    private let state = Mutex(State())

    init(limit: Int, maximumGroup: Int = 64, maximumWaiting: Int = 9, longestWait: Duration = .seconds(3600)) {
        calls = CallGroups(
            limit: limit, maximumGroup: maximumGroup, maximumWaiting: maximumWaiting, longestWait: longestWait)
    }

    var groups: [[Int]] { state.withLock { $0.groups } }
    var wereCancelled: Bool { state.withLock { $0.wereCancelled } }

    func answer(to call: Int) async throws -> Int {
        try await calls.answer(to: call) { [self] group in
            state.withLock { state in
                state.groups.append(group)
                if Task.isCancelled { state.wereCancelled = true }
            }
            await withCheckedContinuation { continuation in
                let isClosed = state.withLock { state in
                    if state.isClosed { state.held.append(continuation) }
                    return state.isClosed
                }
                if !isClosed { continuation.resume() }
            }
            guard group.allSatisfy({ $0 >= 0 }) else { throw Failed() }
            return { $0 * 2 }
        }
    }

    func close() { state.withLock { $0.isClosed = true } }

    func open() {
        let held = state.withLock { state in
            state.isClosed = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func untilRunning(_ count: Int) async { while groups.count < count { await Task.yield() } }
    func untilWaiting(_ count: Int) async { while calls.waitingCount < count { await Task.yield() } }
}
