import OstiaryDelivery
import Synchronization

/// A carrier that remembers what it was given and does what a test says.
final class RecordingSender: MessageSender {
    typealias Outcome = @Sendable (OutgoingMessage) async throws(DeliveryFailure) -> Void

    private let taken = Mutex<[OutgoingMessage]>([])
    private let began = AsyncStream<Void>.makeStream()
    private let outcome: Outcome

    init(_ outcome: @escaping Outcome = { _ throws(DeliveryFailure) in }) { self.outcome = outcome }

    var messages: [OutgoingMessage] { taken.withLock { $0 } }

    func deliver(_ message: OutgoingMessage) async throws(DeliveryFailure) {
        taken.withLock { $0.append(message) }
        began.continuation.yield()
        try await outcome(message)
    }

    /// Waits for the next delivery to begin.
    func nextDelivery() async {
        for await _ in began.stream { return }
    }
}

/// Holds whoever waits at it until it is opened, or their task cancelled.
final class Gate: Sendable {
    private let isOpen = Mutex(false)
    private let waiting = Mutex<[AsyncStream<Void>.Continuation]>([])

    func open() {
        isOpen.withLock { $0 = true }
        for continuation in waiting.withLock({ $0 }) { continuation.finish() }
    }

    func pass() async throws(DeliveryFailure) {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        waiting.withLock { $0.append(continuation) }
        if isOpen.withLock({ $0 }) { continuation.finish() }
        for await _ in stream {}
        if Task.isCancelled { throw .cancelled }
    }
}
