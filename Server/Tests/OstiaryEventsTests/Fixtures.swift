import Crypto
import Foundation
import Logging
import OstiaryCore
import OstiaryEngine
@testable import OstiaryEvents
import OstiaryServerTestSupport
import OstiaryTesting
import Synchronization

extension KeyRing {
    static let test = KeyRing(master: SymmetricKey(data: Data(repeating: 7, count: 32)))
}

extension AppName {
    static func videos() throws -> AppName { try AppName("videos") }
    static func music() throws -> AppName { try AppName("music") }
}

/// A sender that records requests, and answers as the test says.
final class RecordingWebhookSender: WebhookSender {
    typealias Answer = @Sendable (WebhookRequest) async throws(WebhookFailure) -> WebhookAnswer

    private let sent = Mutex<[WebhookRequest]>([])
    private let answer: Answer
    private let arrivals: AsyncStream<WebhookRequest>
    private let continuation: AsyncStream<WebhookRequest>.Continuation

    init(_ answer: @escaping Answer = { _ in WebhookAnswer(status: 204) }) {
        self.answer = answer
        (arrivals, continuation) = AsyncStream.makeStream()
    }

    var requests: [WebhookRequest] { sent.withLock { $0 } }

    func send(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookAnswer {
        sent.withLock { $0.append(request) }
        continuation.yield(request)
        return try await answer(request)
    }

    /// Waits until that many requests have arrived since the last call.
    func arrived(_ count: Int) async {
        var iterator = arrivals.makeAsyncIterator()
        for _ in 0..<count { _ = await iterator.next() }
    }
}

/// Seals nothing, and keeps the notices.
final class RecordingSealer: NotificationSealer {
    private let kept = Mutex<[NotificationContent]>([])
    private let system: SystemDependencies

    init(_ system: SystemDependencies) { self.system = system }

    var notices: [NotificationContent] { kept.withLock { $0 } }

    func seal(_ notice: NotificationContent, to recipient: Recipient, app: AppName) async throws -> QueuedMessage {
        kept.withLock { $0.append(notice) }
        return QueuedMessage(id: system.uuid(), app: app, createdAt: system.now(), sealed: [])
    }

    func describe(_ message: QueuedMessage) throws -> MessageDescription? { nil }

    func wake() {}
}

/// A test fixture: a store with one endpoint, and a worker on the test's clock.
struct EventBench: Sendable {
    let clock = TestClock()
    let system: SystemDependencies
    let store: MemoryStore
    let sealer: RecordingSealer
    let logs = CapturedLog()
    let capHits = MessageCapHits()
    let inMemoryRateLimiter = InMemoryRateLimiter()

    init() {
        let clock = clock
        system = SystemDependencies(now: { clock.now }, randomBytes: SystemDependencies.system.randomBytes)
        store = MemoryStore(system: system)
        sealer = RecordingSealer(system)
    }

    var administration: EventAdministration {
        get throws {
            EventAdministration(
                store: store, keys: .test, system: system, urls: EventURLPolicy(allowsPlainLoopback: true),
                apps: [try .videos(), try .music()], actor: .serviceKey("k1"))
        }
    }

    func endpoint(
        types: [String] = [], include: [String] = [], contact: String? = nil
    ) async throws -> (endpoint: EventEndpoint, secret: Secret<String>) {
        try await administration.create(
            NewEventEndpoint(
                app: .videos(), url: "https://crm.example.com/events?token=t", types: types, include: include,
                contact: contact))
    }

    func addAccount(_ name: String = "jo") throws -> Account {
        try store.add(
            NewAccount(app: .videos(), idKind: .uuid, email: EmailAddress("\(name)@example.com"), createdAt: clock.now),
            spending: nil)
    }

    func addSession(_ id: String, of account: Account) throws {
        let session = Session(
            id: try SessionID(id), app: account.app, accountID: account.id, createdAt: clock.now, idleSeconds: 86_400,
            endsAt: clock.now + 86_400)
        _ = try store.add(session, credentialVersion: account.credentialVersion, attachment: nil)
    }

    func worker(
        _ sender: any WebhookSender, queue: (any EventQueue)? = nil,
        settings: EventDeliverySettings = EventDeliverySettings()
    ) -> EventDeliveryWorker {
        EventDeliveryWorker(
            store: queue ?? store, sender: sender, notices: sealer, limiter: { limiter($0, MessageCaps()) },
            keys: .test, system: system, settings: settings, clock: TimerClock(clock), logger: logs.logger)
    }

    func limiter(_ app: AppName, _ caps: MessageCaps) -> MessageLimiter {
        MessageLimiter(
            app: app, caps: caps, keys: .test, audit: store, hits: capHits,
            inMemoryRateLimiter: inMemoryRateLimiter, system: system, reportError: { "\($0)" })
    }

    /// Sends everything that is due once, one request after the other.
    func deliver(with worker: EventDeliveryWorker) async throws {
        let now = clock.now
        while case let claims = store.claimEvents(at: now, until: now + 60, limit: 10, excluding: [], apps: []),
            !claims.isEmpty
        {
            for claim in claims { await worker.deliver(claim) }
        }
    }

    var deliveries: [EventDelivery] {
        get throws {
            store.eventDeliveries(EventDeliveryFilter(apps: [try .videos()]), before: nil, limit: 1000).reversed()
        }
    }
}

extension WebhookRequest {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:]
    }
    var type: String? { json["type"] as? String }
    var data: [String: Any] { json["data"] as? [String: Any] ?? [:] }
}
