import Crypto
import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryTesting
import Testing

/// The records that the worker keeps of messages that leave the queue.
@Suite struct MessageRecordTests {
    private let bench = Bench()

    /// Sends a message to the end of its delivery, from an outbox of its own, and returns its record: a worker runs once.
    private func settled(
        _ notice: NotificationContent, to recipient: Recipient, after seconds: Double = 0,
        failure: DeliveryFailure? = nil,
        keys: KeyRing = .test
    ) async throws -> MessageRecord? {
        let bench = Bench()
        let sender = RecordingSender { _ throws(DeliveryFailure) in if let failure { throw failure } }
        try await bench.send(notice, to: recipient, app: .vici())
        bench.clock.shiftWall(by: .seconds(seconds))
        try await bench.running(bench.worker(email: sender, sms: sender, keys: keys)) { await bench.store.drained() }
        return await bench.store.records.last
    }

    @Test func `keeps channel, kind and masked recipient of a sent message, and no content`() async throws {
        let start = bench.clock.now
        let email = try #require(try await settled(.reset(), to: .email("ada@example.org"), after: 3))
        #expect(email.outcome == .sent)
        #expect(email.description?.channel == .email)
        #expect(email.description?.kind == "password_reset")
        #expect(email.description?.recipient == "a***@example.org")
        #expect(email.attempts == 1)
        #expect(email.createdAt == start)
        #expect(email.settledAt == start + 3)
        #expect(email.sealed == nil)
        #expect(email.lastError == nil)
        let sms = try #require(try await settled(.code(), to: .phone("+15559990000")))
        #expect(sms.description?.channel == .sms)
        #expect(sms.description?.kind == "one_time_code")
        #expect(sms.description?.recipient.hasSuffix("0000") == true)
    }

    @Test func `finds the messages to one recipient by a keyed hash of the address`() async throws {
        let first = try #require(try await settled(.reset(), to: .email("Ada@Example.org")))
        let second = try #require(try await settled(.passwordChanged, to: .email("ada@example.org")))
        let other = try #require(try await settled(.passwordChanged, to: .email("flo@example.org")))
        #expect(first.description?.recipientHash == second.description?.recipientHash)
        #expect(first.description?.recipientHash != other.description?.recipientHash)
        let recipient = try Recipient.email("ada@example.org")
        #expect(first.description?.recipientHash == KeyRing.test.messageRecipient(recipient, app: try .vici()))
        #expect(
            try KeyRing.test.messageRecipient(recipient, app: AppName("clarity")) != first.description?.recipientHash)
    }

    @Test func `keeps the content of a failed message for as long as it is of use`() async throws {
        let failed = try #require(
            try await settled(.reset(), to: .email(), after: 60, failure: .permanent("SMTP 550")))
        #expect(failed.outcome == .failed)
        #expect(failed.lastError == "SMTP 550")
        #expect(failed.usefulUntil > failed.settledAt)
        let queued = QueuedMessage(
            id: failed.id, app: failed.app, createdAt: failed.createdAt, sealed: try #require(failed.sealed))
        #expect(try bench.outbox.describe(queued) == failed.description)
    }

    @Test func `keeps no content that is of no use any more`() async throws {
        let late = try #require(try await settled(.code(), to: .phone(), after: 300))
        #expect(late.outcome == .failed)
        #expect(late.lastError == "its useful life has ended")
        #expect(late.usefulUntil == late.createdAt + 300)
        #expect(late.sealed == nil)
    }

    @Test func `keeps no record of a decoy`() async throws {
        #expect(try await settled(.nothing, to: .email()) == nil)
    }

    @Test func `keeps a record without a description of a message that no key opens`() async throws {
        let other = KeyRing(master: SymmetricKey(data: Data(repeating: 8, count: 32)))
        let record = try #require(try await settled(.reset(), to: .email(), after: 24 * 3600, keys: other))
        #expect(record.outcome == .failed)
        #expect(record.description == nil)
    }

    @Test func `describes a waiting message, and no decoy`() async throws {
        let message = try await bench.outbox.seal(.reset(), to: .email("ada@example.org"), app: .vici())
        #expect(try bench.outbox.describe(message)?.recipient == "a***@example.org")
        #expect(try bench.outbox.describe(message)?.kind == "password_reset")
        let decoy = try await bench.outbox.seal(.nothing, to: .email("ada@example.org"), app: .vici())
        #expect(try bench.outbox.describe(decoy) == nil)
        var altered = message
        altered.app = try AppName("clarity")
        #expect(throws: (any Error).self) { try bench.outbox.describe(altered) }
    }
}
