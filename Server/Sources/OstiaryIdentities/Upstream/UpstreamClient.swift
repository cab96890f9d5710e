package import Logging
package import OstiaryEngine
import Synchronization

/// Sends requests to upstream servers. A failing server is not contacted for a while: its requests fail immediately and
/// delay no others.
///
/// Each origin has a circuit breaker and a limit of concurrent requests. A server error counts as a failure.
package final class UpstreamClient: Sendable {
    /// The time limit of all the requests together that one operation of a provider needs.
    package static let operationDeadline: Duration = .milliseconds(4500)

    private let transport: any UpstreamTransport
    private let system: SystemDependencies
    private let concurrency: Int
    private let deadline: Duration
    /// The log in which refused answers are explained, without their content.
    let log: Logger
    private let lanes = Mutex<[String: Lane]>([:])

    private struct Lane {
        var breaker = CircuitBreaker()
        var underWay = 0
    }

    /// - Parameters:
    ///   - concurrency: The maximum number of concurrent requests to one origin.
    ///   - operationDeadline: The time limit of ``withOperationDeadline(_:_:)``.
    ///   - log: The log for the reasons that ID tokens were refused for.
    package init(
        transport: any UpstreamTransport, system: SystemDependencies, concurrency: Int = 64,
        operationDeadline: Duration = UpstreamClient.operationDeadline,
        log: Logger = Logger(label: "ostiary") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.transport = transport
        self.system = system
        self.concurrency = concurrency
        deadline = operationDeadline
        self.log = log
    }

    /// Sends one request.
    ///
    /// - Returns: The answer, of any status.
    /// - Throws: ``UpstreamProblem``; `CancellationError`.
    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        guard let url = UpstreamURL(request.url) else { throw UpstreamProblem.addressRefused }
        let permit = try enter(url.origin)
        let outcome: CircuitBreaker.Outcome
        let result: Result<UpstreamResponse, any Error>
        do {
            let response = try await RequestTrace.measure(
                .upstream, "\(request.method.rawValue) \(url.origin)",
                attributes: [
                    .init("http.request.method", .text(request.method.rawValue)),
                    .init("server.address", .text(url.origin)),
                ]
            ) {
                try await transport.send(Self.completed(request))
            }
            outcome = response.status >= 500 ? .failure : .success
            result = .success(response)
        } catch {
            outcome = error is CancellationError ? .abandoned : .failure
            result = .failure(error)
        }
        leave(url.origin, permit, outcome)
        return try result.get()
    }

    /// Limits the time of all the requests of one operation together.
    ///
    /// - Parameter url: A URL of the server, whose origin the error names.
    /// - Throws: ``UpstreamProblem/timedOut(origin:)``, or the error of `body`.
    package func withOperationDeadline<Value: Sendable>(
        _ url: String, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let origin = UpstreamURL(url)?.origin ?? "?"
        return try await withDeadline(deadline, orThrow: UpstreamProblem.timedOut(origin: origin), body)
    }

    private func enter(_ origin: String) throws -> CircuitBreaker.Permit {
        let now = system.now()
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
        let now = system.now()
        lanes.withLock { lanes in
            lanes[origin]?.underWay -= 1
            lanes[origin]?.breaker.record(outcome, of: permit, at: now)
        }
    }

    /// Returns the request with the default headers, where it does not set its own.
    private static func completed(_ request: UpstreamRequest) -> UpstreamRequest {
        var request = request
        for (name, value) in [("User-Agent", "Ostiary"), ("Accept", "application/json")]
            + RequestTrace.headers(for: .thirdParty)
        where !request.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            request.headers.append((name: name, value: value))
        }
        return request
    }
}
