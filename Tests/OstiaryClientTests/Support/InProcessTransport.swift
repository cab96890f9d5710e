import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// A server without a socket: the server's side of a contract's codec in front of a service.
struct InProcessTransport<Service: AuthService>: Transport {
    let codec: Codec
    let service: Service

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        do { return await answer(try codec.read(request)) } catch { return codec.write(error) }
    }

    private func answer<Operation: AuthOperation>(_ operation: Operation) async -> WireResponse {
        do { return codec.write(try await service.perform(operation), to: Operation.kind) } catch {
            return codec.write(error)
        }
    }
}
