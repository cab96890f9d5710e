import Foundation
import OstiaryEngine
import OstiaryTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct IdempotentRequestTests {
    private let servers: ServerWorld
    private let performances = Performances()
    private let name = ["key:1", "POST", "/apps", "k1"]

    init() throws { servers = try ServerWorld() }

    /// Counts how often a request was performed.
    private final class Performances: Sendable {
        private let counted = Mutex(0)
        var count: Int { counted.withLock { $0 } }

        func next() -> [UInt8] {
            counted.withLock { count in
                count += 1
                return [UInt8(count)]
            }
        }
    }

    private struct Failed: Error {}

    private func send(_ name: [String]? = nil, body: String = "{}", on node: ServerWorld? = nil) async throws -> [UInt8]
    {
        try await IdempotentRequests((node ?? servers).server).perform(name ?? self.name, body: Array(body.utf8)) {
            (performances.next(), true)
        }.answer
    }

    @Test func `performs a request once for a day, on every node`() async throws {
        let node = try ServerWorld.node(beside: servers)
        #expect(try await send() == [1])
        #expect(try await send(on: node) == [1])
        servers.world.clock.shiftWall(by: .seconds(86_399))
        #expect(try await send() == [1])
        servers.world.clock.shiftWall(by: .seconds(1))
        #expect(try await send(on: node) == [2])
    }

    @Test func `performs requests with another actor, method, path or key apart`() async throws {
        for index in name.indices {
            var other = name
            other[index] = "other"
            _ = try await send(other)
        }
        // The parts are not run together.
        _ = try await send(["key:1", "POST", "/appsk", "1"])
        #expect(performances.count == 5)
    }

    @Test func `refuses another body`() async throws {
        _ = try await send()
        await #expect(throws: IdempotentRequests.Refusal.reused) { try await send(body: "{\"a\":1}") }
        #expect(performances.count == 1)
    }

    @Test func `performs a failed request again`() async throws {
        await #expect(throws: Failed.self) {
            try await IdempotentRequests(servers.server).perform(name, body: []) { throw Failed() }
        }
        #expect(try await send(body: "{\"corrected\":true}") == [1])
    }

    @Test func `performs an answer that is not to be kept again`() async throws {
        let first = try await IdempotentRequests(servers.server).perform(name, body: []) { ([9], false) }
        #expect(first.answer == [9] && !first.isKept)
        #expect(try await send() == [1])
    }

    @Test func `refuses a request while the first one is performed`() async throws {
        let point = HoldingPoint()
        async let first = IdempotentRequests(servers.server).perform(name, body: Array("{}".utf8)) {
            try await point.hold()
            return ([7], true)
        }
        try await point.arrivals(1)
        await #expect(throws: IdempotentRequests.Refusal.inUse(retryAfterSeconds: 120)) { try await send() }
        point.release()
        #expect(try await first.answer == [7])
        #expect(try await send() == [7])
    }

    @Test func `performs a request again whose answer could not be kept`() async throws {
        servers.world.store.fail("completeRequest")
        #expect(try await send() == [1])
        servers.world.store.recover()
        #expect(try await send() == [2])
    }

    @Test func `completes a request whose caller has gone`() async throws {
        let point = HoldingPoint()
        let caller = Task {
            try await IdempotentRequests(servers.server).perform(name, body: Array("{}".utf8)) {
                try await point.hold()
                try Task.checkCancellation()
                return ([7], true)
            }
        }
        try await point.arrivals(1)
        caller.cancel()
        point.release()
        _ = await caller.result
        #expect(try await send() == [7])
    }
}
