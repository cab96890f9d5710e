import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryServerTestSupport
import OstiaryTesting
import ServiceLifecycle
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeliveryWorkerConcurrencyTests {
    private let bench = Bench()

    @Test func `sends SMS while a mail server hangs and hundreds of emails wait`() async throws {
        let gate = Gate()
        let email = RecordingSender { _ throws(DeliveryFailure) in try await gate.pass() }
        let sms = RecordingSender()
        for _ in 0..<300 { try await bench.send(.passwordChanged, to: .email(), app: .vici()) }
        try await bench.running(bench.worker(email: email, sms: sms)) {
            try await bench.send(.code(), to: .phone(), app: .vici())
            await sms.nextDelivery()
            gate.open()
        }
        #expect(sms.messages.count == 1)
    }

    @Test func `has no more than its width of one channel on the way`() async throws {
        let onTheWay = Mutex((now: 0, most: 0))
        let email = RecordingSender { _ throws(DeliveryFailure) in
            onTheWay.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<100 { await Task.yield() }
            onTheWay.withLock { $0.now -= 1 }
        }
        for _ in 0..<100 { try await bench.send(.passwordChanged, to: .email(), app: .vici()) }
        let settings = DeliverySettings(width: 3)
        try await bench.running(bench.worker(email: email, settings: settings)) { await bench.store.drained() }
        #expect(onTheWay.withLock(\.most) == 3)
        #expect(email.messages.count == 100)
    }

    @Test func `puts back what finds no room and delivers it later`() async throws {
        let gate = Gate()
        let email = RecordingSender { _ throws(DeliveryFailure) in try await gate.pass() }
        for _ in 0..<10 { try await bench.send(.passwordChanged, to: .email(), app: .vici()) }
        let settings = DeliverySettings(width: 1, backlog: 2)
        try await bench.running(bench.worker(email: email, settings: settings)) {
            guard case .postponed = await bench.store.nextEvent() else {
                Issue.record("nothing was put back")
                return
            }
            gate.open()
            // By claims and not by events: a message whose claim is about to end is skipped, which is no event.
            while await bench.store.count() > 0 {
                bench.pass(seconds: 1)
                await bench.store.nextClaim()
            }
        }
        #expect(Set(email.messages.map(\.id)).count == 10)
    }

    @Test func `does not begin a delivery whose claim is about to end`() async throws {
        let gate = Gate()
        let email = RecordingSender { _ throws(DeliveryFailure) in try await gate.pass() }
        for _ in 0..<2 { try await bench.send(.passwordChanged, to: .email(), app: .vici()) }
        try await bench.running(bench.worker(email: email, settings: DeliverySettings(width: 1))) {
            await email.nextDelivery()
            bench.clock.shiftWall(by: .seconds(100))
            gate.open()
            _ = await bench.store.nextEvent()
            #expect(email.messages.count == 1)
            bench.pass(seconds: 20)
            await bench.store.drained()
        }
        #expect(email.messages.count == 2)
    }

    @Test func `finishes what is on its way before a graceful shutdown`() async throws {
        let gate = Gate()
        let email = RecordingSender { _ throws(DeliveryFailure) in try await gate.pass() }
        try await bench.send(.passwordChanged, to: .email(), app: .vici())
        let group = ServiceGroup(services: [try bench.worker(email: email)], logger: bench.logs.logger)
        let running = Task { try await group.run() }
        await email.nextDelivery()
        await group.triggerGracefulShutdown()
        gate.open()
        try await running.value
        #expect(await bench.store.count() == 0)
    }

    @Test func `hands back what does not finish within the grace of a shutdown`() async throws {
        let email = RecordingSender { _ throws(DeliveryFailure) in try await Gate().pass() }
        for _ in 0..<2 { try await bench.send(.passwordChanged, to: .email(), app: .vici()) }
        let settings = DeliverySettings(pollInterval: .seconds(60), shutdownGrace: .seconds(5))
        let worker = try bench.worker(email: email, settings: settings)
        let group = ServiceGroup(services: [worker], logger: bench.logs.logger)
        let running = Task { try await group.run() }
        await email.nextDelivery()
        await email.nextDelivery()
        try await bench.clock.sleepers(1)
        await group.triggerGracefulShutdown()
        // The grace period, besides the polling interval.
        while !bench.clock.sleepers.contains(.seconds(5)) { await Task.yield() }
        bench.clock.advance(by: .seconds(5))
        try await running.value
        let now = bench.clock.now
        #expect(await bench.store.messages.values.allSatisfy { $0.due == now })
        #expect(await bench.store.count() == 2)
    }
}
