import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

/// Messages that have left the queue, and the lists of messages.
@Suite struct MessageStoreTests {
    private func record(
        _ id: String, _ outcome: MessageOutcome = .sent, app: String = "vici", age: Double = 60,
        to recipient: UInt8 = 1, useful: Double = 3600
    ) throws -> MessageRecord {
        MessageRecord(
            id: id, app: try .named(app),
            description: MessageDescription(
                channel: recipient == 1 ? .email : .sms, kind: "password_reset", recipient: "j***@example.com",
                recipientHash: [recipient]),
            outcome: outcome, attempts: 2, lastError: outcome == .failed ? "refused" : nil, createdAt: noon.after(-age),
            settledAt: noon, usefulUntil: noon.after(useful), sealed: outcome == .failed ? [1, 2, 3] : nil)
    }

    /// Queues a message and settles it.
    private func settle(_ record: MessageRecord, in store: any Store) async throws {
        try await store.enqueue(
            QueuedMessage(id: record.id, app: record.app, createdAt: record.createdAt, sealed: [1, 2, 3]))
        try await store.settle(record)
    }

    private func listed(_ record: MessageRecord) -> MessageRecord {
        var record = record
        record.sealed = nil
        return record
    }

    @Test(arguments: Backend.allCases)
    func `keeps a record of a message that leaves the queue, once`(backend: Backend) async throws {
        try await backend.withStore { store in
            let sent = try record("a")
            var failed = try record("b", .failed, age: 30)
            failed.description = nil
            for record in [sent, failed] { try await settle(record, in: store) }
            // Another worker, whose claim had ended.
            try await store.settle(try record("a", .failed))
            try await store.settle(try record("unknown"))
            #expect(try await store.count() == 0)
            #expect(try await store.messageRecord("a") == sent)
            #expect(try await store.messageRecord("b") == failed)
            #expect(try await store.messageRecord("unknown") == nil)
            let all = try await store.messageRecords(in: [.named()], outcome: nil, after: nil, limit: 9)
            #expect(all == [listed(failed), sent])
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the reason of the last failure of a waiting message`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.enqueue(.sample("a", age: 2))
            #expect(try await store.waitingMessage("a")?.dueAt == noon.after(-2))
            _ = try await store.claim(at: noon, until: noon.after(60), limit: 9)
            try await store.postpone("a", until: noon.after(10), error: "timed out")
            try await store.postpone("a", until: noon.after(20))
            let waiting = try #require(try await store.waitingMessage("a"))
            #expect(waiting.lastError == "timed out")
            #expect(waiting.dueAt == noon.after(20))
            #expect(waiting.message.attempts == 1)
            #expect(waiting.message.sealed == [1, 2, 3])
            #expect(try await store.waitingMessage("b") == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists messages of some apps, the newest first, in pages`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (number, app) in ["vici", "other", "vici", "third", "vici", "other"].enumerated() {
                let (id, age) = ("m\(number)", Double(number / 2))
                try await settle(record(id, number % 2 == 0 ? .sent : .failed, app: app, age: age), in: store)
                try await store.enqueue(
                    QueuedMessage(id: "w\(number)", app: try .named(app), createdAt: noon.after(-age), sealed: [9]))
            }
            let apps = try ["vici", "other"].map { try AppName($0) }
            var settled: [String] = []
            var waiting: [String] = []
            var position: MessagePosition?
            repeat {
                let page = try await store.messageRecords(in: apps, outcome: nil, after: position, limit: 2)
                settled += page.map(\.id)
                position = page.last?.position
            } while position != nil
            repeat {
                let page = try await store.waitingMessages(in: apps, after: position, limit: 2)
                waiting += page.map(\.message.id)
                position = page.last?.position
            } while position != nil
            // Of the same time by id.
            #expect(settled == ["m1", "m0", "m2", "m5", "m4"])
            #expect(waiting == ["w1", "w0", "w2", "w5", "w4"])
            let failed = try await store.messageRecords(in: apps, outcome: .failed, after: nil, limit: 9)
            #expect(failed.map(\.id) == ["m1", "m5"])
            let sent = try await store.messageRecords(in: apps, outcome: .sent, after: nil, limit: 2)
            #expect(sent.map(\.id) == ["m0", "m2"])
            #expect(try await store.messageRecords(in: [], outcome: nil, after: nil, limit: 2).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `finds the messages to a recipient`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (id, age, recipient, app) in [
                ("a", 3.0, 1, "vici"), ("b", 2, 2, "vici"), ("c", 1, 1, "vici"), ("d", 0, 1, "other"),
                ("e", 0, 3, "vici"),
            ] as [(String, Double, UInt8, String)] {
                try await settle(record(id, app: app, age: age, to: recipient), in: store)
            }
            func found(_ recipients: [[UInt8]], after position: MessagePosition? = nil, limit: Int = 9) async throws
                -> [MessageRecord]
            {
                try await store.messageRecords(to: recipients, in: .named(), after: position, limit: limit)
            }
            #expect(try await found([[1]]).map(\.id) == ["c", "a"])
            let page = try await found([[1], [2]], limit: 2)
            #expect(page.map(\.id) == ["c", "b"])
            #expect(try await found([[1], [2]], after: page.last?.position).map(\.id) == ["a"])
            #expect(try await found([]).isEmpty)
        }
    }

    @Test(arguments: Backend.allCases)
    func `returns a failed message to the queue while it is of use`(backend: Backend) async throws {
        try await backend.withStore { store in
            for record in [
                try record("sent"), try record("failed", .failed, useful: 60), try record("late", .failed, useful: 5),
            ] { try await settle(record, in: store) }
            #expect(try await store.requeue("unknown", at: noon) == .notFailed)
            #expect(try await store.requeue("sent", at: noon) == .notFailed)
            #expect(try await store.requeue("late", at: noon.after(5)) == .expired)
            #expect(try await store.requeue("failed", at: noon.after(5)) == .queued)
            #expect(try await store.requeue("failed", at: noon.after(5)) == .notFailed)
            #expect(try await store.messageRecord("failed") == nil)
            let waiting = try #require(try await store.waitingMessage("failed"))
            #expect(waiting.message.attempts == 2)
            #expect(waiting.message.createdAt == noon.after(-60))
            #expect(waiting.lastError == "refused")
            #expect(try await store.claim(at: noon.after(4), until: noon.after(60), limit: 9).isEmpty)
            let claimed = try await store.claim(at: noon.after(5), until: noon.after(60), limit: 9)
            #expect(claimed.map(\.id) == ["failed"])
            #expect(claimed.map(\.attempts) == [3])
            try await store.settle(try record("failed"))
            #expect(try await store.messageRecord("failed")?.outcome == .sent)
        }
    }

    @Test(arguments: Backend.allCases)
    func `returns one failed message once`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await settle(record("a", .failed), in: store)
            let outcomes = try await inParallel(20) { _ in try await store.requeue("a", at: noon) }
            #expect(outcomes.count { $0 == .queued } == 1)
            #expect(try await store.count() == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `forgets contents after their use, and records after thirty days`(backend: Backend) async throws {
        try await backend.withStore { store in
            let day = 86_400.0
            try await settle(record("old", age: 10 * day), in: store)
            try await settle(record("new", .failed, age: 0, useful: day), in: store)
            func sweep(_ days: Double) async throws -> Int {
                try await store.sweep(
                    at: noon.after(days * day), endedBefore: .distantPast, auditBefore: .distantPast)
            }
            #expect(try await sweep(0.9) == 0)
            #expect(try await store.messageRecord("new")?.sealed == [1, 2, 3])
            #expect(try await sweep(1) == 0)
            #expect(try await store.messageRecord("new")?.sealed == nil)
            #expect(try await store.requeue("new", at: noon) == .expired)
            let swept = try await sweep(20.1)
            #expect(swept == 3, "the record, and the counters of the limits of both messages")
            #expect(try await store.messageRecord("old") == nil)
            #expect(try await sweep(29.9) == 0)
            #expect(try await sweep(30.1) == 1)
        }
    }
}
