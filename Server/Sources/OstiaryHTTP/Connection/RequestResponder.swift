/// The routes behind a listener.
package protocol RequestResponder: Sendable {
    /// Answers a request, on the event loop of its connection.
    nonisolated(nonsending) func respond(to request: ReceivedRequest) async -> OutgoingResponse
}

/// An answer with all its headers but the framing of its body, which the connection writes.
package struct OutgoingResponse: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        case stream(ResponseStream)
    }

    package var head: ResponseHead
    package var body: Body

    package init(head: ResponseHead, body: Body) {
        self.head = head
        self.body = body
    }
}
