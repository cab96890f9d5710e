import OstiaryCore
package import OstiaryEngine

/// The passkeys of one app.
package struct PasskeyConfiguration: Sendable {
    /// The relying party.
    package var settings: PasskeySettings
    /// The apps for Apple's platforms that share the passkeys: `TEAM.BUNDLE`.
    package var appleApps: [String]

    /// The scheme of an origin that is an app for Android.
    private static let android = "android:apk-key-hash:"

    /// Reads the section of an app; nil if it is absent.
    ///
    /// - Parameter name: The name of the app, for display.
    static func read(
        _ section: Section, name: String, mode: Mode
    ) throws(ConfigurationProblem) -> PasskeyConfiguration? {
        let passkeys = try section.section("passkeys")
        guard passkeys.isPresent else { return nil }
        let setting = try passkeys.required("rp_id", "the domain of the passkeys, such as example.com")
        let text = try setting.string()
        let isLocal = text == "localhost" && mode == .development
        guard let host = HostName(text), IPAddress(text) == nil, host.text == text, isLocal || text.contains(".") else {
            throw setting.problem("needs a domain in lower case, such as example.com")
        }
        guard isLocal || !PublicSuffix.contains(text) else {
            throw setting.problem("needs a domain of its own: below \(text), anybody can register a name")
        }
        var origins: [String] = []
        for setting in try passkeys.list("origins") ?? [] {
            origins.append(try origin(setting, of: text, isLocal: isLocal))
        }
        if origins.isEmpty {
            guard !isLocal else { throw passkeys.problem("origins", "needs http://localhost and the port") }
            origins = ["https://\(text)"]
        }
        for setting in try passkeys.list("android_apps") ?? [] {
            let app = try setting.string()
            guard app.hasPrefix(android), Base64URL.decode(app.utf8.dropFirst(android.utf8.count))?.count == 32 else {
                throw setting.problem("needs \(android) and the SHA-256 of the certificate in base64url")
            }
            origins.append(app)
        }
        var appleApps: [String] = []
        for setting in try passkeys.list("apple_apps") ?? [] { appleApps.append(try AppleApp.read(setting)) }
        var settings = PasskeySettings(relyingPartyID: text, relyingPartyName: name, origins: origins)
        if let setting = try passkeys.setting("rp_name") { settings.relyingPartyName = try DisplayName.check(setting) }
        try passkeys.finish()
        return PasskeyConfiguration(settings: settings, appleApps: appleApps)
    }

    private static func origin(_ setting: Setting, of domain: String, isLocal: Bool) throws(ConfigurationProblem)
        -> String
    {
        let text = try setting.string()
        guard let parts = URLParts(text), parts.userinfo == nil, parts.rest.isEmpty, text == text.lowercased(),
            parts.scheme == "https" ? parts.port != 443 : isLocal && parts.scheme == "http",
            parts.host == domain || parts.host.hasSuffix(".\(domain)")
        else {
            throw setting.problem("needs https:// and \(domain), or a host below it, without a path")
        }
        return text
    }

    func show(in outline: inout Outline) {
        outline.add("rp_id", settings.relyingPartyID)
        outline.add("rp_name", settings.relyingPartyName)
        outline.add("origins", settings.origins.filter { !$0.hasPrefix(Self.android) })
        let android = settings.origins.filter { $0.hasPrefix(Self.android) }
        if !android.isEmpty { outline.add("android_apps", android) }
        if !appleApps.isEmpty { outline.add("apple_apps", appleApps) }
    }
}

extension PasskeySettings {
    /// Returns the passkeys of an app in development without configured ones: of the domain `localhost`, which browsers
    /// accept without TLS.
    ///
    /// - Parameters:
    ///   - name: The name of the app, for display.
    ///   - scheme: `http`, or `https` for a server with a certificate.
    ///   - port: The port of the server.
    package static func development(name: String, scheme: String, port: Int) -> PasskeySettings {
        PasskeySettings(
            relyingPartyID: "localhost", relyingPartyName: name, origins: ["\(scheme)://localhost:\(port)"])
    }
}
