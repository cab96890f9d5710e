import OstiaryContracts

/// The role that a reverse proxy asks `/verify` for.
struct VerifyDemand {
    /// Nil to ask for no more than a live token.
    let role: String?

    /// - Returns: Nil for a query that is not `role=NAME`, once: an unknown, empty or repeated parameter is not ignored,
    ///   since the proxy would let everybody through who has a token.
    init?(query: String) {
        var role: String?
        if !query.isEmpty {
            var parameters = ParameterReader(query)
            guard case .named("role", let name)? = parameters.next(), !name.isEmpty, parameters.next() == nil,
                query.utf8.last != UInt8(ascii: "&"), query.utf8.first != UInt8(ascii: "&")
            else { return nil }
            role = name
        }
        self.role = role
    }
}
