import Synchronization

/// The responder of a listener, which can be replaced while requests are answered. A request keeps the responder that it
/// began with.
package final class ReloadableResponder: RequestResponder {
    private let responder: Mutex<RootResponder>

    package init(_ responder: RootResponder) { self.responder = Mutex(responder) }

    /// The responder in use. A request reads it once, which takes a lock for the length of a retain.
    package var current: RootResponder { responder.withLock { $0 } }

    package func replace(by responder: RootResponder) { self.responder.withLock { $0 = responder } }

    package func respond(to request: ReceivedRequest) async -> OutgoingResponse {
        await current.respond(to: request)
    }
}
