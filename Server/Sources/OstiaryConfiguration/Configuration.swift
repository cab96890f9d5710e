package import OstiaryEngine
package import OstiaryCore
package import OstiaryEngine

/// Everything that is configured, checked.
package struct Configuration: Sendable {
    package var mode: Mode
    package var listen: ListenAddress
    /// What links and redirects are built from, without a slash at the end; nil in development, for the address that
    /// the server listens on.
    package var publicURL: String?
    /// Proxies whose word about the client's address is taken.
    package var trustedProxies: [AddressRange]
    package var tls: TLSFiles?
    package var store: StoreLocation
    /// 32 bytes; nil in development with SQLite, to be made once and kept in the data directory.
    package var encryptionKey: Secret<[UInt8]>?
    /// Nil where production has none.
    package var email: EmailSettings?
    package var sms: SMSSettings?
    /// What phone numbers that get text messages begin with; nil for any.
    package var smsCountries: [CallingCode]?
    /// Where metrics are served; nil in development, on the main listener.
    package var adminListen: ListenAddress?
    package var limits: ServerLimits
    package var log: LogSettings
    /// The built-in OpenID provider; nil where production has none.
    package var idp: ProviderConfiguration?
    /// The apps to serve, in the order of the file.
    package var apps: [AppConfiguration]
    /// Where generated keys, the socket and by default the database are.
    package var dataDirectory: String

    /// What the command line says instead of environment and file.
    package struct Overrides: Hashable, Sendable {
        /// `--listen HOST:PORT`
        package var listen: String?
        /// `--data DIR`
        package var dataDirectory: String?
        /// `--app NAME …`; empty for all.
        package var apps: [String]

        package init(listen: String? = nil, dataDirectory: String? = nil, apps: [String] = []) {
            self.listen = listen
            self.dataDirectory = dataDirectory
            self.apps = apps
        }
    }
}

/// What the server is run for.
package enum Mode: String, CaseIterable, Sendable { case development, production }
