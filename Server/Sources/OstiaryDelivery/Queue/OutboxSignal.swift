/// Tells the worker of the same process that something waits in the outbox. One for each pair of outbox and worker.
package struct OutboxSignal: Sendable {
    /// However many wake-ups come while nobody listens, one is kept. Can be iterated once.
    let wakeUps: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() {
        (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func wake() { continuation.yield() }
    func finish() { continuation.finish() }
}
