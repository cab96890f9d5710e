/// The limits of one connection: sizes, counts and times.
package struct ConnectionLimits: Hashable, Sendable {
    /// Bytes of a request's target, such as `/auth/login?redirect_uri=…`.
    package var targetBytes = 8_192
    /// Bytes of all header lines of a request together, line ends included.
    package var headerBytes = 16_384
    /// Header lines of a request.
    package var headerCount = 100
    /// Bytes of a request's body, chunk framing not counted.
    package var bodyBytes = 65_536

    /// From the first byte of a request to the end of its header; for a connection's first request, from the moment the
    /// connection is accepted, so that it covers the TLS handshake too.
    package var headerDeadline: Duration = .seconds(10)
    /// From the end of the header to the end of the body.
    package var bodyDeadline: Duration = .seconds(30)
    /// From an answer to the first byte of the next request.
    package var idleDeadline: Duration = .seconds(60)
    /// The longest time in which a client accepts no byte of the pending output.
    package var writeDeadline: Duration = .seconds(30)
    /// The time for which a client's remaining bytes are read and discarded after a connection's last answer. Closing
    /// at once would reset the connection and could destroy the answer before the client has read it.
    package var lingerDeadline: Duration = .seconds(2)
    /// The time that a client has, once the server is shutting down, to complete a request that it has begun, and to
    /// accept a byte of the pending output.
    package var shutdownDeadline: Duration = .seconds(3)

    /// Concurrent connections; one more is closed as soon as it is accepted.
    package var connections = 10_000
    /// Concurrent connections of one network: a sixteenth of ``connections``, and at least 16. Those of a trusted
    /// proxy, which carries all clients, are not counted.
    package var connectionsPerNetwork: Int { min(connections, max(connections / 16, 16)) }

    /// Requests of one connection that are read before the first of them is answered. Further input stays unread.
    package var pipelinedRequests = 4
    /// Bytes of unread requests at most. Only a client that has closed its sending half can exceed this, since until
    /// then nothing is read ahead.
    package var pipelinedBytes = 1_048_576
    /// Bytes that one read of a socket takes: a few requests of typical size.
    package var bytesPerRead = 4_096

    package init() {}
}
