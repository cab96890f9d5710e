package import OstiaryCore
package import OstiaryEngine

extension Configuration {
    /// Returns the effective configuration as YAML: every key with its value, secrets as `***`.
    ///
    /// Reading it again gives the same configuration, except for secrets and the data directory, which is not a key.
    ///
    /// - Parameter rules: The rules of the apps' contracts, for the numbers that the configuration leaves to them.
    package func show(rules: [AppName: AppRules] = [:]) -> String {
        "# data directory: \(dataDirectory)\n\(outline(rules: rules).text)"
    }

    func outline(rules: [AppName: AppRules]) -> Outline {
        var document = Outline()
        document.add("mode", mode.rawValue)
        document.add("listen", listen.description)
        document.add("public_url", publicURL)
        document.add("trusted_proxies", trustedProxies.map(\.description))
        document.add("tls") { tls in
            tls.add("certificate", path: self.tls?.certificate)
            tls.add("key", path: self.tls?.key)
        }
        document.add("store", store.description)
        if case .postgres(let url) = store { document.note("store", url) }
        let keys = encryptionKeys.map { key in Secret(Base64URL.encode(key.reveal())) }
        if keys.count > 1 {
            document.add("encryption_keys", secrets: keys)
        } else {
            document.add("encryption_key", secret: keys.first)
        }
        document.add("signing_key_days", signingKeyDays)
        document.add("email") { email?.show(in: &$0) }
        document.add("sms") { outline in
            sms?.show(in: &outline)
            if let smsCountries { outline.add("countries", smsCountries.map(\.text)) }
        }
        document.add("admin") { admin in
            admin.add("listen", adminListen?.description)
            admin.add("public_url", adminPublicURL)
        }
        document.add("events") { $0.add("allow_private", events.urls.allowsPrivate) }
        document.add("geoip") { geography.show(in: &$0) }
        document.add("limits") { outline in
            outline.add("body", limits.body)
            outline.add("headers", limits.headers)
            outline.add("connections", limits.connections)
            outline.add("header_timeout", limits.headerTimeout)
            outline.add("body_timeout", limits.bodyTimeout)
            outline.add("idle_timeout", limits.idleTimeout)
        }
        document.add("log") { outline in
            outline.add("level", log.level.rawValue)
            outline.add("format", log.format.rawValue)
            outline.add("slow_milliseconds", log.slowMilliseconds ?? 0)
        }
        document.add("tracing") { outline in
            outline.add("accept", tracing.accept.rawValue)
            outline.add("propagate", tracing.propagate.rawValue)
        }
        document.add("idp") { idp?.show(in: &$0) }
        document.add("apps") { outline in
            for app in apps {
                outline.add(app.name.text) { app.show(rules: rules[app.name], in: &$0) }
            }
        }
        return document
    }
}

extension EmailSettings {
    fileprivate func show(in outline: inout Outline) {
        switch self {
        case .inbox: outline.add("kind", "inbox")
        case .smtp(let url, let from):
            outline.add("kind", "smtp")
            outline.add("url", url: url, keepingPath: true)
            outline.add("from", from)
        }
    }
}

extension SMSSettings {
    fileprivate func show(in outline: inout Outline) {
        switch self {
        case .inbox: outline.add("kind", "inbox")
        case .twilio(let accountSID, let token, let from):
            outline.add("kind", "twilio")
            outline.add("account_sid", accountSID)
            outline.add("auth_token", secret: token)
            outline.add("from", from)
        case .webhook(let url, let secret):
            outline.add("kind", "webhook")
            outline.add("url", url: url, keepingPath: false)
            outline.add("secret", secret: secret)
        }
    }
}
