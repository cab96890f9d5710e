import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct QueueOwnershipTests {
    @Test func `takes nothing from nobody`() async throws {
        let rig = try QueueRig(sending: ScriptedSending(as: nil))
        await #expect(throws: ClientError.notSignedIn) { try await rig.put("a") }
    }

    @Test func `sends for nobody but who queued it`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("jo-1")
        await rig.settle()
        rig.sending.personNow = try .sam
        rig.sending.answers { _ throws(ClientError) in .ok }
        try await rig.put("sam-1")
        await rig.settle()
        await rig.queue.sendNow()
        #expect(rig.sending.calls.dropFirst().map(\.request.path) == ["/sam-1"])
        rig.sending.personNow = try .jo
        await rig.queue.wake(.signedIn)
        await rig.settle()
        #expect(rig.sending.paths.last == "/jo-1")
        #expect(try rig.sending.calls.last?.owner == .jo)
    }

    @Test func `sends to no other server and speaks no other contract`() async throws {
        let store = MemoryRequestQueueStore()
        let elsewhere = QueueOwner(
            contract: "clarity", baseURL: try BaseURL("https://other.example.com"), person: try QueueOwner.jo.person)
        let rig = try QueueRig(store, sending: ScriptedSending(as: elsewhere))
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("a")
        await rig.settle()
        let here = try QueueRig(store)
        await here.queue.sendNow()
        #expect(here.sending.calls.isEmpty)
    }

    @Test func `forgets what waits when its owner signs out, and nothing of others`() async throws {
        let rig = try QueueRig()
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("jo-1")
        try await rig.put("jo-2")
        rig.sending.personNow = try .sam
        try await rig.put("sam-1")
        await rig.settle()
        await rig.queue.clear(try .jo)
        #expect(rig.log.last == .queueCleared(count: 2))
        rig.sending.answers { _ throws(ClientError) in .ok }
        await rig.queue.sendNow()
        rig.sending.personNow = try .jo
        await rig.queue.sendNow()
        #expect(rig.sending.paths.last == "/sam-1")
    }

    @Test func `tells nobody of a request that was under way at sign-out, and goes on with who came next`() async throws
    {
        let rig = try QueueRig()
        let jo = try QueueOwner.jo
        let sam = try QueueOwner.sam
        rig.sending.answers { [rig] call throws(ClientError) in
            guard call.owner == jo else { return .ok }
            // Signs out, another signs in and queues, all before the answer is here.
            rig.sending.personNow = sam
            await rig.queue.clear(jo)
            do { try await rig.put("sam-1") } catch { throw .invalidResponse }
            return .ok
        }
        try await rig.put("jo-1")
        await rig.settle()
        #expect(rig.sending.calls.map(\.owner) == [jo, sam])
        #expect(rig.outcomes == [.sent(.ok)], "sam's alone")
        rig.sending.answers { _ throws(ClientError) in .ok }
    }

    @Test func `cancels what is under way at sign-out`() async throws {
        let rig = try QueueRig()
        let jo = try QueueOwner.jo
        rig.sending.answers { [rig] _ throws(ClientError) in
            rig.sending.personNow = nil
            await rig.queue.clear(jo)
            guard !Task.isCancelled else { throw .cancelled }
            return .ok
        }
        try await rig.put("jo-1")
        await rig.settle()
        #expect(rig.sending.calls.count == 1)
        #expect(rig.outcomes.isEmpty)
        #expect(!rig.log.contains { if case .queueHeld = $0 { true } else { false } })
        rig.sending.answers { _ throws(ClientError) in .ok }
    }

    @Test func `takes in nothing that was queued before a sign-out and arrives after it`() async throws {
        let store = ScriptedQueueStore()
        let rig = try QueueRig(store)
        let jo = try QueueOwner.jo
        store.beforeChange { [rig, store] in
            store.beforeChange {}
            rig.sending.personNow = nil
            // Waits for the store, as the request does: it cannot be awaited here.
            Task { await rig.queue.clear(jo) }
            while await rig.queue.departures[jo] == nil { await Task.yield() }
        }
        await #expect(throws: ClientError.notSignedIn) { try await rig.put("a") }
        rig.sending.personNow = jo
        #expect(try await rig.queue.waiting().isEmpty)
    }

    @Test func `clears at the next start what a killed sign-out left behind`() async throws {
        let store = MemoryRequestQueueStore()
        let before = try QueueRig(store)
        before.sending.answers { _ throws(ClientError) in throw .offline }
        try await before.put("jo-1")
        before.sending.personNow = try .sam
        try await before.put("sam-1")
        await before.settle()
        let after = try QueueRig(store)
        await after.queue.keepOnly(
            [try .sam], contract: "clarity", baseURL: try BaseURL("https://api.example.com"))
        #expect(await store.read().requests.map(\.request.path) == ["/sam-1"])
        await after.queue.keepOnly([], contract: "clarity", baseURL: try BaseURL("https://other.example.com"))
        #expect(await store.read().requests.count == 1)
    }

    @Test func `clears before all else what could not be cleared at sign-out, and not what comes after`() async throws {
        let store = ScriptedQueueStore()
        let rig = try QueueRig(store)
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("old")
        await rig.settle()
        store.fails = true
        await rig.queue.clear(try .jo)
        store.fails = false
        try await rig.put("new")
        await rig.settle()
        #expect(try await rig.queue.waiting().map(\.request.path) == ["/new"])
        #expect(rig.log.contains(.queueCleared(count: 1)))
    }

    @Test func `says when the store does not take it`() async throws {
        let store = ScriptedQueueStore()
        let rig = try QueueRig(store)
        store.fails = true
        await #expect(throws: ClientError.store(.busy)) { try await rig.put("a") }
        store.fails = false
        await rig.queue.sendNow()
        #expect(rig.sending.calls.isEmpty)
    }

    @Test func `sends nothing twice nor out of turn while the store does not let go`() async throws {
        let store = ScriptedQueueStore()
        let rig = try QueueRig(store)
        rig.sending.answers { _ throws(ClientError) in throw .offline }
        try await rig.put("a")
        try await rig.put("b")
        await rig.settle()
        let tries = rig.sending.calls.count
        rig.sending.answers { [store] _ throws(ClientError) in
            store.fails = true
            return .ok
        }
        await rig.queue.sendNow()
        await rig.queue.sendNow()
        #expect(rig.sending.paths.dropFirst(tries) == ["/a"])
        store.fails = false
        rig.sending.answers { _ throws(ClientError) in .ok }
        await rig.queue.sendNow()
        #expect(rig.sending.paths.dropFirst(tries) == ["/a", "/b"])
        #expect(rig.outcomes.count == 2)
    }
}

extension RequestQueueTests {
    @Test func `leaves sending to whoever is at it, and looks again`() async throws {
        let store = MemoryRequestQueueStore()
        let other = try await store.sendLease()
        let rig = try QueueRig(store)
        try await rig.put("a")
        await rig.settle()
        #expect(rig.sending.calls.isEmpty)
        try await rig.time.sleepers(1)
        #expect(rig.time.sleepers == [.seconds(15)])
        other.end()
        rig.time.advance(by: .seconds(15))
        while rig.sending.calls.isEmpty { await Task.yield() }
        await rig.settle()
        #expect(rig.sending.paths == ["/a"])
    }
}
