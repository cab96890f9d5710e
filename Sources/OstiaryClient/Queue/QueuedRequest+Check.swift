import OstiaryContracts

extension QueuedRequest {
    /// Headers that the client sets itself, or does not store. A token in a queue would be stored for as long as it
    /// waits.
    private static let reserved: Set<String> = ["authorization", "cookie", "proxy-authorization", keyHeader]

    /// Validates the request before it is queued.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` for a request that can never be sent: it would block those behind
    ///   it.
    func check(_ limits: QueueLimits) throws(ClientError) {
        guard HeaderText.isToken(request.method), request.path.utf8.first == UInt8(ascii: "/"),
            RequestTarget.isPlainPath(request.path), RequestTarget.isPlainQuery(request.query)
        else { throw .invalidRequest("a method, and a percent-encoded path that begins with a slash, are needed") }
        for (name, value) in request.headers {
            guard HeaderText.isToken(name), HeaderText.isValue(value) else {
                throw .invalidRequest("a header holds characters that cannot be sent")
            }
            guard !Self.reserved.contains(name.lowercased()) else {
                throw .invalidRequest("the client sets the header \(name.lowercased()) itself")
            }
        }
        guard bytes <= limits.bytes else {
            throw .invalidRequest("\(bytes) bytes are more than the queue takes: \(limits.bytes)")
        }
    }
}
