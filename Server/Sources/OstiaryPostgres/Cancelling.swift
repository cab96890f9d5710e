internal import CPQ
import Dispatch
import Synchronization

/// Asks servers to give up statements that nobody waits for any more.
///
/// libpq blocks for that, on a connection of its own: on one thread, and not for more than a few at a time.
enum Cancelling {
    private static let queue = DispatchQueue(label: "ostiary.postgres.cancelling")
    private static let waiting = Atomic<Int>(0)
    private static let limit = 8

    /// Cancels what runs on a connection, some time later.
    static func cancel(_ connection: OpaquePointer) {
        guard waiting.add(1, ordering: .relaxed).newValue <= limit, let made = PQgetCancel(connection) else {
            waiting.subtract(1, ordering: .relaxed)
            return
        }
        // A copy of what it takes to cancel, which is the closure's alone.
        nonisolated(unsafe) let request = made
        queue.async {
            var words = [CChar](repeating: 0, count: 256)
            // Best effort: the statement ends by itself sooner or later.
            _ = PQcancel(request, &words, Int32(words.count))
            PQfreeCancel(request)
            waiting.subtract(1, ordering: .relaxed)
        }
    }
}
