import OstiaryCore

/// The parts of the configuration that the console shows or needs.
package struct ConsoleSettings: Sendable {
    /// The path of the console.
    package static let path = ConsolePath.base
    /// The path to which the provider returns browsers.
    package static let callbackPath = ConsolePath.callback.path

    /// The origins at which browsers reach the console, as they send them.
    package var origins: [String]
    /// The prefix of the provider's paths for browsers; empty if the provider is at the console's own origin.
    package var providerOrigin: String
    /// Writes the effective configuration, with masked secrets.
    package var configuration: @Sendable () -> String
    /// The version of the program.
    package var version: String

    package init(
        origins: [String], providerOrigin: String, version: String, configuration: @escaping @Sendable () -> String
    ) {
        self.origins = origins
        self.providerOrigin = providerOrigin
        self.configuration = configuration
        self.version = version
    }

    /// Returns `true` if the browser that sent a Host header connects over TLS.
    func isSecure(authority: String?) -> Bool {
        guard let origin = NormalizedURL("https://\(authority ?? "")")?.origin else { return false }
        return origins.contains { $0.utf8.elementsEqual(origin.utf8) }
    }
}
