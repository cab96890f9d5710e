package import NIOCore
package import OstiaryEngine

/// A request whose body has arrived.
package struct ReceivedRequest: Sendable {
    package let head: RequestHead
    /// At most ``ConnectionLimits/bodyBytes``.
    package var body: ByteBuffer
    /// The time from the end of the head to the end of the body.
    package var bodyDuration: Duration
    /// The other end of the connection: the client, or a proxy.
    package var peer: IPAddress

    package init(head: RequestHead, body: ByteBuffer = ByteBuffer(), bodyDuration: Duration = .zero, peer: IPAddress) {
        self.head = head
        self.body = body
        self.bodyDuration = bodyDuration
        self.peer = peer
    }

    package var headers: HeaderList { head.headers }
}
