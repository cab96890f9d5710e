import Foundation
import OstiaryContracts

extension AuthClient {
    /// Queues a request of the app's own with a JSON body, sent as the user who is signed in now: immediately if
    /// possible, else when the network is back, if necessary in the next run of the app.
    ///
    /// The requests of one user are sent in order and never as another user; they are removed at sign-out. When this
    /// returns, the queue's store has the request. Delivery is at-least-once: each attempt carries the same
    /// `Idempotency-Key`, and after a lost answer only a server that honours that header can recognise the second
    /// attempt.
    ///
    /// - Parameters:
    ///   - target: The path below the base URL, with the query if there is one, both percent-encoded.
    ///   - id: The idempotency key. A request that waits with the same id is not queued again.
    /// - Returns: The request's id.
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/queueFull``,
    ///   ``ClientError/invalidRequest(_:)`` for a request that can never be sent, ``ClientError/store(_:)``. The
    ///   request is not queued then.
    @discardableResult
    nonisolated(nonsending) public func enqueue(
        _ method: String, _ target: String, json body: some Encodable, id: QueuedRequest.ID = QueuedRequest.ID()
    ) async throws(ClientError) -> QueuedRequest.ID {
        try await enqueue(
            method, target, headers: ["content-type": "application/json", "accept": "application/json"],
            body: api.encoded(body), id: id)
    }

    /// Queues a request with any body, or none; see ``enqueue(_:_:json:id:)``.
    ///
    /// - Parameter headers: The headers by lower-case name. The client adds its own; `authorization`, `cookie`,
    ///   `proxy-authorization` and `idempotency-key` are rejected.
    @discardableResult
    public func enqueue(
        _ method: String, _ target: String, headers: [String: String] = ["accept": "application/json"],
        body: [UInt8] = [], id: QueuedRequest.ID = QueuedRequest.ID()
    ) async throws(ClientError) -> QueuedRequest.ID {
        let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let request = WireRequest(
            method: method, path: String(decoding: parts[0], as: UTF8.self),
            query: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "", headers: headers, body: body)
        try await queue.enqueue(request, id: id)
        return id
    }

    /// Returns the waiting requests of the signed-in user, in order.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/store(_:)``.
    public func queuedRequests() async throws(ClientError) -> [QueuedRequest] { try await queue.waiting() }

    /// Removes a request from the queue.
    ///
    /// - Returns: False if it is not waiting, or if the queue is being sent.
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/store(_:)``.
    public func withdraw(_ id: QueuedRequest.ID) async throws(ClientError) -> Bool { try await queue.withdraw(id) }

    /// Sends the waiting requests now, for example when the system reports that the network is back, or in a background
    /// task. Returns when all are sent or must wait, in ``QueueOptions/whenEnded`` immediately; only a pause that the
    /// server asked for is observed.
    public func retryQueue() async { await queue.sendNow() }
}
