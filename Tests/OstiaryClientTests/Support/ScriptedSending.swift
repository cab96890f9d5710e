import OstiaryContracts
import OstiaryCore
import Synchronization

@testable import OstiaryClient

/// Hands every queued request to the test, and remembers it.
final class ScriptedSending: AuthorizedSending {
    struct Call: Hashable, Sendable {
        var request: WireRequest
        var owner: QueueOwner
        var key: String? { request.headers["idempotency-key"] }
    }

    private let signedIn: Mutex<QueueOwner?>
    private let log = Mutex<[Call]>([])
    private let answer: Mutex<@Sendable (Call) async throws(ClientError) -> WireResponse>

    init(
        as person: QueueOwner?,
        _ answer: @escaping @Sendable (Call) async throws(ClientError) -> WireResponse = { _ throws(ClientError) in .ok
        }
    ) {
        signedIn = Mutex(person)
        self.answer = Mutex(answer)
    }

    var calls: [Call] { log.withLock { $0 } }
    var paths: [String] { calls.map(\.request.path) }

    var personNow: QueueOwner? {
        get { signedIn.withLock { $0 } }
        set { signedIn.withLock { $0 = newValue } }
    }

    func answers(_ answer: @escaping @Sendable (Call) async throws(ClientError) -> WireResponse) {
        self.answer.withLock { $0 = answer }
    }

    func person() async throws(ClientError) -> QueueOwner {
        guard let personNow else { throw .notSignedIn }
        return personNow
    }

    func send(_ request: WireRequest, as owner: QueueOwner) async throws(ClientError) -> WireResponse {
        guard personNow == owner else { throw .notSignedIn }
        let call = Call(request: request, owner: owner)
        log.withLock { $0.append(call) }
        return try await answer.withLock { $0 }(call)
    }
}
