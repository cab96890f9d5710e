import Foundation
import OstiaryAdminAPI
import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// Sends the requests of the admin API with the service key, and repeats them where that cannot do anything twice.
struct AdminRequests: Sendable {
    let baseURL: BaseURL
    let key: Secret<String>
    let transport: any Transport
    let retries: RetryPolicy
    let deadline: Duration
    let system: ClientDependencies

    func perform<Query, Body, Answer>(
        _ endpoint: AdminEndpoint<Query, Body, Answer>, path: [String], query: Query, body: Body,
        idempotencyKey: String?
    ) async throws(AdminError) -> Answer {
        let request = try self.request(endpoint.operation, path, query.query, body.json, idempotencyKey)
        let answer = try await send(request)
        guard answer.status == endpoint.operation.status else {
            throw (200..<300).contains(answer.status) ? .invalidAnswer : .refused(problem(in: answer))
        }
        guard endpoint.operation.hasAnswer else { return Answer() }
        do { return try Answer.read(answer.body, as: .answer) } catch { throw .invalidAnswer }
    }

    private func request(
        _ operation: AdminOperation, _ values: [String], _ query: String, _ body: JSON, _ idempotencyKey: String?
    ) throws(AdminError) -> WireRequest {
        guard let path = operation.path(values) else { throw .invalidRequest("an identifier is empty, or not one") }
        var headers = ["authorization": BearerToken.write(key.reveal()), "accept": AdminMediaType.json]
        if operation.takesIdempotencyKey {
            let key = idempotencyKey ?? UUID().uuidString.lowercased()
            guard (1...AdminAPI.maximumIdempotencyKeyBytes).contains(key.utf8.count),
                key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw .invalidRequest("the Idempotency-Key is not 1 to 255 visible ASCII characters") }
            headers[AdminAPI.idempotencyKeyHeader] = key
        }
        if operation.hasBody {
            headers["content-type"] = operation.method == .patch ? AdminMediaType.mergePatch : AdminMediaType.json
        }
        return WireRequest(
            method: operation.method.rawValue, path: path, query: query, headers: headers,
            body: operation.hasBody ? body.bytes : [])
    }

    private func send(_ request: WireRequest) async throws(AdminError) -> WireResponse {
        let end = system.uptime() + deadline
        let isRepeatable = RetryPolicy.isRepeatable(request)
        var count = 0
        while true {
            let outcome = await attempt(request, by: end, isRepeatable: isRepeatable)
            let verdict = retries.verdict(
                on: policyOutcome(of: outcome), repeatable: isRepeatable, retries: count,
                remaining: end - system.uptime(),
                chance: system.randomFraction())
            guard case .retry(let wait) = verdict else {
                do { return try outcome.get() } catch { throw error == .cancelled ? .cancelled : .network(error) }
            }
            count += 1
            do { try await system.sleep(wait) } catch { throw .cancelled }
        }
    }

    private func attempt(
        _ request: WireRequest, by end: Duration, isRepeatable: Bool
    ) async -> Result<WireResponse, TransportError> {
        let remaining = end - system.uptime()
        guard remaining > .zero else { return .failure(.timedOut) }
        let limit = isRepeatable ? min(retries.attemptDeadline ?? remaining, remaining) : remaining
        do { return .success(try await transport.send(request, to: baseURL, within: limit)) } catch {
            return .failure(error)
        }
    }

    private func policyOutcome(of outcome: Result<WireResponse, TransportError>) -> RetryPolicy.Outcome {
        switch outcome {
        case .failure(let error): return .failed(error)
        case .success(let answer):
            // An earlier attempt of this call, whose answer was lost, is still being performed.
            let isInFlight = answer.status == 409 && problem(in: answer).code == AdminProblemDetails.idempotencyKeyInUse
            let pause = RetryAfter.seconds(in: answer, now: Int(system.now().timeIntervalSince1970))
            return .answered(status: isInFlight ? 425 : answer.status, retryAfter: pause.map { .seconds($0) })
        }
    }

    /// Returns the details of a refusal. A body of another form, as a proxy sends it, becomes the code `http_` and the status.
    private func problem(in answer: WireResponse) -> AdminProblemDetails {
        var problem = (try? AdminProblemDetails.read(answer.body, as: .answer)) ?? AdminProblemDetails()
        problem.status = answer.status
        if problem.code.isEmpty { problem.code = "http_\(answer.status)" }
        let now = Int(system.now().timeIntervalSince1970)
        problem.retryAfter = problem.retryAfter ?? RetryAfter.seconds(in: answer, now: now)
        problem.retryAfter = problem.retryAfter.map { min(max(0, $0), RetryAfter.maximumSeconds) }
        return problem
    }
}

extension AdminProblemDetails {
    /// The code of a request whose `Idempotency-Key` belongs to one that is being performed.
    static let idempotencyKeyInUse = "idempotency_key_in_use"
}
