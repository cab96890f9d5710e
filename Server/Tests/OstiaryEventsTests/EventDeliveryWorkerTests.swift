import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryEvents
import OstiaryServerTestSupport
import OstiaryTesting
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct EventDeliveryWorkerTests {
    private let bench = EventBench()

    // MARK: Requests

    @Test func `sends an event with its id, its time and both signatures during a rotation`() async throws {
        let (endpoint, first) = try await bench.endpoint()
        let sender = RecordingWebhookSender()
        let worker = bench.worker(sender)
        let rotated = try await bench.administration.rotateSecret(of: endpoint.id)
        #expect(rotated.previousExpiresAt == bench.clock.now + 86_400)
        let jo = try bench.addAccount()
        try await bench.deliver(with: worker)
        bench.clock.shiftWall(by: .seconds(86_400))
        try bench.addSession("s1", of: jo)
        try await bench.deliver(with: worker)
        let requests = sender.requests
        try #require(requests.count == 2)
        func signatures(_ secrets: [Secret<String>], _ request: WebhookRequest) throws -> String {
            try secrets.map { text in
                try #require(WebhookSecret(text)).signature(
                    id: request.header("webhook-id") ?? "",
                    timestamp: Int(request.header("webhook-timestamp") ?? "") ?? 0,
                    body: request.body)
            }.joined(separator: " ")
        }
        #expect(requests[0].header("webhook-signature") == (try signatures([rotated.secret, first], requests[0])))
        #expect(requests[1].header("webhook-signature") == (try signatures([rotated.secret], requests[1])))
        #expect(try requests[0].header("webhook-id") == bench.deliveries[0].eventID)
        #expect(requests[1].header("webhook-timestamp") == String(Int(bench.clock.now.timeIntervalSince1970)))
    }

    @Test func `masks identifiers, and sends the fields that the endpoint includes`() async throws {
        _ = try await bench.endpoint()
        _ = try await bench.endpoint(include: ["email", "full_name", "roles"])
        let sender = RecordingWebhookSender()
        let jo = try bench.addAccount()
        try await bench.deliver(with: bench.worker(sender))
        let (plain, full) = (sender.requests[0], sender.requests[1])
        #expect(plain.type == "account.created" && plain.json["timestamp"] as? String == "2027-01-15T08:00:00.000Z")
        #expect(Set(plain.data.keys) == ["app", "account", "actor", "identifier", "provider"])
        #expect(plain.data["account"] as? String == jo.id.text && plain.data["actor"] is NSNull)
        #expect(plain.data["identifier"] as? String == jo.email?.masked)
        #expect(!String(decoding: plain.body, as: UTF8.self).contains("jo@example.com"))
        #expect(full.data["email"] as? String == "jo@example.com" && full.data["email_verified"] as? Bool == false)
        #expect(full.data["full_name"] is NSNull && full.data["roles"] as? [String] == [])
    }

    @Test func `every attempt of an event has the same body and id`() async throws {
        _ = try await bench.endpoint(include: ["email"])
        let sender = RecordingWebhookSender { _ in WebhookAnswer(status: 500) }
        let worker = bench.worker(sender)
        _ = try bench.addAccount()
        try await bench.deliver(with: worker)
        bench.clock.shiftWall(by: .seconds(5))
        try await bench.deliver(with: worker)
        #expect(sender.requests.count == 2 && Set(sender.requests.map(\.body)).count == 1)
        #expect(Set(sender.requests.map { $0.header("webhook-id") }).count == 1)
    }

    @Test func `a request prints its host alone`() async throws {
        _ = try await bench.endpoint()
        let sender = RecordingWebhookSender { _ in WebhookAnswer(status: 500) }
        _ = try bench.addAccount()
        try await bench.deliver(with: bench.worker(sender))
        let request = try #require(sender.requests.first)
        #expect("\(request)" == "POST crm.example.com")
        #expect(!bench.logs.text.contains("token=t") && !bench.logs.text.contains("jo@example.com"))
    }

    // MARK: Retries

    @Test func `retries after 5 s, 5 min, 30 min, 2 h, 5 h and then every 10 h, for three days`() async throws {
        _ = try await bench.endpoint()
        let sender = RecordingWebhookSender { _ throws(WebhookFailure) in throw .timedOut }
        let worker = bench.worker(sender)
        let jo = try bench.addAccount()
        try bench.addSession("s1", of: jo)
        var delays: [TimeInterval] = []
        while let delivery = try bench.deliveries.first, delivery.state == .pending {
            try await bench.deliver(with: worker)
            guard let next = try bench.deliveries.first?.nextAttemptAt else { break }
            delays.append(next.timeIntervalSince(bench.clock.now))
            bench.clock.setWall(to: next)
        }
        #expect(delays == [5, 300, 1800, 7200, 18_000, 36_000, 36_000, 36_000, 36_000, 36_000, 36_000])
        let failed = try #require(try bench.deliveries.first)
        #expect(failed.state == .failed && failed.attempts.count == 12)
        #expect(failed.attempts.allSatisfy { $0.error == "no answer in time" && $0.status == nil })
        #expect(sender.requests.filter { $0.type == "session.created" }.count == 1)
    }

    @Test(arguments: [200, 204, 299]) func `succeeds with`(status: Int) async throws {
        #expect(try await outcome(of: status) == .delivered)
    }

    @Test(arguments: [100, 301, 307, 400, 404, 429, 500, 503]) func `tries again after`(status: Int) async throws {
        #expect(try await outcome(of: status) == .pending)
    }

    private func outcome(of status: Int) async throws -> EventDelivery.State? {
        _ = try await bench.endpoint()
        _ = try bench.addAccount()
        try await bench.deliver(with: bench.worker(RecordingWebhookSender { _ in WebhookAnswer(status: status) }))
        #expect(try bench.deliveries.first?.attempts.map(\.status) == [status])
        return try bench.deliveries.first?.state
    }

    // MARK: Endpoints that fail

    @Test func `410 disables the endpoint and informs its contact`() async throws {
        let (endpoint, _) = try await bench.endpoint(contact: "ops@example.com")
        let worker = bench.worker(RecordingWebhookSender { _ in WebhookAnswer(status: 410) })
        _ = try bench.addAccount("jo")
        _ = try bench.addAccount("al")
        try await bench.deliver(with: worker)
        #expect(bench.store.eventEndpoint(endpoint.id)?.state == .disabled)
        #expect(try bench.deliveries.allSatisfy { $0.state == .failed })
        #expect(bench.sealer.notices.first == .eventEndpointDisabled(host: "crm.example.com"))
        #expect(bench.store.count() == 1)
    }

    @Test func `an endpoint that is made to fail again and again does not flood its contact`() async throws {
        let (endpoint, _) = try await bench.endpoint(contact: "ops@example.com")
        let worker = bench.worker(RecordingWebhookSender { _ in WebhookAnswer(status: 410) })
        func breakEndpoint(_ round: Int) async throws {
            _ = try await bench.administration.update(endpoint.id, EventEndpointUpdate(state: .enabled))
            _ = try bench.addAccount("jo\(round)")
            try await bench.deliver(with: worker)
            #expect(bench.store.eventEndpoint(endpoint.id)?.state == .disabled)
        }
        // Ten a day, less the fifth that is kept for the address's owner.
        for round in 1...12 {
            try await breakEndpoint(round)
            #expect(bench.store.count() == min(round, 8))
        }
        #expect(bench.capHits.count(.recipientDay) == 4)
        let heldBack = try bench.store.events(in: .videos(), since: nil, after: nil, limit: 100).map(\.event)
            .filter { $0.action == "sendMessage" }
        #expect(heldBack.map(\.outcome) == ["message_cap_recipient_day"])
        #expect(heldBack.first?.identifier == (try EmailAddress("ops@example.com").masked))
        bench.clock.shiftWall(by: .seconds(86_400))
        try await breakEndpoint(13)
        #expect(bench.store.count() == 9)
    }

    @Test func `an endpoint that fails for five days is disabled`() async throws {
        let (endpoint, _) = try await bench.endpoint(contact: "ops@example.com")
        let worker = bench.worker(RecordingWebhookSender { _ in WebhookAnswer(status: 500) })
        let start = bench.clock.now
        for day in 0...5 {
            bench.clock.setWall(to: start + Double(day) * 86_400)
            #expect(bench.store.eventEndpoint(endpoint.id)?.state == .enabled)
            _ = try bench.addAccount("jo\(day)")
            try await bench.deliver(with: worker)
        }
        #expect(bench.store.eventEndpoint(endpoint.id)?.state == .disabled)
        #expect(bench.store.count() == 1)
        #expect(bench.logs.text.contains("disabled because it fails"))
    }

    @Test func `a success in between keeps the endpoint`() async throws {
        let (endpoint, _) = try await bench.endpoint()
        let status = Mutex(500)
        let worker = bench.worker(RecordingWebhookSender { _ in WebhookAnswer(status: status.withLock { $0 }) })
        let start = bench.clock.now
        for day in 0...9 {
            bench.clock.setWall(to: start + Double(day) * 86_400)
            status.withLock { $0 = day == 4 ? 200 : 500 }
            _ = try bench.addAccount("jo\(day)")
            try await bench.deliver(with: worker)
        }
        #expect(bench.store.eventEndpoint(endpoint.id)?.state == .enabled)
        #expect(bench.store.eventEndpoint(endpoint.id)?.failingSince == start + 5 * 86_400)
    }

    // MARK: The service

    /// Runs a worker while `body` runs.
    private func running(_ worker: EventDeliveryWorker, _ body: () async throws -> Void) async throws {
        let running = Task { try await worker.run() }
        do { try await body() } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        try await running.value
    }

    @Test func `sends an account's events in their order, and those of others meanwhile`() async throws {
        _ = try await bench.endpoint()
        let sender = RecordingWebhookSender()
        let jo = try bench.addAccount("jo")
        for number in 1...5 { try bench.addSession("s\(number)", of: jo) }
        _ = try bench.addAccount("al")
        try await running(bench.worker(sender)) { await sender.arrived(7) }
        let order = sender.requests.filter { $0.data["account"] as? String == jo.id.text }
        #expect(order.map { $0.data["session"] as? String } == [nil, "s1", "s2", "s3", "s4", "s5"])
    }

    @Test func `finds by polling what another node queued`() async throws {
        _ = try await bench.endpoint()
        let sender = RecordingWebhookSender()
        try await running(bench.worker(sender)) {
            try await bench.clock.sleepers(1)
            _ = try bench.addAccount()
            bench.clock.advance(by: .seconds(1))
            await sender.arrived(1)
        }
        #expect(sender.requests.map(\.type) == ["account.created"])
    }

    @Test func `a slow endpoint does not delay another`() async throws {
        let (slow, _) = try await bench.endpoint()
        let (fast, _) = try await bench.administration.create(
            NewEventEndpoint(app: .videos(), url: "https://fast.example.com/"))
        let sender = RecordingWebhookSender { request in
            if request.url.contains("crm") { try? await Task.sleep(for: .seconds(600)) }
            return WebhookAnswer(status: 200)
        }
        for number in 0..<40 { _ = try bench.addAccount("jo\(number)") }
        try await running(bench.worker(sender)) {
            while bench.store.eventDeliveries(
                EventDeliveryFilter(apps: [fast.app], endpoint: fast.id, state: .delivered), before: nil, limit: 100
            ).count < 40 { await Task.yield() }
        }
        let begun = sender.requests.filter { $0.url.contains("crm") }.count
        #expect(begun <= 2 * EventDeliverySettings().widthPerEndpoint)
        #expect(slow.id != fast.id)
    }

    @Test func `endpoints of one app that do not answer do not delay the events of another`() async throws {
        let administration = try bench.administration
        for number in 0..<5 {
            let (slow, _) = try await administration.create(
                NewEventEndpoint(app: .videos(), url: "https://slow.example.com/\(number)"))
            for _ in 0..<2 { _ = try await administration.test(slow.id) }
        }
        let (fast, _) = try await administration.create(
            NewEventEndpoint(app: .music(), url: "https://fast.example.com/"))
        let point = HoldingPoint()
        let sender = RecordingWebhookSender { request throws(WebhookFailure) in
            if request.url.contains("slow") { do { try await point.hold() } catch { throw .cancelled } }
            return WebhookAnswer(status: 204)
        }
        let worker = bench.worker(
            sender, settings: EventDeliverySettings(width: 6, widthPerApp: 3, widthPerEndpoint: 2))
        try await running(worker) {
            for count in [4, 1, 1] {
                _ = try await administration.test(fast.id)
                worker.wake()
                await sender.arrived(count)
            }
            // Before the worker ends: it returns what it was sending to the queue.
            let slow = sender.requests.filter { $0.url.contains("slow") }
            #expect(slow.count == 3 && Set(slow.map(\.url)).count == 3)
            #expect(sender.requests.count == 6)
        }
    }

    @Test func `an endpoint has one request at a time until one succeeds, and again after a failure`() async throws {
        let (endpoint, _) = try await bench.endpoint(types: ["account.created"])
        let (other, _) = try await bench.administration.create(
            NewEventEndpoint(app: .music(), url: "https://other.example.com/"))
        for number in 0..<3 { _ = try bench.addAccount("jo\(number)") }
        let (point, passing) = (HoldingPoint(), HoldingPoint())
        passing.open()
        let status = Mutex(204)
        let sender = RecordingWebhookSender { request throws(WebhookFailure) in
            do { try await (request.url.contains("crm") ? point : passing).hold() } catch { throw .cancelled }
            return WebhookAnswer(status: status.withLock { $0 })
        }
        let worker = bench.worker(sender)
        /// Waits for a request that can begin only after all that may begin before it.
        func pass() async throws {
            let count = passing.arrivals
            _ = try await bench.administration.test(other.id)
            worker.wake()
            try await passing.arrivals(count + 1)
        }
        try await running(worker) {
            try await point.arrivals(1)
            try await pass()
            #expect(point.arrivals == 1)
            point.release()
            try await point.arrivals(3)
            status.withLock { $0 = 500 }
            point.release(2)
            while bench.store.eventDeliveries(
                EventDeliveryFilter(apps: [endpoint.app], endpoint: endpoint.id), before: nil, limit: 10
            ).contains(where: \.attempts.isEmpty) { await Task.yield() }
            status.withLock { $0 = 204 }
            bench.clock.shiftWall(by: .seconds(5))
            worker.wake()
            try await point.arrivals(4)
            try await pass()
            #expect(point.arrivals == 4)
        }
    }

    @Test func `a request that a shutdown cancels is made again by the next worker`() async throws {
        _ = try await bench.endpoint()
        let stuck = RecordingWebhookSender { _ throws(WebhookFailure) in
            do { try await Task.sleep(for: .seconds(600)) } catch { throw .cancelled }
            return WebhookAnswer(status: 200)
        }
        _ = try bench.addAccount()
        try await running(bench.worker(stuck)) { await stuck.arrived(1) }
        let sender = RecordingWebhookSender()
        try await bench.deliver(with: bench.worker(sender))
        #expect(sender.requests.count == 1)
        #expect(try bench.deliveries.first?.attempts.count == 1)
    }

    @Test func `events that were claimed as a shutdown began are due at once, without an attempt`() async throws {
        _ = try await bench.endpoint()
        for name in ["jo", "al"] { _ = try bench.addAccount(name) }
        let (claims, claimed) = AsyncStream<Void>.makeStream()
        let sender = RecordingWebhookSender()
        let worker = bench.worker(sender, queue: HeldQueue(base: bench.store, claimed: claimed))
        let group = ServiceGroup(services: [worker], logger: bench.logs.logger)
        let running = Task { try await group.run() }
        for await _ in claims { break }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(sender.requests.isEmpty)
        let now = bench.clock.now
        let due = bench.store.claimEvents(at: now, until: now + 60, limit: 10, excluding: [], apps: [])
        #expect(due.count == 2 && due.allSatisfy { $0.delivery.attempts.isEmpty })
    }
}

/// A queue whose claims end when a shutdown has begun.
private struct HeldQueue: EventQueue {
    let base: MemoryStore
    let claimed: AsyncStream<Void>.Continuation

    func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, excluding full: Set<EventEndpointID>,
        apps fullApps: Set<AppName>
    ) async throws -> [ClaimedDelivery] {
        let deliveries = base.claimEvents(
            at: now, until: claimedUntil, limit: limit, excluding: full, apps: fullApps)
        claimed.yield()
        while !Task.isShuttingDownGracefully { await Task.yield() }
        return deliveries
    }

    func finish(
        _ delivery: EventDelivery, attempts: [EventDelivery.Attempt], _ outcome: EventAttemptOutcome, at now: Date
    ) async throws {
        base.finish(delivery, attempts: attempts, outcome, at: now)
    }

    func release(_ delivery: EventDelivery) async throws { base.release(delivery) }

    func disable(
        _ id: EventEndpointID, failingSince: Date?, notice: CountedMessage?, at now: Date
    ) async throws -> EventEndpointDisabling {
        try base.disable(id, failingSince: failingSince, notice: notice, at: now)
    }
}
