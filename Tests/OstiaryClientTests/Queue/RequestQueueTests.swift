import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct RequestQueueTests {
    @Test func `sends what is queued at once, with its key`() async throws {
        let rig = try QueueRig()
        let id = try await rig.put("a")
        await rig.settle()
        #expect(rig.sending.paths == ["/a"])
        #expect(rig.sending.calls.first?.key == id.text)
        #expect(rig.log == [.queued(id, depth: 1), .queueSent(id, depth: 0)])
        #expect(rig.outcomes == [.sent(.ok)])
        #expect(try await rig.queue.waiting().isEmpty)
    }

    @Test func `keeps the order, and each key at every try`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        var ids: [String] = []
        for name in ["a", "b", "c"] {
            ids.append(try await rig.put(name).text)
            await rig.settle()
        }
        #expect(rig.sending.paths == ["/a", "/a", "/a"])
        rig.sending.answers { _ throws(ClientError) in .ok }
        await rig.queue.sendNow()
        #expect(rig.sending.paths.suffix(3) == ["/a", "/b", "/c"])
        #expect(rig.sending.calls.map(\.key) == [ids[0], ids[0], ids[0], ids[0], ids[1], ids[2]])
    }

    @Test func `sends again with the same key after a lost answer`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .network(.connectionLost) }
        try await rig.put("a")
        await rig.settle()
        rig.sending.answers { _ throws(ClientError) in .ok }
        await rig.queue.sendNow()
        #expect(rig.sending.calls.count == 2)
        #expect(Set(rig.sending.calls.map(\.key)).count == 1)
    }

    @Test func `tries again by itself, at growing distances`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("a")
        for seconds in [2, 4, 8, 16] {
            try await rig.time.sleepers(1)
            #expect(rig.time.sleepers == [.seconds(seconds)])
            await rig.settle()
            rig.time.advance(by: .seconds(seconds))
        }
        try await rig.time.sleepers(1)
        await rig.settle()
        #expect(rig.sending.calls.count == 5)
    }

    @Test(arguments: [RequestQueue.Reason.networkSeen, .signedIn, .queued])
    func `goes on when the network shows itself`(_ reason: RequestQueue.Reason) async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("a")
        await rig.settle()
        rig.sending.answers { _ throws(ClientError) in .ok }
        await rig.queue.wake(reason)
        await rig.settle()
        #expect(rig.sending.paths == ["/a", "/a"])
        #expect(try await rig.queue.waiting().isEmpty)
    }

    @Test func `goes on when another request gets through`() async throws {
        let device = try Device(skippingSleeps: .zero) { $0.requests.retries = .none }
        try await device.signIn()
        device.network.on(.post("/note"), .offline, times: 1)
        try await device.client.queue.enqueue(.note("note"), id: QueuedRequest.ID())
        while let pass = await device.client.queue.pass { await pass.value }
        let _: EmptyBody = try await device.client.get("/other")
        try await device.network.calls(2, .post("/note"))
    }

    @Test(arguments: [500, 502, 503, 408, 425, 429, 401, 302])
    func `keeps what cannot be done now, and lets nothing overtake it`(_ status: Int) async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in WireResponse(status: status) }
        let first = try await rig.put("a")
        await rig.settle()
        try await rig.put("b")
        await rig.queue.wake(.networkSeen)
        await rig.settle()
        #expect(rig.sending.paths == ["/a"], "the server has answered: the network is no news")
        #expect(rig.log.contains(.queueHeld(failure: .http(status), depth: 1)))
        #expect(rig.outcomes.isEmpty)
        rig.sending.answers { _ throws(ClientError) in .ok }
        await rig.queue.sendNow()
        #expect(rig.sending.paths == ["/a", "/a", "/b"])
        #expect(rig.sending.calls[1].key == first.text)
    }

    @Test func `waits as long as the server asks, whoever wants it earlier`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in WireResponse(status: 429, headers: ["retry-after": "90"]) }
        try await rig.put("a")
        await rig.settle()
        rig.sending.answers { _ throws(ClientError) in .ok }
        rig.time.advance(by: .seconds(89))
        await rig.queue.sendNow()
        #expect(rig.sending.calls.count == 1)
        rig.time.advance(by: .seconds(1))
        await rig.queue.sendNow()
        #expect(rig.sending.calls.count == 2)
    }

    @Test(arguments: [400, 403, 404, 409, 410, 413, 422])
    func `gives up what is refused for good, says so, and sends the rest`(_ status: Int) async throws {
        let rig = try QueueRig()
        let refusal = WireResponse(status: status, body: Array("no".utf8))
        rig.sending.answers { call throws(ClientError) in
            if call.request.path == "/b" { refusal } else { throw .offline }
        }
        try await rig.put("a")
        let refused = try await rig.put("b")
        try await rig.put("c")
        await rig.settle()
        rig.sending.answers { call throws(ClientError) in call.request.path == "/b" ? refusal : .ok }
        await rig.queue.sendNow()
        #expect(rig.sending.paths.suffix(3) == ["/a", "/b", "/c"])
        #expect(rig.outcomes == [.sent(.ok), .dropped(refusal, .http(status)), .sent(.ok)])
        #expect(rig.log.contains(.queueDropped(refused, failure: .http(status), depth: 1)))
    }

    @Test func `gives up a request whose answer is too large, and sends the rest`() async throws {
        let device = try Device(skippingSleeps: .zero) { $0.requests.retries = .none }
        try await device.signIn()
        device.network.on(.post("/note"), .failure(.tooLarge(maximumBytes: 1)))
        try await device.client.enqueue("POST", "/note", json: ["a"])
        try await device.client.enqueue("POST", "/other", json: ["b"])
        await device.client.retryQueue()
        #expect(device.network.calls(.post("/note")).count == 1)
        #expect(device.network.calls(.post("/other")).count == 1)
        #expect(try await device.client.queuedRequests().isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a retry in the callback of an outcome does not wait for the callback`() async throws {
        let rig = try QueueRig()
        rig.whenEnded { [rig] in
            await rig.queue.sendNow()
            try? await rig.time.sleep(for: .seconds(1))
        }
        try await rig.put("a")
        try await rig.time.sleepers(1)
        rig.whenEnded {}
        try await rig.put("b")
        rig.time.advance(by: .seconds(1))
        await rig.settle()
        #expect(rig.sending.paths == ["/a", "/b"])
    }

    @Test func `clears what waited when the server ends the session`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("a")
        try await rig.put("b")
        await rig.settle()
        rig.sending.answers { _ throws(ClientError) in throw .sessionEnded(.refreshTokenReused) }
        await rig.queue.sendNow()
        #expect(try await rig.queue.waiting().isEmpty)
        #expect(rig.log.last == .queueCleared(count: 2))
        #expect(rig.outcomes.isEmpty)
    }

    @Test func `refuses what does not fit, and keeps what is there`() async throws {
        let rig = try QueueRig(limits: QueueLimits(requests: 2, bytes: 200))
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("a")
        try await rig.put("b")
        await #expect(throws: ClientError.queueFull) { try await rig.put("c") }
        await rig.settle()
        #expect(try await rig.queue.waiting().map(\.request.path) == ["/a", "/b"])
    }

    @Test func `counts bytes over all that waits`() async throws {
        let size = QueuedRequest(id: .init(), owner: try .jo, request: .note("a"), queuedAt: TestClock.start).bytes
        let rig = try QueueRig(limits: QueueLimits(bytes: 2 * size))
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("a")
        try await rig.put("b")
        await #expect(throws: ClientError.queueFull) { try await rig.put("c") }
        await #expect(
            throws: ClientError.invalidRequest("\(2 * size + 2) bytes are more than the queue takes: \(2 * size)")
        ) {
            try await rig.put(String(repeating: "d", count: (size + 2) / 2 + 1))
        }
    }

    @Test func `takes a request that waits already once`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        let id = try await rig.put("a")
        try await rig.put("b", id: id)
        await rig.settle()
        #expect(try await rig.queue.waiting().map(\.request.path) == ["/a"])
    }

    @Test func `takes a request out again`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        let first = try await rig.put("a")
        try await rig.put("b")
        await rig.settle()
        #expect(try await rig.queue.withdraw(first))
        #expect(try await !rig.queue.withdraw(first))
        rig.sending.answers { _ throws(ClientError) in .ok }
        await rig.queue.sendNow()
        #expect(rig.sending.paths.last == "/b")
    }

    @Test(arguments: ["authorization", "Authorization", "cookie", "idempotency-key", "x\r\ny", ""])
    func `takes no header that is not the app's`(_ name: String) async throws {
        let rig = try QueueRig()
        await #expect(throws: ClientError.self) {
            try await rig.queue.enqueue(
                WireRequest(method: "POST", path: "/a", headers: [name: "x"]), id: QueuedRequest.ID())
        }
        #expect(rig.log.isEmpty)
    }

    @Test(arguments: [("POST", "a"), ("POST", ""), ("POST", "/../a"), ("POST", "/a b"), ("PO ST", "/a"), ("", "/a")])
    func `takes nothing that could never be sent`(_ method: String, _ path: String) async throws {
        let rig = try QueueRig()
        await #expect(throws: ClientError.self) {
            try await rig.queue.enqueue(WireRequest(method: method, path: path), id: QueuedRequest.ID())
        }
    }
}
