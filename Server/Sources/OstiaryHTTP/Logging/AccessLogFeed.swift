import Synchronization

/// Passes the requests of a running server to any number of readers, none of which can slow it.
///
/// Without readers a request costs one load of an atomic. A reader that does not keep up loses records, and is told how many.
package final class AccessLogFeed: Sendable {
    private struct State {
        var readers: [Int: AccessLogReader] = [:]
        var nextNumber = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let count = Atomic<Int>(0)
    private let capacity: Int
    private let maximumReaders: Int

    /// - Parameters:
    ///   - capacity: The maximum number of records that wait for one reader.
    ///   - maximumReaders: The maximum number of readers at once.
    package init(capacity: Int = 1024, maximumReaders: Int = 16) {
        self.capacity = capacity
        self.maximumReaders = maximumReaders
    }

    func publish(_ record: AccessRecord) {
        guard count.load(ordering: .relaxed) > 0 else { return }
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers { reader.add(record) }
    }

    /// Runs `body` with a reader of the records from now on.
    ///
    /// - Parameter onEnd: Called at the end of the feed, because a reader that is stopped does not see it.
    /// - Returns: Nil if there are too many readers already, or the feed has ended.
    @concurrent package func withReader<Value: Sendable>(
        _ filter: AccessFilter, onEnd: @escaping @Sendable () -> Void = {},
        _ body: @concurrent (AccessLogReader) async throws -> Value
    ) async rethrows -> Value? {
        let reader = AccessLogReader(filter, capacity: capacity, onEnd: onEnd)
        let number: Int? = state.withLock { state in
            guard !state.isClosed, state.readers.count < maximumReaders else { return nil }
            state.nextNumber += 1
            state.readers[state.nextNumber] = reader
            count.store(state.readers.count, ordering: .relaxed)
            return state.nextNumber
        }
        guard let number else { return nil }
        defer {
            state.withLock { state in
                state.readers[number] = nil
                count.store(state.readers.count, ordering: .relaxed)
            }
        }
        return try await body(reader)
    }

    /// Ends all readers, and accepts no more.
    package func close() {
        let readers = state.withLock { state in
            state.isClosed = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.end() }
    }
}

/// One reader of the access log, with the records that wait for it.
package final class AccessLogReader: Sendable {
    /// The records since the last batch. Empty after ``wake()``.
    package struct Batch: Sendable {
        package var records: [AccessRecord] = []
        /// The number of records that were dropped after these.
        package var dropped = 0
    }

    private let filter: AccessFilter
    private let capacity: Int
    private let onEnd: @Sendable () -> Void
    private let waiting = Mutex(Batch())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(_ filter: AccessFilter, capacity: Int, onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
        self.filter = filter
        self.capacity = capacity
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ record: AccessRecord) {
        guard filter.selects(record) else { return }
        waiting.withLock { batch in
            if batch.records.count < capacity { batch.records.append(record) } else { batch.dropped += 1 }
        }
        signal.yield()
    }

    /// The batches until the feed ends. May be iterated once.
    package var batches: AsyncMapSequence<AsyncStream<Void>, Batch> { signals.map { [self] _ in take() } }

    /// Causes a batch, even an empty one, which shows whether the reader is still there.
    package func wake() { signal.yield() }

    /// A batch that waits is still passed on.
    func end() {
        signal.finish()
        onEnd()
    }

    private func take() -> Batch {
        waiting.withLock { batch in
            defer { batch = Batch() }
            return batch
        }
    }
}
