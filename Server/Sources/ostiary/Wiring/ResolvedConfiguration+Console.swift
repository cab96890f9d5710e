import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryDoctor
import OstiaryEngine
import OstiaryHTTP

extension ResolvedConfiguration {
    /// The origins at which browsers can reach the console: on the admin listener, or in development on the main one.
    var consoleOrigins: [String] {
        let configuration = self.configuration
        let listen = configuration.adminListen ?? configuration.listen
        let publicURL = configuration.adminListen == nil ? configuration.publicURL : configuration.adminPublicURL
        let own = [publicURL.flatMap { NormalizedURL($0)?.origin }].compactMap(\.self)
        guard listen.isLoopback else { return own }
        let scheme = configuration.adminListen == nil && configuration.tls != nil ? "https" : "http"
        let local = ServerApplication.AppMount.loopbackNames.map { "\(scheme)://\($0):\(listen.port)" }
        return own + local.filter { !own.contains($0) }
    }

    /// The URL at which an administrator opens the console.
    var consoleURL: String { (consoleOrigins.first ?? origin) + ConsoleSettings.path }

    /// `true` if the console is at the provider's own origin.
    var hasConsoleOnMainListener: Bool { configuration.adminListen == nil }

    /// The effective configuration as text, defaults included, secrets masked, with the redirect URIs to register as comments.
    var shown: String {
        let text = configuration.show(
            rules: Dictionary(uniqueKeysWithValues: apps.map { ($0.settings.name, $0.codec.contract.rules) }))
        return callbacks.reduce(into: text) { text, callback in
            text += "# redirect URI to register at \(callback.provider) of \(callback.app): \(callback.url)\n"
        }
    }
}
