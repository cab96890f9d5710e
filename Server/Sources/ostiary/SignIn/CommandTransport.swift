import OstiaryClient
import OstiaryContracts
import Synchronization

/// A transport for the requests of one command, which keeps the latest response.
final class CommandTransport: Transport {
    private let transport: any Transport
    private let store: CommandStore
    private let usesUnsaved: Bool
    private let latest = Mutex<WireResponse?>(nil)

    /// - Parameter usesUnsaved: `true` to send requests after a change that could not be stored. Using a refreshed
    ///   token that is not stored leaves the superseded one in the store; its next use looks like token theft and ends
    ///   the session.
    init(over transport: any Transport, store: CommandStore, usesUnsaved: Bool) {
        self.transport = transport
        self.store = store
        self.usesUnsaved = usesUnsaved
    }

    var latestAnswer: WireResponse? { latest.withLock(\.self) }

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        guard usesUnsaved || store.problem == nil else { throw .cancelled }
        let answer = try await transport.send(request, to: baseURL, within: deadline)
        latest.withLock { $0 = answer }
        return answer
    }

    func enforces(_ pins: PinSet) -> Bool { transport.enforces(pins) }
}
