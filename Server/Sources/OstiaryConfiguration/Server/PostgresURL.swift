import Foundation

/// What a PostgreSQL connection URI says about where it leads and how.
///
/// Source: PostgreSQL documentation, 34.1.1.2 Connection URIs.
struct PostgresURL {
    /// Host names, addresses, and folders of Unix sockets.
    let hosts: [String]
    let parameters: [String: String]

    /// Nil for a URI that cannot be read or names no host or no database.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        let afterScheme = text[separator.upperBound...]
        let (location, query) = afterScheme.split(at: "?")
        var (authority, database) = location.split(at: "/")
        if let at = authority.lastIndex(of: "@") { authority = authority[at...].dropFirst() }

        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let (name, value) = pair.split(at: "=")
            guard !name.isEmpty, !value.isEmpty else { return nil }
            parameters[String(name)] = value.removingPercentEncoding
        }
        var hosts: [String] = []
        for host in authority.split(separator: ",", omittingEmptySubsequences: false) where !authority.isEmpty {
            if host.hasPrefix("%2F") || host.hasPrefix("%2f") {
                guard let folder = host.removingPercentEncoding else { return nil }
                hosts.append(folder)
            } else {
                guard let (name, _) = URLParts.hostAndPort(host) else { return nil }
                hosts.append(name)
            }
        }
        for name in ["host", "hostaddr"] {
            hosts += parameters[name]?.split(separator: ",").map(String.init) ?? []
        }
        guard !hosts.isEmpty, !database.isEmpty || parameters["dbname"] != nil else { return nil }
        self.hosts = hosts
        self.parameters = parameters
    }

    /// Whether every host is a Unix socket or a loopback address.
    var isLocal: Bool { hosts.allSatisfy { $0.hasPrefix("/") || HostName.isLoopback($0) } }

    /// Whether the connection is refused without TLS.
    var isEncrypted: Bool { ["require", "verify-ca", "verify-full"].contains(parameters["sslmode"]) }
}

extension Substring {
    /// What comes before and after the first `separator`; all of it and nothing where there is none.
    fileprivate func split(at separator: Character) -> (Substring, Substring) {
        guard let index = firstIndex(of: separator) else { return (self, self[endIndex...]) }
        return (self[..<index], self[index...].dropFirst())
    }

    fileprivate var removingPercentEncoding: String? { String(self).removingPercentEncoding }
}
