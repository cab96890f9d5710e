package import OstiaryEngine
package import OstiaryCore
package import OstiaryEngine

/// The complete configuration, validated.
package struct Configuration: Sendable {
    package var mode: Mode
    package var listen: ListenAddress
    /// The base of links and redirects, without a trailing slash; nil in development, for the address that the server
    /// listens on.
    package var publicURL: String?
    /// The proxies whose statement of the client's address is trusted.
    package var trustedProxies: [AddressRange]
    package var tls: TLSFiles?
    package var store: StoreLocation
    /// The keys that seal stored secrets, 32 bytes each, the newest first; empty in development with SQLite, where one is
    /// generated once and stored in the data directory.
    package var encryptionKeys: [Secret<[UInt8]>]
    /// The days for which a signing key signs before its successor does; nil if keys change by command alone.
    package var signingKeyDays: Int?
    /// The settings for email; nil where production has none.
    package var email: EmailSettings?
    package var sms: SMSSettings?
    /// The calling codes of phone numbers that may receive text messages; nil for any.
    package var smsCountries: [CallingCode]?
    /// The address that serves the admin API and metrics; nil in development, on the main listener.
    package var adminListen: ListenAddress?
    /// The origin at which administrators reach that address, without a trailing slash; nil where none is configured.
    package var adminPublicURL: String?
    /// The settings of requests to other systems.
    package var events: EventSettings
    /// The files by which network addresses are located.
    package var geography: GeographySettings
    package var limits: ServerLimits
    package var log: LogSettings
    package var tracing: TracingSettings
    /// The built-in OpenID provider; nil where production has none.
    package var idp: ProviderConfiguration?
    /// The apps to serve, in the order of the file.
    package var apps: [AppConfiguration]
    /// The directory of generated keys, the socket and by default the database.
    package var dataDirectory: String

    /// The command line's values, which take precedence over environment and file.
    package struct Overrides: Hashable, Sendable {
        /// The value of `--listen HOST:PORT`.
        package var listen: String?
        /// The value of `--data DIR`.
        package var dataDirectory: String?
        /// The values of `--app NAME …`; empty for all.
        package var apps: [String]

        package init(listen: String? = nil, dataDirectory: String? = nil, apps: [String] = []) {
            self.listen = listen
            self.dataDirectory = dataDirectory
            self.apps = apps
        }
    }
}

/// The purpose that the server runs for.
package enum Mode: String, CaseIterable, Sendable { case development, production }
