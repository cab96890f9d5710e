import OstiaryContracts

extension WireRequest {
    /// The request as it may be signed for: below the base URL, and to no other host.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)``, without a word of the request in it.
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
            // Another host's name would take the token to another app behind the same address; the others cut the request
            // into several.
            guard !["host", "transfer-encoding", "connection", "upgrade"].contains(name) else {
                throw .invalidRequest("the header \(name) is the connection's own")
            }
            // The token and the length are set by whoever knows them.
            if name == "authorization" || name == "content-length" { continue }
            guard request.headers.updateValue(value, forKey: name) == nil else {
                throw .invalidRequest("the header \(name) is given twice")
            }
        }
        return request
    }
}
