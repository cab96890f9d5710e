import NIOCore

/// A part of a request on its way to the routes.
enum RequestPart: Sendable {
    /// A request without a body, which is most of them: its head and its end.
    case whole(RequestHead)
    /// The head of a request with a body.
    case head(RequestHead)
    /// A piece of the body.
    case body(ByteBuffer)
    /// The end of a request with a body.
    case end
}
