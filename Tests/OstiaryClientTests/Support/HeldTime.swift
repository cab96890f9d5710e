import Foundation
import OstiaryClient
import Synchronization

/// A clock that stands still, and whose sleepers sleep until they are woken.
final class HeldTime: Sendable {
    private struct Sleepers {
        var next = 0
        var byNumber: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let elapsed = Mutex(Duration.zero)
    private let sleepers = Mutex(Sleepers())
    private let begun: AsyncStream<Duration>.Continuation
    private let naps: Mutex<AsyncStream<Duration>.Iterator>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Duration.self)
        begun = continuation
        naps = Mutex(stream.makeAsyncIterator())
    }

    func pass(_ duration: Duration) { elapsed.withLock { $0 += duration } }

    /// How long the next one wants to sleep who has begun to, in their order; waits for one.
    func nextNap() async -> Duration? {
        var iterator = naps.withLock { $0 }
        return await iterator.next(isolation: nil)
    }

    func wakeAll() {
        let woken = sleepers.withLock { sleepers in
            defer { sleepers.byNumber = [:] }
            return Array(sleepers.byNumber.values)
        }
        for sleeper in woken { sleeper.resume() }
    }

    /// Waiting times are at their longest.
    var surroundings: ClientSurroundings {
        ClientSurroundings(
            now: { TestTime.start + Double(self.elapsed.withLock { $0 }.components.seconds) },
            uptime: { self.elapsed.withLock { $0 } }, sleep: { try await self.sleep($0) }, randomFraction: { 1 })
    }

    private func sleep(_ duration: Duration) async throws {
        let number = sleepers.withLock { sleepers in
            sleepers.next += 1
            return sleepers.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = sleepers.withLock { sleepers in
                    // Asked once: in between it could change, and the sleeper be woken twice.
                    let isCancelled = Task.isCancelled
                    if !isCancelled { sleepers.byNumber[number] = continuation }
                    return isCancelled
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { begun.yield(duration) }
            }
        } onCancel: {
            sleepers.withLock { $0.byNumber.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}
