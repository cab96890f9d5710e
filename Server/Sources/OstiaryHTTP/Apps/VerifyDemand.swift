import OstiaryContracts

/// The role that a reverse proxy requires at `/verify`.
struct VerifyDemand {
    /// Nil to require only a valid token.
    let role: String?

    /// - Returns: Nil for a query other than a single `role=NAME`: an unknown, empty or repeated parameter is not
    ///   ignored, since the proxy would then admit every account with a valid token.
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
