import Foundation
import Synchronization

/// A throttle in which requests wait until the limit admits them.
final class RequestThrottle: Sendable {
    private let budget: Mutex<RequestBudget>
    private let system: ClientDependencies
    private let events: Broadcast<ClientEvent>

    init(_ limit: RequestLimit?, system: ClientDependencies, events: Broadcast<ClientEvent>) {
        budget = Mutex(RequestBudget(limit))
        self.system = system
        self.events = events
    }

    /// Waits until a request may be sent.
    ///
    /// - Parameter deadline: The latest time at which it may be sent, by the uptime.
    /// - Throws: ``ClientError/rateLimited(until:)`` immediately if the wait would exceed the deadline;
    ///   ``ClientError/cancelled``.
    func pass(by deadline: Duration, isReplay: Bool) async throws(ClientError) {
        while true {
            let now = system.uptime()
            switch budget.withLock({ $0.take(at: now, by: deadline, isReplay: isReplay) }) {
            case .go: return
            case .tooLate(let wait): throw .rateLimited(until: system.now() + wait.timeInterval)
            case .wait(let wait):
                events.send(.heldBack(wait))
                let isCancelled = (try? await system.sleep(wait)) == nil
                let later = system.uptime()
                // The server may have asked for a pause while this request waited.
                let isThrough = budget.withLock { budget in
                    let isThrough = !isCancelled && !budget.isClosed(at: later)
                    if !isThrough, !isReplay { budget.giveBack() }
                    return isThrough
                }
                if isCancelled { throw .cancelled }
                if isThrough { return }
            }
        }
    }

    /// Records a pause that the server asked for in answer to any request.
    func close(for pause: Duration) {
        let now = system.uptime()
        budget.withLock { $0.close(for: pause, at: now) }
    }
}
