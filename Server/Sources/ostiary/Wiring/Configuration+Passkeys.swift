import OstiaryConfiguration
import OstiaryEngine

extension Configuration {
    /// Returns the passkeys of an app without configured ones: in development those of `localhost`, where browsers need no
    /// TLS; nil otherwise.
    func developmentPasskeys(named name: String) -> PasskeySettings? {
        guard mode == .development, publicURL == nil else { return nil }
        return .development(name: name, scheme: tls == nil ? "http" : "https", port: listen.port)
    }
}
