import OstiaryClient
import OstiaryContracts
import Synchronization

/// Carries the requests of one command, and keeps the latest answer.
final class CommandTransport: Transport {
    private let transport: any Transport
    private let store: CommandStore
    private let usesUnsaved: Bool
    private let latest = Mutex<WireResponse?>(nil)

    /// - Parameter usesUnsaved: Whether requests are sent after a change that could not be stored. A refreshed token that
    ///   is used and not stored turns the stored one into a stolen one, and the session is lost.
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
