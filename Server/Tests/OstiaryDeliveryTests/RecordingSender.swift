import OstiaryDelivery
import Synchronization

/// A message sender that records its messages and has the outcome that a test sets.
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

    /// Waits until the next delivery begins.
    func nextDelivery() async {
        for await _ in began.stream { return }
    }
}

/// A gate at which callers wait until it is opened, or until their task is cancelled.
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
