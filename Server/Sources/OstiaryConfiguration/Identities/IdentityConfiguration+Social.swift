import OstiaryEngine

extension IdentityConfiguration.Google {
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        clientID = try section.required("client_id", "the OAuth client's id").string()
        clientSecret = try section.required("client_secret", "the OAuth client's secret").secret()
        nativeClientIDs = try section.texts("native_client_ids")
        issuer = try DevelopmentOverride.url("issuer", in: section, mode: mode)
    }
}

extension IdentityConfiguration.Apple {
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        clientID = try section.required("client_id", "the Services ID").string()
        teamID = try Self.id("team_id", in: section)
        keyID = try Self.id("key_id", in: section)
        let inline = try section.setting("private_key")
        privateKeyFile = try section.readableFile("private_key_file", "the .p8 file of Apple's developer site")
        if let privateKeyFile {
            guard inline == nil else {
                throw section.problem("private_key_file", "needs to be left out, or private_key")
            }
            guard let key = ApplePrivateKey(file: privateKeyFile) else {
                throw section.problem("private_key_file", ApplePrivateKey.need)
            }
            privateKey = key.pem
        } else {
            guard let inline else { throw section.problem("private_key", ApplePrivateKey.need) }
            guard let key = ApplePrivateKey(text: inline.text) else { throw inline.problem(ApplePrivateKey.need) }
            privateKey = key.pem
        }
        nativeClientIDs = try section.texts("native_client_ids")
        issuer = try DevelopmentOverride.url("issuer", in: section, mode: mode)
    }

    private static func id(_ name: String, in section: Section) throws(ConfigurationProblem) -> String {
        let need = "the 10 letters and digits of Apple's developer site"
        let setting = try section.required(name, need)
        guard setting.text.utf8.count == 10, setting.text.utf8.allSatisfy({ $0.isLetter || $0.isDigit }) else {
            throw setting.problem("needs \(need)")
        }
        return setting.text
    }
}

extension IdentityConfiguration.GitHub {
    init(_ section: Section, mode: Mode) throws(ConfigurationProblem) {
        clientID = try section.required("client_id", "the OAuth app's client id").string()
        clientSecret = try section.required("client_secret", "the OAuth app's client secret").secret()
        endpoint = try DevelopmentOverride.url("endpoint", in: section, mode: mode)
    }
}

/// An alternative endpoint for a provider that has a fixed one: its host can assert every identity, so in production it
/// must be a loopback address.
private enum DevelopmentOverride {
    static func url(_ name: String, in section: Section, mode: Mode) throws(ConfigurationProblem) -> String? {
        guard let setting = try section.setting(name) else { return nil }
        let url = try WebURL(setting, allowingPlain: mode == .development)
        guard mode == .development || IPAddress.isLoopback(host: url.host) else {
            throw setting.problem(
                "needs to be left out (a simulated provider is for development and loopback addresses)")
        }
        return url.text
    }
}
