package import OstiaryCore

/// The location of the store of accounts and sessions.
package enum StoreLocation: Hashable, Sendable {
    /// A file, created if it is missing.
    case sqlite(path: String)
    /// A database that every node shares: a libpq connection URI, which may have the additional parameters `pool_size`
    /// and `pooler`, and usually holds a password.
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

    /// Reads the location from a command line.
    ///
    /// - Parameter option: The option, with its dashes.
    /// - Throws: ``ConfigurationProblem``.
    package init(_ text: String, option: String) throws(ConfigurationProblem) {
        try self.init(
            Setting(key: "", text: text, place: .option(option), isQuoted: true),
            origin: Origin(file: nil, environment: [:]))
    }

    /// `true` if other nodes may use it too, so that no data they need may be in one node's data directory.
    package var isShared: Bool {
        switch self {
        case .sqlite: false
        case .postgres: true
        }
    }
}

extension StoreLocation: CustomStringConvertible {
    /// The location as it is configured, with `***` for passwords.
    package var description: String {
        switch self {
        case .sqlite(let path): "sqlite:\(path)"
        case .postgres(let url): (try? PostgresURL(url.reveal()))?.masked ?? Outline.mask
        }
    }
}
