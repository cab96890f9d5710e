import OstiaryClient
import OstiaryContracts
import Synchronization

/// Hands every request to the test, and remembers it.
final class ScriptedTransport: Transport {
    struct Call: Hashable, Sendable {
        var request: WireRequest
        var deadline: Duration
        var bearer: String? { request.headers["authorization"].flatMap(BearerToken.read) }
    }

    private let log = Mutex<[Call]>([])
    private let answer: @Sendable (Call) async throws(TransportError) -> WireResponse

    init(_ answer: @escaping @Sendable (Call) async throws(TransportError) -> WireResponse) { self.answer = answer }

    var calls: [Call] { log.withLock { $0 } }

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        let call = Call(request: request, deadline: deadline)
        log.withLock { $0.append(call) }
        return try await answer(call)
    }
}
