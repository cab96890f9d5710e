import Foundation
import OstiaryContracts

extension AuthClient {
    /// Queues a request of the app's own, to be sent as whoever is signed in now: at once if possible, else when the network
    /// is back, in the next run of the app if need be.
    ///
    /// What one person queues is sent in its order and never as anybody else; it goes when they sign out. When this returns,
    /// the queue's store has it. Each try carries the same `Idempotency-Key`: an answer that is lost leads to a second try,
    /// which only a server that heeds that header tells from a second request.
    ///
    /// - Parameters:
    ///   - target: The path below the base URL, with the query if there is one, both percent-encoded.
    ///   - id: The request's key. One that waits already is not queued again.
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/queueFull``,
    ///   ``ClientError/invalidRequest(_:)``, ``ClientError/store(_:)``. It is not queued then.
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
    /// - Parameter headers: By lower-case name. The client adds its own; `authorization` is refused.
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

    /// What waits for whoever is signed in, in its order.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/store(_:)``.
    public func queuedRequests() async throws(ClientError) -> [QueuedRequest] { try await queue.waiting() }

    /// Takes a queued request out again.
    ///
    /// - Returns: False if it does not wait, or if the queue is just being sent.
    public func withdraw(_ id: QueuedRequest.ID) async throws(ClientError) -> Bool { try await queue.withdraw(id) }

    /// Sends what waits now, for example when the system says that the network is back, or as a background task. Returns when
    /// all is sent or has to wait; only a server that asked for time is left alone until then.
    public func retryQueue() async { await queue.sendNow() }
}
