import Foundation
import Synchronization

/// Where requests wait for their turn.
final class RequestGate: Sendable {
    private let budget: Mutex<RequestBudget>
    private let surroundings: ClientSurroundings
    private let events: Broadcast<ClientEvent>

    init(_ limit: RequestLimit?, surroundings: ClientSurroundings, events: Broadcast<ClientEvent>) {
        budget = Mutex(RequestBudget(limit))
        self.surroundings = surroundings
        self.events = events
    }

    /// Returns when a request may go.
    ///
    /// - Parameter deadline: When it must have gone, by the uptime.
    /// - Throws: ``ClientError/rateLimited(until:)`` at once if its turn comes too late.
    func pass(by deadline: Duration, isReplay: Bool) async throws(ClientError) {
        while true {
            let now = surroundings.uptime()
            switch budget.withLock({ $0.take(at: now, by: deadline, isReplay: isReplay) }) {
            case .go: return
            case .tooLate(let wait): throw .rateLimited(until: surroundings.now() + wait.timeInterval)
            case .wait(let wait):
                events.send(.heldBack(wait))
                let isCancelled = (try? await surroundings.sleep(wait)) == nil
                let later = surroundings.uptime()
                // The server may have asked for a pause while this request waited for its share.
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

    /// The server has asked for a pause, whoever's request it was that it answered so.
    func close(for pause: Duration) {
        let now = surroundings.uptime()
        budget.withLock { $0.close(for: pause, at: now) }
    }
}
