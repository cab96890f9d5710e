/// Where accounts and sessions are kept.
public enum StoreLocation: Hashable, Sendable {
    /// A file, made if it is not there.
    case sqlite(path: String)

    init(_ setting: Setting, origin: Origin) throws(ConfigurationProblem) {
        let text = try setting.string()
        if text.hasPrefix("sqlite:") {
            let path = String(text.dropFirst("sqlite:".count))
            let hasHost = path.hasPrefix("//") && !path.hasPrefix("///")
            guard !path.isEmpty, !path.hasSuffix("/"), !path.hasPrefix(":"), !hasHost else {
                throw setting.problem("needs a file: sqlite:PATH")
            }
            self = .sqlite(path: origin.resolve(path, from: setting.place))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            guard let server = PostgresURL(text) else {
                throw setting.problem("needs postgres://user:password@host1,host2/dbname?…")
            }
            guard server.isEncrypted || server.isLocal else {
                throw setting.problem("needs TLS to a remote database: add sslmode=verify-full (or require)")
            }
            throw setting.problem("needs sqlite:PATH: PostgreSQL support is not in this build yet")
        } else {
            throw setting.problem("needs sqlite:PATH or postgres://…")
        }
    }
}
