package import Logging
package import OstiaryEngine
import Synchronization

/// Sends requests to the servers of others, and leaves alone those that are away: what fails does so at once and holds up
/// nobody.
///
/// There is a circuit breaker and a bound on requests under way for every origin. A server error counts as a failure.
package final class UpstreamClient: Sendable {
    /// For all the requests together that one operation of a provider needs.
    package static let operationDeadline: Duration = .milliseconds(4500)

    private let transport: any UpstreamTransport
    private let surroundings: Surroundings
    private let concurrency: Int
    private let deadline: Duration
    /// Where refused answers are explained, without what was in them.
    let log: Logger
    private let lanes = Mutex<[String: Lane]>([:])

    private struct Lane {
        var breaker = CircuitBreaker()
        var underWay = 0
    }

    /// - Parameters:
    ///   - concurrency: How many requests to one origin may be under way.
    ///   - operationDeadline: What ``withOperationDeadline(_:_:)`` gives.
    ///   - log: Where it is written why an ID token was refused.
    package init(
        transport: any UpstreamTransport, surroundings: Surroundings, concurrency: Int = 64,
        operationDeadline: Duration = UpstreamClient.operationDeadline,
        log: Logger = Logger(label: "ostiary") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.transport = transport
        self.surroundings = surroundings
        self.concurrency = concurrency
        deadline = operationDeadline
        self.log = log
    }

    /// Sends one request.
    ///
    /// - Returns: The answer, whatever its status.
    /// - Throws: ``UpstreamProblem``; `CancellationError`.
    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        guard let url = UpstreamURL(request.url) else { throw UpstreamProblem.addressRefused }
        let permit = try enter(url.origin)
        let outcome: CircuitBreaker.Outcome
        let result: Result<UpstreamResponse, any Error>
        do {
            let response = try await transport.send(Self.completed(request))
            outcome = response.status >= 500 ? .failure : .success
            result = .success(response)
        } catch {
            outcome = error is CancellationError ? .abandoned : .failure
            result = .failure(error)
        }
        leave(url.origin, permit, outcome)
        return try result.get()
    }

    /// Bounds all the requests of one operation together.
    ///
    /// - Parameter url: Whom the operation is with.
    /// - Throws: ``UpstreamProblem/timedOut(origin:)``, or what `body` throws.
    package func withOperationDeadline<Value: Sendable>(
        _ url: String, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let origin = UpstreamURL(url)?.origin ?? "?"
        return try await withDeadline(deadline, orThrow: UpstreamProblem.timedOut(origin: origin), body)
    }

    private func enter(_ origin: String) throws -> CircuitBreaker.Permit {
        let now = surroundings.now()
        let permit: CircuitBreaker.Permit? = lanes.withLock { lanes in
            var lane = lanes[origin] ?? Lane()
            guard lane.underWay < concurrency, let permit = lane.breaker.permit(at: now) else { return nil }
            lane.underWay += 1
            lanes[origin] = lane
            return permit
        }
        guard let permit else { throw UpstreamProblem.away(origin: origin) }
        return permit
    }

    private func leave(_ origin: String, _ permit: CircuitBreaker.Permit, _ outcome: CircuitBreaker.Outcome) {
        let now = surroundings.now()
        lanes.withLock { lanes in
            lanes[origin]?.underWay -= 1
            lanes[origin]?.breaker.record(outcome, of: permit, at: now)
        }
    }

    /// With the headers that every request has, unless it has its own.
    private static func completed(_ request: UpstreamRequest) -> UpstreamRequest {
        var request = request
        for (name, value) in [("User-Agent", "Ostiary"), ("Accept", "application/json")]
        where !request.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            request.headers.append((name: name, value: value))
        }
        return request
    }
}
