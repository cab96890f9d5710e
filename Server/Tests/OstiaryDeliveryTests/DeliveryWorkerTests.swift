import Crypto
import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryServerTestSupport
import OstiaryTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeliveryWorkerTests {
    private let bench = Bench()

    @Test func `delivers at once what is queued in the same process`() async throws {
        let sms = RecordingSender()
        try await bench.running(bench.worker(sms: sms)) {
            try await bench.send(.code(), to: .phone(), app: .vici())
            await bench.store.drained()
        }
        let message = try #require(sms.messages.first)
        #expect(message.recipient == (try .phone()))
        #expect(
            message.text.reveal() == "Your Example code is 123456. It works for 5 minutes. Do not share it.")
    }

    @Test func `delivers after a restart what was queued before`() async throws {
        try await bench.send(.passwordChanged, to: .email(), app: .vici())
        let restarted = Bench(store: bench.store)
        let email = RecordingSender()
        try await restarted.running(restarted.worker(email: email)) { await restarted.store.drained() }
        #expect(email.messages.map(\.subject) == ["Your Example password was changed"])
    }

    @Test func `finds by polling what another node queued`() async throws {
        let email = RecordingSender()
        let elsewhere = Outbox(
            store: bench.store, keys: .test, system: bench.system, signal: OutboxSignal())
        try await bench.running(bench.worker(email: email)) {
            // After its first read of the store, only the clock can wake the worker.
            await bench.store.nextClaim()
            try await bench.clock.sleepers(1)
            try await bench.store.enqueue(elsewhere.seal(.passwordChanged, to: .email(), app: .vici()))
            elsewhere.wake()
            bench.clock.advance(by: .seconds(1))
            await email.nextDelivery()
        }
        #expect(email.messages.count == 1)
    }

    @Test func `throws away a notice of nothing`() async throws {
        let email = RecordingSender()
        try await bench.running(bench.worker(email: email)) {
            try await bench.send(.nothing, to: .email(), app: .vici())
            await bench.store.drained()
        }
        #expect(email.messages.isEmpty)
    }

    @Test func `tries again when the time has come, with the same id`() async throws {
        let email = RecordingSender { _ throws(DeliveryFailure) in throw .temporary("away") }
        try await bench.running(bench.worker(email: email)) {
            let start = bench.clock.now
            try await bench.send(.reset(), to: .email(), app: .vici())
            let first = await bench.store.nextEvent()
            bench.pass(seconds: 5)
            let second = await bench.store.nextEvent()
            let id = try #require(email.messages.first?.id)
            #expect(first == .postponed(id, until: start + 5))
            #expect(second == .postponed(id, until: start + 15))
        }
        #expect(Set(email.messages.map(\.id)).count == 1)
        #expect(email.messages.count == 2)
    }

    @Test func `drops a code when its lifetime is over`() async throws {
        let sms = RecordingSender()
        try await bench.send(.code(), to: .phone(), app: .vici())
        bench.clock.shiftWall(by: .seconds(300))
        try await bench.running(bench.worker(sms: sms)) { await bench.store.drained() }
        #expect(sms.messages.isEmpty)
        #expect(bench.logs.text.contains("useful life has ended"))
    }

    @Test func `drops a code whose next try would come too late`() async throws {
        let sms = RecordingSender { _ throws(DeliveryFailure) in throw .temporary("away") }
        try await bench.send(.code(), to: .phone(), app: .vici())
        bench.clock.shiftWall(by: .seconds(290))
        try await bench.running(bench.worker(sms: sms)) { await bench.store.drained() }
        #expect(sms.messages.count == 1)
    }

    @Test func `drops what is refused for good, with its id and a masked recipient in the log`() async throws {
        let email = RecordingSender { _ throws(DeliveryFailure) in throw .permanent("SMTP 550") }
        try await bench.running(bench.worker(email: email)) {
            try await bench.send(.reset(), to: .email(), app: .vici())
            await bench.store.drained()
        }
        #expect(bench.logs.text.contains("message discarded"))
        #expect(bench.logs.text.contains("SMTP 550"))
        #expect(bench.logs.text.contains("a***@example.org"))
        #expect(bench.logs.text.contains(try #require(email.messages.first?.id)))
    }

    @Test func `counts each message by its channel once it is sent or given up`() async throws {
        let sms = RecordingSender { _ throws(DeliveryFailure) in throw .permanent("refused") }
        let worker = try bench.worker(email: RecordingSender(), sms: sms)
        try await bench.running(worker) {
            try await bench.send(.reset(), to: .email(), app: .vici())
            _ = await bench.store.nextEvent()
            try await bench.send(.code(), to: .phone(), app: .vici())
            _ = await bench.store.nextEvent()
            try await bench.send(.nothing, to: .email(), app: .vici())
            await bench.store.drained()
        }
        let results = await bench.store.records.map(\.result)
        #expect(results.map(\.channel) == ["email", "sms"])
        #expect(results.map(\.outcome) == [.sent, .failed])
        #expect(worker.counts.counts.values.reduce(0, +) == 2)
    }

    @Test(arguments: [nil, DeliveryFailure.temporary("away"), .permanent("refused")])
    func `logs no code, token or recipient at trace level`(failure: DeliveryFailure?) async throws {
        let sender = RecordingSender { _ throws(DeliveryFailure) in if let failure { throw failure } }
        try await bench.running(bench.worker(email: sender, sms: sender)) {
            try await bench.send(.code("918273"), to: .phone("+15559990000"), app: .vici())
            _ = await bench.store.nextEvent()
            try await bench.send(.reset("canary-token"), to: .email("canary@example.org"), app: .vici())
            _ = await bench.store.nextEvent()
        }
        let text = bench.logs.text
        #expect(text.contains("***0000"))
        for secret in ["918273", "canary", "5559990000"] { #expect(!text.contains(secret)) }
    }

    @Test func `goes on when the store that refused is back`() async throws {
        let email = RecordingSender()
        try await bench.send(.passwordChanged, to: .email(), app: .vici())
        await bench.store.refuseClaims(true)
        try await bench.running(bench.worker(email: email)) {
            await bench.store.nextClaim()
            await bench.store.refuseClaims(false)
            try await bench.clock.sleepers(1)
            bench.clock.advance(by: .seconds(1))
            await bench.store.drained()
        }
        #expect(email.messages.count == 1)
        #expect(bench.logs.text.contains("the outbox cannot be read"))
    }

    @Test func `keeps what another key sealed, for a node that can open it`() async throws {
        let other = KeyRing(master: SymmetricKey(data: Data(repeating: 8, count: 32)))
        let email = RecordingSender()
        try await bench.send(.passwordChanged, to: .email(), app: .vici())
        try await bench.running(bench.worker(email: email, keys: other)) { _ = await bench.store.nextEvent() }
        #expect(email.messages.isEmpty)
        #expect(await bench.store.count() == 1)
        #expect(bench.logs.text.contains("cannot be decrypted"))
    }

    @Test func `keeps the messages of an app that is not configured here`() async throws {
        try await bench.send(.passwordChanged, to: .email(), app: try AppName("clarity"))
        try await bench.running(bench.worker()) { _ = await bench.store.nextEvent() }
        #expect(await bench.store.count() == 1)
    }

    @Test func `puts a reset link on the app's base and the token into the text`() async throws {
        let email = RecordingSender()
        try await bench.running(bench.worker(email: email)) {
            try await bench.send(.reset("a+b/c="), to: .email(), app: .vici())
            await bench.store.drained()
        }
        let message = try #require(email.messages.first)
        #expect(message.link?.reveal() == "https://auth.example.com/vici/reset-password?token=a%2Bb%2Fc%3D")
        let lines = message.text.reveal().split(separator: "\n")
        #expect(lines.contains("a+b/c="))
        #expect(lines.contains("https://auth.example.com/vici/reset-password?token=a%2Bb%2Fc%3D"))
    }
}
