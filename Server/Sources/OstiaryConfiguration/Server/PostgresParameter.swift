import OstiaryPostgres

/// The parameters after the `?` of a PostgreSQL connection URI.
///
/// Source: PostgreSQL documentation, 34.1.2 Parameter Key Words.
enum PostgresParameter {
    /// The parameters of libpq, except those that Ostiary controls: the encoding, replication, and files with further
    /// settings.
    private static let known: Set<String> = [
        "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "require_auth", "channel_binding",
        "connect_timeout", "options", "application_name", "keepalives", "keepalives_idle", "keepalives_interval",
        "keepalives_count", "tcp_user_timeout", "gssencmode", "sslmode", "sslcompression", "sslcert", "sslkey",
        "sslpassword", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "sslnegotiation", "sslcertmode", "requirepeer",
        "ssl_min_protocol_version", "ssl_max_protocol_version", "krbsrvname", "gsslib", "target_session_attrs",
        "load_balance_hosts",
    ]
    /// Ostiary's own parameters.
    private static let own: Set<String> = ["pool_size", "pooler"]
    static let secrets: Set<String> = ["password", "sslpassword"]

    private static let choices = [
        "sslmode": ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"],
        // Records are written, so a read-only server cannot be used.
        "target_session_attrs": ["read-write", "primary", "any"],
        "pooler": ["transaction"],
    ]
    private static let numbers = ["pool_size": PostgresSettings.poolSizes, "connect_timeout": 1...60]

    static func check(_ parameters: [String: String]) throws(PostgresURL.Problem) {
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            guard known.contains(name) || own.contains(name) else {
                // The message does not contain the name, which may be a piece of a password with an & in it.
                throw PostgresURL.Problem(
                    need: "needs parameters of libpq's, pool_size or pooler"
                        + suggestion(for: name, among: (known.union(own)).sorted()))
            }
            if let choices = choices[name], !choices.contains(value) {
                throw PostgresURL.Problem(need: "needs \(name) to be \(choices.joined(separator: " or "))")
            }
            if let range = numbers[name] {
                guard value.utf8.allSatisfy(\.isDigit), let number = Int(value), range.contains(number) else {
                    throw PostgresURL.Problem(need: "needs \(name) from \(range.lowerBound) to \(range.upperBound)")
                }
            }
        }
        if parameters["pooler"] != nil, parameters["options"] != nil {
            throw PostgresURL.Problem(need: "needs no options beside pooler=transaction: the pooler would refuse them")
        }
    }
}
