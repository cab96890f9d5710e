import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// The messages of a server, as administrators see them.
@Suite struct MessageAdministrationTests {
    private let world: World
    private let other: World
    private let messages: MessageAdministration

    init() throws {
        world = try .vici()
        other = try World("other", .vici, sharing: world)
        messages = MessageAdministration(
            store: world.store, sealer: world.notificationSealer, system: world.engine.ports.system,
            apps: [world.engine.app.name], actor: .serviceKey("k1"))
    }

    private func problem(_ body: () async throws -> Void) async -> AdministrationProblem? {
        do {
            try await body()
            return nil
        } catch {
            return error as? AdministrationProblem
        }
    }

    /// Queues a message to reset a password, one second after the one before.
    private func queued(in app: World? = nil, to email: String = ada) async throws -> String {
        world.clock.advance(by: .seconds(61))
        _ = try await (app ?? world).engine.perform(RequestPasswordReset(email: EmailAddress(email)))
        return try #require(world.store.queued.last)
    }

    private func settle(_ id: String, _ outcome: MessageOutcome, usefulSeconds: Double = 3600) async throws {
        let waiting = try #require(try await world.store.waitingMessage(id))
        let now = world.clock.now
        try await world.store.settle(
            MessageRecord(
                id: id, app: waiting.message.app,
                description: MessageDescription(
                    channel: .email, kind: "password_reset", recipient: "a***@example.com",
                    recipientHash: world.engine.ports.keys.messageRecipient(
                        .email(try EmailAddress(ada)), app: waiting.message.app)),
                outcome: outcome, attempts: 1, lastError: outcome == .failed ? "SMTP 550" : nil,
                createdAt: waiting.message.createdAt, settledAt: now,
                usefulUntil: waiting.message.createdAt.addingTimeInterval(usefulSeconds),
                sealed: outcome == .failed ? waiting.message.sealed : nil))
    }

    @Test func `lists waiting, sent and failed messages together, the newest first, in pages`() async throws {
        try await world.registered()
        var ids: [String] = []
        for outcome in [.sent, nil, .failed, nil, .sent] as [MessageOutcome?] {
            let id = try await queued()
            ids.insert(id, at: 0)
            if let outcome { try await settle(id, outcome) }
        }
        var found: [Message] = []
        var position: MessagePosition?
        repeat {
            let (page, next) = try await messages.messages(after: position, limit: 2)
            #expect(page.count <= 2)
            found += page
            position = next
        } while position != nil
        #expect(found.map(\.id) == ids)
        #expect(found.map(\.state) == [.sent, .queued, .failed, .queued, .sent])
        #expect(found.allSatisfy { ($0.sentAt != nil) == ($0.state == .sent) })
        #expect(found.allSatisfy { ($0.nextAttemptAt != nil) == ($0.state == .queued) })
        #expect(found[2].lastError == "SMTP 550")
        for state in Message.State.allCases {
            let page = try await messages.messages(state, limit: 9).page
            #expect(page.map(\.id) == found.filter { $0.state == state }.map(\.id))
        }
    }

    @Test func `shows no decoy, and no message of another app`() async throws {
        try await world.registered()
        try await other.registered("flo@example.com")
        let own = try await queued()
        let decoy = try await queued(to: "nobody@example.com")
        let foreign = try await queued(in: other, to: "flo@example.com")
        #expect(try await messages.messages(limit: 9).page.map(\.id) == [own])
        #expect(try await messages.messages(of: other.engine.app.name, limit: 9).page.isEmpty)
        for id in [decoy, foreign, "unknown"] {
            #expect(await problem { try await messages.retry(id) }?.code == "not_found")
        }
        try await settle(foreign, .failed)
        #expect(await problem { try await messages.retry(foreign) }?.code == "not_found")
        #expect(try await messages.messages(limit: 9).page.map(\.id) == [own])
    }

    @Test func `a page of decoys alone has a position`() async throws {
        try await world.registered()
        let own = try await queued()
        _ = try await queued(to: "nobody@example.com")
        let first = try await messages.messages(limit: 1)
        #expect(first.page.isEmpty)
        #expect(first.position != nil)
        let second = try await messages.messages(after: first.position, limit: 1)
        #expect(second.page.map(\.id) == [own])
        #expect(second.position == nil)
    }

    @Test func `returns a failed message to the queue, audits it and wakes the worker`() async throws {
        try await world.registered()
        let id = try await queued()
        try await settle(id, .failed)
        let woken = world.notificationSealer.queuedWhenWoken.count
        try await messages.retry(id)
        #expect(world.notificationSealer.queuedWhenWoken.count == woken + 1)
        let message = try #require(try await messages.messages(limit: 9).page.first)
        #expect(message.state == .queued)
        #expect(message.nextAttemptAt == world.clock.now.asStored)
        let event = try #require(try await world.events().last)
        #expect(event.action == "admin.messages.retry")
        #expect(event.actor == "key:k1")
        #expect(event.details == ["message": id])
        #expect(event.identifier == "a***@example.com")
    }

    @Test func `retries neither what waits, nor what was sent, nor what is of no use`() async throws {
        try await world.registered()
        let waiting = try await queued()
        #expect(await problem { try await messages.retry(waiting) }?.code == "message_not_failed")
        let sent = try await queued()
        try await settle(sent, .sent)
        #expect(await problem { try await messages.retry(sent) }?.code == "message_not_failed")
        let late = try await queued()
        try await settle(late, .failed, usefulSeconds: 60)
        world.clock.advance(by: .seconds(60))
        #expect(await problem { try await messages.retry(late) }?.code == "message_expired")
    }

    @Test func `finds the messages to an account by its addresses`() async throws {
        try await world.registered()
        let id = try await queued()
        try await settle(id, .sent)
        let account = try #require(try await world.account())
        #expect(try await world.administration.messages(of: account, limit: 10).page.map(\.id) == [id])
        try await world.registered("flo@example.com")
        let flo = try #require(try await world.account("flo@example.com"))
        #expect(try await world.administration.messages(of: flo, limit: 10).page.isEmpty)
    }
}
