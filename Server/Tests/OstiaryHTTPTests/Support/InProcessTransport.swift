import OstiaryClient
import OstiaryContracts
import OstiaryEngine
import OstiaryHTTP

/// Passes requests to an app server without a socket.
struct InProcessTransport: Transport {
    let server: AppServer

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        let response = await server.answer(request, from: Caller()).response
        return WireResponse(status: response.status, headers: response.headers, body: response.body)
    }
}
