/// Wakes the worker of the same process when there are messages in the outbox. One per pair of outbox and worker.
package struct OutboxSignal: Sendable {
    /// The wake-ups. Those that arrive while the worker is busy are coalesced into one. Can be iterated once.
    let wakeUps: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func wake() { continuation.yield() }
    func finish() { continuation.finish() }
}
