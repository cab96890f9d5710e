import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization

@testable import OstiaryClient

/// A queue between a scripted sender and a store, and what came of it.
final class QueueRig: Sendable {
    let time = TestClock()
    let sending: ScriptedSending
    let queue: RequestQueue
    private let events = Broadcast<ClientEvent>()
    private let seen = Mutex<[ClientEvent]>([])
    private let ends = Reference<[QueueOutcome]>()
    private let reaction = Reference<@Sendable () async -> Void>()

    var log: [ClientEvent] { seen.withLock { $0 } }
    var outcomes: [QueueOutcome] { ends.value ?? [] }

    init(
        _ store: any RequestQueueStore = MemoryRequestQueueStore(), limits: QueueLimits = QueueLimits(),
        sending: ScriptedSending? = nil
    ) throws {
        let sending = try sending ?? ScriptedSending(as: .jo)
        self.sending = sending
        queue = RequestQueue(
            sending: sending,
            options: QueueOptions(store: store, limits: limits) { [ends, reaction] _, outcome in
                ends.value = (ends.value ?? []) + [outcome]
                await reaction.value?()
            }, system: time.system, events: events)
        events.observe { [weak self] event in self?.seen.withLock { $0.append(event) } }
    }

    /// Sets what the app does in the callback of an outcome.
    func whenEnded(_ react: @escaping @Sendable () async -> Void) { reaction.value = react }

    /// Queues `POST /NAME`.
    @discardableResult
    func put(_ name: String, id: QueuedRequest.ID = QueuedRequest.ID()) async throws -> QueuedRequest.ID {
        try await queue.enqueue(.note(name), id: id)
        return id
    }

    /// Returns when nothing is being sent.
    func settle() async {
        while let pass = await queue.pass { await pass.value }
    }
}

extension WireRequest {
    static func note(_ name: String) -> WireRequest {
        WireRequest(
            method: "POST", path: "/\(name)", headers: ["content-type": "application/json"],
            body: Array("{\"note\":\"\(name)\"}".utf8))
    }
}

extension QueueOwner {
    static func account(_ name: String) throws -> QueueOwner {
        QueueOwner(
            contract: "clarity", baseURL: try BaseURL("https://api.example.com"), person: .account(try AccountID(name)))
    }
    static var jo: QueueOwner { get throws { try account("jo") } }
    static var sam: QueueOwner { get throws { try account("sam") } }
}
