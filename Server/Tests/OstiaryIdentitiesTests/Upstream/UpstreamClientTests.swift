import Foundation
import OstiaryContracts
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryIdentities

@Suite(.timeLimit(.minutes(2))) struct UpstreamClientTests {
    @Test func `UP-01 a bound on requests under way, for each origin of its own`() async throws {
        let gate = AsyncLatch()
        let transport = InProcessTransport { request in
            if request.url.hasPrefix("https://slow.example/") { await gate.wait() }
            return UpstreamResponse(status: 200)
        }
        let client = UpstreamClient(
            transport: transport, system: TestClock.machineTime().engineSystem, concurrency: 2)
        let waiting = (0..<2).map { _ in Task { try await client.send(UpstreamRequest(.get, "https://slow.example/")) }
        }
        await gate.waitForArrivals(2)
        let error = await problem { try await client.send(UpstreamRequest(.get, "https://SLOW.example:443/x?y")) }
        #expect(error as? UpstreamProblem == .away(origin: "https://slow.example"))
        #expect(try await client.send(UpstreamRequest(.get, "https://slow.example:444/")).status == 200)
        gate.open()
        for task in waiting { #expect(try await task.value.status == 200) }
        #expect(try await client.send(UpstreamRequest(.get, "https://slow.example/")).status == 200)
    }

    @Test func `UP-01 another origin's failures are not one's own`() async throws {
        let transport = InProcessTransport {
            UpstreamResponse(status: $0.url.hasPrefix("https://a.example/") ? 500 : 200)
        }
        let client = UpstreamClient(transport: transport, system: TestClock.machineTime().engineSystem)
        for _ in 0..<5 { _ = try await client.send(UpstreamRequest(.get, "https://a.example/")) }
        let error = await problem { try await client.send(UpstreamRequest(.get, "https://a.example/")) }
        #expect(error as? UpstreamProblem == .away(origin: "https://a.example"))
        #expect(try await client.send(UpstreamRequest(.get, "https://b.example/")).status == 200)
    }

    @Test func `a caller who gives up says nothing about the server`() async throws {
        let gate = AsyncLatch()
        let transport = InProcessTransport { _ in
            await gate.wait()
            try Task.checkCancellation()
            return UpstreamResponse(status: 200)
        }
        let client = UpstreamClient(transport: transport, system: TestClock.machineTime().engineSystem)
        let tasks = (0..<10).map { _ in Task { try await client.send(UpstreamRequest(.get, "https://a.example/")) } }
        await gate.waitForArrivals(10)
        for task in tasks { task.cancel() }
        gate.open()
        for task in tasks { #expect(await problem { try await task.value } is CancellationError) }
        #expect(try await client.send(UpstreamRequest(.get, "https://a.example/")).status == 200)
    }

    @Test func `sets the headers that are not set`() async throws {
        let transport = InProcessTransport { request in UpstreamResponse(status: 200, headers: request.headers) }
        let client = UpstreamClient(transport: transport, system: TestClock.machineTime().engineSystem)
        let plain = try await client.send(UpstreamRequest(.get, "https://a.example/"))
        #expect(plain.header("user-agent") == "Ostiary")
        #expect(plain.header("ACCEPT") == "application/json")
        let own = try await client.send(
            UpstreamRequest(.get, "https://a.example/", headers: [(name: "accept", value: "x")]))
        #expect(own.headers.filter { $0.name.lowercased() == "accept" }.map(\.value) == ["x"])
    }
}

@Suite(.timeLimit(.minutes(2))) struct CachedDocumentTests {
    @Test func `a caller who gives up ends the fetch for nobody`() async throws {
        let gate = AsyncLatch()
        let document = CachedDocument(system: TestClock.machineTime().engineSystem) {
            await gate.wait()
            try Task.checkCancellation()
            return 7
        }
        let first = Task { try await document.value() }
        await gate.waitForArrivals(1)
        let second = Task { try await document.value() }
        first.cancel()
        // The cancelled caller returns immediately, although the fetch continues.
        #expect(await problem { try await first.value } is CancellationError)
        gate.open()
        #expect(try await second.value == 7)
        #expect(try await document.value() == 7)
        #expect(gate.arrivals == 1)
    }

    @Test func `a caller who has given up already fetches nothing`() async throws {
        let fetches = Mutex(0)
        let document = CachedDocument(system: TestClock.machineTime().engineSystem) {
            fetches.withLock { $0 += 1 }
        }
        let gate = AsyncLatch()
        let task = Task {
            await gate.wait()
            return try await document.value()
        }
        task.cancel()
        gate.open()
        #expect(await problem { try await task.value } is CancellationError)
        #expect(fetches.withLock { $0 } == 0)
    }

    @Test func `while a new one cannot be had, the old one serves and the other is asked for it twice a minute`()
        async throws
    {
        let clock = TestClock.machineTime()
        let fetches = Mutex(0)
        let document = CachedDocument(system: clock.engineSystem) {
            let number = fetches.withLock { count in
                count += 1
                return count
            }
            guard number == 1 else { throw UpstreamProblem.addressRefused }
            return number
        }
        #expect(try await document.value() == 1)
        clock.advance(by: .seconds(3600))
        for expected in [2, 2, 3] {
            if expected == 3 { clock.advance(by: .seconds(30)) }
            #expect(try await document.value() == 1)
            #expect(fetches.withLock { $0 } == expected)
        }
    }

    @Test func `a failure with nothing in hand is not remembered`() async throws {
        let fetches = Mutex(0)
        let document = CachedDocument(system: TestClock.machineTime().engineSystem) {
            let number = fetches.withLock { count in
                count += 1
                return count
            }
            guard number > 1 else { throw UpstreamProblem.addressRefused }
            return number
        }
        #expect(await problem { try await document.value() } is UpstreamProblem)
        #expect(try await document.value() == 2)
    }
}

/// Blocks tasks until it is opened.
final class AsyncLatch: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let arrived = AsyncStream<Void>.makeStream()

    var arrivals: Int { state.withLock { $0.arrivals } }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            arrived.continuation.yield()
            if isOpen { continuation.resume() }
        }
    }

    /// Returns when that number of tasks has arrived. For one caller.
    func waitForArrivals(_ count: Int) async {
        if arrivals >= count { return }
        for await _ in arrived.stream where arrivals >= count { return }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
