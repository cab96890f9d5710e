import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Synchronization

/// A transport that can answer every request itself, with the same bytes.
final class CannedTransport: Transport {
    let transport: any Transport
    private let answer = Mutex<WireResponse?>(nil)

    init(_ transport: any Transport) { self.transport = transport }

    func answer(with response: WireResponse?) { answer.withLock { $0 = response } }

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        if let response = answer.withLock({ $0 }) { return response }
        return try await transport.send(request, to: baseURL, within: deadline)
    }
}
