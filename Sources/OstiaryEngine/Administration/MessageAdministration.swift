import Foundation

/// An administrator's operations on the messages of a server.
public struct MessageAdministration: Sendable {
    private let store: any Store
    private let sealer: any NotificationSealer
    private let system: SystemDependencies
    private let apps: [AppName]
    private let actor: AdministrationActor
    private let caller: Caller

    /// Creates the operations on the messages of some apps. Messages of other apps do not exist for the administrator.
    public init(
        store: any Store, sealer: any NotificationSealer, system: SystemDependencies, apps: [AppName],
        actor: AdministrationActor, caller: Caller = Caller()
    ) {
        self.store = store
        self.sealer = sealer
        self.system = system
        self.apps = apps
        self.actor = actor
        self.caller = caller
    }

    /// Returns a page of messages, the newest first, beginning after `position`.
    ///
    /// - Parameters:
    ///   - state: The state; `nil` for any.
    ///   - app: The app; `nil` for all.
    /// - Returns: The messages, and the position of the last; the position is `nil` if there are no more. A page may be
    ///   shorter than `limit`, even empty, and have a position.
    public func messages(
        _ state: Message.State? = nil, of app: AppName? = nil, after position: MessagePosition? = nil, limit: Int
    ) async throws -> (page: [Message], position: MessagePosition?) {
        let apps = apps.filter { app == nil || $0 == app }
        let limit = max(1, limit)
        var found: [(position: MessagePosition, message: Message?)] = []
        if state == nil || state == .queued {
            found += try await store.waitingMessages(in: apps, after: position, limit: limit + 1)
                .map { ($0.position, shown($0)) }
        }
        if state != .queued {
            found += try await store.messageRecords(
                in: apps, outcome: state?.outcome, after: position, limit: limit + 1
            )
            .map { ($0.position, Message($0)) }
        }
        let page = found.sorted { $0.position > $1.position }.prefix(limit)
        // A decoy, which the worker discards, is no message.
        return (page.compactMap(\.message), found.count > limit ? page.last?.position : nil)
    }

    /// Returns a message that was given up to the queue.
    ///
    /// - Throws: ``AdministrationProblem`` if there is no such message, if it was not given up, and if it is of no use to its
    ///   recipient any more.
    public func retry(_ id: String) async throws {
        let unknown = AdministrationProblem.notFound("no message \(id)")
        guard Self.isID(id) else { throw unknown }
        guard let record = try await store.messageRecord(id) else {
            guard let waiting = try await store.waitingMessage(id), apps.contains(waiting.message.app),
                shown(waiting) != nil
            else { throw unknown }
            throw AdministrationProblem.conflict("message_not_failed", "the message waits for its next attempt")
        }
        guard apps.contains(record.app) else { throw unknown }
        guard record.outcome == .failed else {
            throw AdministrationProblem.conflict("message_not_failed", "the message was sent")
        }
        let now = system.now()
        guard record.sealed != nil, record.usefulUntil > now else { throw Self.expired }
        try await store.append(
            AuditEvent(
                at: now, app: record.app, action: "\(actor.actionPrefix).messages.retry", outcome: "ok",
                identifier: record.description?.recipient, address: caller.address, userAgent: caller.userAgent,
                actor: actor.text, details: ["message": id]))
        switch try await store.requeue(id, at: now) {
        case .queued: sealer.wake()
        case .notFailed: throw AdministrationProblem.conflict("message_not_failed", "the message was sent")
        case .expired: throw Self.expired
        }
    }

    /// Returns `true` for a text that can be an id: another one is not sent to the store.
    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static var expired: AdministrationProblem {
        .conflict("message_expired", "the message is of no use to its recipient any more")
    }

    /// Returns a waiting message as it is shown; `nil` for a decoy.
    private func shown(_ waiting: WaitingMessage) -> Message? {
        do {
            return try sealer.describe(waiting.message).map { Message(waiting, $0) }
        } catch {
            // Sealed with another key.
            return Message(waiting, nil)
        }
    }
}

extension Administration {
    /// Returns a page of the messages that were sent to an account's present addresses, the newest first.
    ///
    /// - Returns: At most `limit` messages, and the position of the last; the position is `nil` if there are no more.
    public func messages(
        of account: Account, after position: MessagePosition? = nil, limit: Int
    ) async throws -> (page: [Message], position: MessagePosition?) {
        let recipients = [account.email.map { Recipient.email($0) }, account.phoneNumber.map { .phoneNumber($0) }]
        let hashes = recipients.compactMap(\.self).map { engine.ports.keys.messageRecipient($0, app: app.name) }
        guard !hashes.isEmpty else { return ([], nil) }
        let page = try await engine.ports.store.messageRecords(to: hashes, in: app.name, after: position, limit: limit)
        return (page.map { Message($0) }, page.count == limit ? page.last?.position : nil)
    }
}
