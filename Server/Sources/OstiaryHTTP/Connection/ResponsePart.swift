import NIOCore

/// A part of an answer on its way to the client.
enum ResponsePart: Sendable {
    /// The interim answer to a client that waits to send its body. Source: RFC 9110 §15.2.1.
    case `continue`
    /// An answer whose body is in memory: its head, its body and its end.
    indirect case whole(WholeResponse)
    /// The head of an answer whose body follows in pieces.
    case head(ResponseHead)
    /// A piece of the body.
    case body(ByteBuffer)
    /// The end of an answer in pieces.
    case end
}
