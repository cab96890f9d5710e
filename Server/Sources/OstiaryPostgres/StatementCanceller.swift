internal import CPQ
import Dispatch
import Synchronization

/// Sends cancel requests for statements whose callers no longer wait.
///
/// libpq blocks for that and uses a connection of its own: the requests run on one serial queue, and at most eight are
/// pending.
enum StatementCanceller {
    private static let queue = DispatchQueue(label: "ostiary.postgres.cancelling")
    private static let waiting = Atomic<Int>(0)
    private static let limit = 8

    /// Cancels a connection's running statement, asynchronously.
    static func cancel(_ connection: OpaquePointer) {
        guard waiting.add(1, ordering: .relaxed).newValue <= limit, let made = PQgetCancel(connection) else {
            waiting.subtract(1, ordering: .relaxed)
            return
        }
        // A copy of the data for the cancel request, owned by the closure alone.
        nonisolated(unsafe) let request = made
        queue.async {
            var words = [CChar](repeating: 0, count: 256)
            // Best effort: the statement ends by itself eventually.
            _ = PQcancel(request, &words, Int32(words.count))
            PQfreeCancel(request)
            waiting.subtract(1, ordering: .relaxed)
        }
    }
}
