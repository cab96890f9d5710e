public import OstiaryEngine
public import OstiaryCore
public import OstiaryEngine

/// Everything that is configured, checked.
public struct Configuration: Sendable {
    public var mode: Mode
    public var listen: ListenAddress
    /// What links and redirects are built from, without a slash at the end; nil in development, for the address that
    /// the server listens on.
    public var publicURL: String?
    /// Proxies whose word about the client's address is taken.
    public var trustedProxies: [AddressRange]
    public var tls: TLSFiles?
    public var store: StoreLocation
    /// 32 bytes; nil in development with SQLite, to be made once and kept in the data directory.
    public var encryptionKey: Secret<[UInt8]>?
    /// Nil where production has none.
    public var email: EmailSettings?
    public var sms: SMSSettings?
    /// What phone numbers that get text messages begin with; nil for any.
    public var smsCountries: [CallingCode]?
    /// Where metrics are served; nil in development, on the main listener.
    public var adminListen: ListenAddress?
    public var limits: ServerLimits
    public var log: LogSettings
    /// The built-in OpenID provider; nil where production has none.
    public var idp: ProviderConfiguration?
    /// The apps to serve, in the order of the file.
    public var apps: [AppConfiguration]
    /// Where generated keys, the socket and by default the database are.
    public var dataDirectory: String

    /// What the command line says instead of environment and file.
    public struct Overrides: Hashable, Sendable {
        /// `--listen HOST:PORT`
        public var listen: String?
        /// `--data DIR`
        public var dataDirectory: String?
        /// `--app NAME …`; empty for all.
        public var apps: [String]

        public init(listen: String? = nil, dataDirectory: String? = nil, apps: [String] = []) {
            self.listen = listen
            self.dataDirectory = dataDirectory
            self.apps = apps
        }
    }
}

/// What the server is run for.
public enum Mode: String, CaseIterable, Sendable { case development, production }
