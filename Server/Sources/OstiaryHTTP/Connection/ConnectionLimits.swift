/// What one connection may take of the server: sizes, counts and times.
package struct ConnectionLimits: Hashable, Sendable {
    /// Bytes of a request's target, such as `/auth/login?redirect_uri=…`.
    package var targetBytes = 8_192
    /// Bytes of all header lines of a request together, line ends included.
    package var headerBytes = 16_384
    /// Header lines of a request.
    package var headerCount = 100
    /// Bytes of a request's body, chunk framing not counted.
    package var bodyBytes = 65_536

    /// From the first byte of a request to the end of its header; for a connection's first request from the moment the
    /// connection stands, so that it covers the TLS handshake too.
    package var headerDeadline: Duration = .seconds(10)
    /// From the end of the header to the end of the body.
    package var bodyDeadline: Duration = .seconds(30)
    /// From an answer to the first byte of the next request.
    package var idleDeadline: Duration = .seconds(60)
    /// How long a client may take nothing of what is waiting for it.
    package var writeDeadline: Duration = .seconds(30)
    /// How long a client's remaining bytes are read and thrown away after the last answer of a connection. Closing at
    /// once would reset the connection and could destroy the answer before the client has read it.
    package var lingerDeadline: Duration = .seconds(2)

    /// Connections at a time; one more is closed as soon as it is accepted.
    package var connections = 10_000
    /// Of these, connections of one network at a time: a sixteenth, and at least 16. Those of a trusted proxy, behind which all
    /// clients are, are not counted.
    package var connectionsPerNetwork: Int { min(connections, max(connections / 16, 16)) }

    /// Requests of one connection that are read before the first of them is answered. What a client sends beyond waits unread.
    package var pipelinedRequests = 4
    /// Bytes of requests that wait unread at most. More than this comes only from a client that has closed its sending half,
    /// since until then nothing is read ahead.
    package var pipelinedBytes = 1_048_576
    /// Bytes that one read of a socket takes: a few requests as clients send them.
    package var bytesPerRead = 4_096

    package init() {}
}
