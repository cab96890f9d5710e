import OstiaryContracts

extension WireRequest {
    /// Returns the request in a form to which the token may be added: below the base URL, and to no other host.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)``, with no more of the request than a header's name.
    func checkedForSending() throws(ClientError) -> WireRequest {
        guard path.isEmpty || path.hasPrefix("/") else { throw .invalidRequest("the path must begin with a slash") }
        guard RequestTarget.isPlainPath(path) else {
            throw .invalidRequest("the path must be percent-encoded and have no segment . or ..")
        }
        guard RequestTarget.isPlainQuery(query) else { throw .invalidRequest("the query must be percent-encoded") }
        var request = self
        request.headers = [:]
        for (name, value) in headers {
            let name = name.lowercased()
            // Another host's name would send the token to another app at the same address; the other headers would
            // split the request into several.
            guard !["host", "transfer-encoding", "connection", "upgrade"].contains(name) else {
                throw .invalidRequest("the header \(name) is the connection's own")
            }
            // Set by the client: the token by the session, the length by the transport.
            if name == "authorization" || name == "content-length" { continue }
            guard request.headers.updateValue(value, forKey: name) == nil else {
                throw .invalidRequest("the header \(name) is given twice")
            }
        }
        return request
    }
}
