import Dispatch

/// An interruption that holds one call of the keychain until the test releases it; all others pass.
final class Interruption: Sendable {
    private let count = Shared(0)
    private let point: Int
    private let function: String?
    private let release = DispatchSemaphore(value: 0)
    private let reached: AsyncStream<Void>
    private let reach: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - point: The number of the call to hold, from 1.
    ///   - function: The function whose calls are counted; nil for all.
    init(at point: Int, of function: String? = nil) {
        self.point = point
        self.function = function
        (reached, reach) = AsyncStream.makeStream()
    }

    func pass(_ name: String) {
        guard function == nil || name == function else { return }
        let number = count.change { count in
            count += 1
            return count
        }
        guard number == point else { return }
        reach.yield()
        release.wait()
    }

    func isReached() async {
        var iterator = reached.makeAsyncIterator()
        _ = await iterator.next()
    }

    func goOn() { release.signal() }
}
