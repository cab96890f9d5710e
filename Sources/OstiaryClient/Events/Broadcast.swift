import Synchronization

/// A multicast of values to any number of streams and observers, each from the time of its subscription.
final class Broadcast<Value: Sendable>: Sendable {
    private struct Listeners {
        var next = 0
        var byNumber: [Int: AsyncStream<Value>.Continuation] = [:]
        var observers: [@Sendable (Value) -> Void] = []
    }

    private let listeners = Mutex(Listeners())

    func send(_ value: Value) {
        let (observers, streams) = listeners.withLock { ($0.observers, $0.byNumber) }
        for observer in observers { observer(value) }
        for stream in streams.values { stream.yield(value) }
    }

    /// Calls `observer` with every subsequent value, synchronously before `send` returns. It must be fast, and receives
    /// every value.
    func observe(_ observer: @escaping @Sendable (Value) -> Void) {
        listeners.withLock { $0.observers.append(observer) }
    }

    /// Creates a stream of subsequent values.
    ///
    /// - Parameter first: The first element of the stream, evaluated under the lock, so that no value is sent in the
    ///   meantime.
    func stream(
        buffering: AsyncStream<Value>.Continuation.BufferingPolicy, first: () -> Value? = { nil }
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: buffering)
        let number = listeners.withLock { listeners in
            if let first = first() { continuation.yield(first) }
            defer { listeners.next += 1 }
            listeners.byNumber[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.byNumber.removeValue(forKey: number) }
        }
        return stream
    }

    deinit { for listener in listeners.withLock({ Array($0.byNumber.values) }) { listener.finish() } }
}
