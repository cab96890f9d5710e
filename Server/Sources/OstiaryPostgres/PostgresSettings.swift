internal import CPQ

/// The location of a database and the parameters of its connections.
///
/// Source: PostgreSQL documentation, 34.1.1.2 Connection URIs.
package struct PostgresSettings: Sendable {
    /// The accepted values of `pool_size`.
    package static let poolSizes = 1...200

    /// The maximum number of open connections; `pool_size` in the URI.
    package let maximumConnections: Int
    /// `true` if a pooler that assigns a connection per transaction is in between: `pooler=transaction` in the URI.
    package let hasTransactionPooler: Bool
    /// The time limit of a call, retries included.
    package var deadline = Duration.seconds(2)
    /// The database's name, for messages.
    package let database: String
    /// The libpq parameters of each server, in the order in which they are tried.
    let servers: [[String: String]]

    /// A reason that a URI cannot be used. Repeats nothing of it, since it contains a password.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Parses a connection URI.
    ///
    /// - Throws: ``Problem``.
    package init(url: String) throws(Problem) {
        let (uri, own) = try Self.takingOwnParameters(from: url)
        let options = try Self.parse(uri)
        hasTransactionPooler = own["pooler"] == "transaction"
        maximumConnections = own["pool_size"].flatMap { Int($0) } ?? 16
        guard let database = options["dbname"], !database.isEmpty else {
            throw Problem(description: "needs a database: postgres://user:password@host/dbname")
        }
        self.database = database
        var shared = Self.defaults.merging(options) { _, given in given }
        // A pooler refuses startup parameters that it does not know.
        if !hasTransactionPooler { shared["options"] = Self.serverOptions(with: options["options"]) }
        servers = try Self.servers(shared)
    }

    /// Separates the parameters that are not libpq's from the URI.
    private static func takingOwnParameters(from url: String) throws(Problem) -> (String, [String: String]) {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return (url, [:]) }
        var own: [String: String] = [:]
        var others: [Substring] = []
        for pair in parts[1].split(separator: "&") {
            let (name, value) = (pair.prefix { $0 != "=" }, pair.drop { $0 != "=" }.dropFirst())
            switch name {
            case "pool_size":
                guard let size = Int(value), poolSizes.contains(size) else {
                    throw Problem(
                        description: "needs pool_size from \(poolSizes.lowerBound) to \(poolSizes.upperBound)")
                }
                own["pool_size"] = String(size)
            case "pooler":
                guard value == "transaction" else { throw Problem(description: "needs pooler=transaction, or none") }
                own["pooler"] = String(value)
            default: others.append(pair)
            }
        }
        return (others.isEmpty ? String(parts[0]) : "\(parts[0])?\(others.joined(separator: "&"))", own)
    }

    private static func parse(_ uri: String) throws(Problem) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let list = PQconninfoParse(uri, &message) else {
            // libpq's message repeats parts of the URI, and with them the password.
            PQfreemem(message)
            throw Problem(description: "cannot be read by libpq: check its parameters")
        }
        defer { PQconninfoFree(list) }
        var options: [String: String] = [:]
        var option = list
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }

    /// The parameters that apply unless the URI sets them.
    private static let defaults = [
        "target_session_attrs": "read-write", "gssencmode": "disable", "fallback_application_name": "ostiary",
        // TCP keepalives detect a server that disappeared without closing the connection.
        "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3", "tcp_user_timeout": "15000",
    ]

    /// - Parameter given: The URI's own options, each of which overrides a default.
    private static func serverOptions(with given: String?) -> String {
        // No `statement_timeout`: each call has a deadline of its own, and must not cancel a statement that commits.
        // PostgreSQL's default search path begins with a schema named like the user, which any user who may create
        // schemas can create: tables in it would shadow this server's. The temporary schema comes last, or it would
        // come first.
        // Every statement is found by an index whatever its values are. To plan one again for each array of one element, which
        // seems cheaper than the ten that a plan for all values expects, takes twice as long as to run it.
        let ours =
            "-c lock_timeout=1500 -c idle_in_transaction_session_timeout=10000 -c search_path=public,pg_temp"
            + " -c plan_cache_mode=force_generic_plan"
        // Not overridable: each statement has to see what committed before it, and the warning of a commit without a
        // standby has to be sent.
        let fixed = "-c default_transaction_isolation=read\\ committed -c client_min_messages=warning"
        return [ours, given, fixed].compactMap { $0 }.joined(separator: " ")
    }

    /// Returns one entry for each host, so that each has its own time limit.
    private static func servers(_ options: [String: String]) throws(Problem) -> [[String: String]] {
        func list(_ name: String) -> [String] {
            options[name]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        }
        let (hosts, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        let count = max(hosts.count, addresses.count, 1)
        for given in [hosts, addresses] where !given.isEmpty && given.count != count {
            throw Problem(description: "needs as many hostaddr as hosts")
        }
        guard ports.count <= 1 || ports.count == count else {
            throw Problem(description: "needs one port, or one for each host")
        }
        return (0..<count).map { index in
            var server = options
            server["host"] = hosts.isEmpty ? nil : hosts[index]
            server["hostaddr"] = addresses.isEmpty ? nil : addresses[index]
            server["port"] = ports.isEmpty ? nil : ports[ports.count == 1 ? 0 : index]
            // Not overridable: the encoding is UTF-8, regardless of the locale of the machine.
            server["client_encoding"] = "UTF8"
            return server
        }
    }
}
