package import OstiaryCore

/// Where accounts and sessions are kept.
package enum StoreLocation: Hashable, Sendable {
    /// A file, made if it is not there.
    case sqlite(path: String)
    /// A database that every node shares: a libpq connection URI with the parameters `pool_size` and `pooler` besides, and
    /// in most cases a password.
    case postgres(url: Secret<String>)

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
            let server: PostgresURL
            do { server = try PostgresURL(text) } catch { throw setting.problem(error.need) }
            guard server.isEncrypted || server.isLocal else {
                throw setting.problem("needs TLS to a remote database: add sslmode=verify-full (or require)")
            }
            self = .postgres(url: Secret(text))
        } else {
            throw setting.problem("needs sqlite:PATH or postgres://…")
        }
    }

    /// Reads what a command line says.
    ///
    /// - Parameter option: The option, with its dashes.
    /// - Throws: ``ConfigurationProblem``.
    package init(_ text: String, option: String) throws(ConfigurationProblem) {
        try self.init(
            Setting(key: "", text: text, place: .option(option), isQuoted: true),
            origin: Origin(file: nil, environment: [:]))
    }

    /// Whether other nodes work on it too, so that nothing they need may lie in one node's data directory.
    package var isShared: Bool {
        switch self {
        case .sqlite: false
        case .postgres: true
        }
    }
}

extension StoreLocation: CustomStringConvertible {
    /// As it is configured, with `***` for passwords.
    package var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres(let url): (try? PostgresURL(url.reveal()))?.masked ?? Outline.mask
        }
    }
}
