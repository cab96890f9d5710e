import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct ConfigurationShowTests {
    @Test func `reads again what it shows`() throws {
        let text = """
            mode: development
            public_url: http://127.0.0.1:9/x
            trusted_proxies: [10.0.0.0/8, "::1"]
            sms: {kind: inbox, countries: ["+49", "+1"]}
            events: {allow_private: true}
            email: {kind: smtp, url: "smtps://h", from: "A \\"$${x}\\" <a@example.com>"}
            apps:
              "123": {contract: timetracker, hosts: [h.example.com], redirect_uris: ["a://b"], profile: strict}
              viewvault:
                second_factor: {required_for: [admin], methods: [totp, recovery_code], after_social: false}
                passkeys:
                  rp_id: example.com
                  rp_name: "Example: x"
                  origins: ["https://example.com", "https://www.example.com:8443"]
                  apple_apps: [A1B2C3D4E5.com.example.app]
                  android_apps: ["android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"]
              clarity: {request_signing: off, dpop: required, dpop_origins: ["https://a.example:8443"], tokens: {access: 60}, rate_limits: {sign_in: 3/90s, refresh: 5/1d}}
              vici:
                name: "Ví: #ci"
                color: "#00ff00"
                language: de
                identity:
                  - kind: oidc
                    issuer: https://i.example.com
                    client_id: c
                    client_secret: s
                    endpoint_hosts: [j.example.com]
                    client_authentication: basic
                    title: "- \\"x\\" {"
                  - {kind: google, name: g, client_id: c, client_secret: s, native_client_ids: [a, b]}
                  - {kind: github, client_id: c, client_secret: s, endpoint: "http://127.0.0.1:1"}
                  - {kind: cognito, region: r, user_pool_id: p, client_id: c, public: true, migrate: true}
                  - {kind: auth0}
                  - {kind: builtin}
            idp:
              name: Example
              color: "#1f5fd0"
              registration: closed
              dpop: accepted
              risk: {notify: high, challenge: medium, refuse: never}
              clients:
                web: {public: true, redirect_uris: ["https://a/cb"], leads_to: [a], first_party: true}
                app: {public: true, redirect_uris: ["a:/b"], post_logout_redirect_uris: ["a:/c"]}
            """
        let shown = try read(text).show()
        #expect(try read(shown).show() == shown)
        #expect(shown.contains("language: de\n") && shown.contains("language: en\n"))
        let everything = try read([:]).show()
        #expect(try read(everything).show() == everything)
    }

    @Test func `prints the limit of a client that authenticates`() throws {
        let web = "web: {secret: \(goodSecret), redirect_uris: [\"https://a/cb\"], rate_limit: 500/10s}"
        let app = "app: {public: true, redirect_uris: [\"a:/b\"]}"
        let own = "own: {secret: \(goodSecret), redirect_uris: [\"https://b/cb\"]}"
        let shown = try read("mode: development\nidp: {clients: {\(web), \(app), \(own)}}").show()
        #expect(shown.contains("500/10s") && shown.contains("12000/1m"))
        #expect(shown.split(separator: "rate_limit:").count == 3)
    }

    @Test func `prints hooks without their secrets`() throws {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let text = """
            mode: development
            events: {allow_private: true}
            apps:
              vici:
                hooks:
                  before_registration: {url: "https://10.0.0.1/x", secret: \(secret)}
                  token_claims: {url: "https://a.example.com/CaNaRy?key=CaNaRy", secret: \(secret), on_failure: allow}
            """
        let shown = try read(text).show()
        for part in [
            "https://10.0.0.1/***", "https://a.example.com/***", "on_failure: deny", "on_failure: allow",
            "allow_private: true",
        ] {
            #expect(shown.contains(part), "\(part)")
        }
        #expect(!shown.contains(secret) && !shown.contains("CaNaRy"))
        #expect(try read(text).hasSecret(in: Array("secret: \(secret)".utf8)))
        #expect(try read(text).app("vici").hooks.tokenClaims?.secret.text.reveal() == secret)
    }

    @Test func `prints every promise`() throws {
        let configuration = try read([:])
        let rules = AppRules(identifier: .email, refresh: RefreshRules(shortSeconds: 86400))
        let shown = configuration.show(rules: [try configuration.app("clarity").name: rules])
        for line in [
            "access: 3600", "refresh: 2592000", "refresh_short: 86400", "replay_window: 30", "signing: es256",
            "minimum_length: 8", "bcrypt_cost: 10", "reset_lifetime: 3600", "digits: 6", "lifetime: 300", "tries: 5",
            "resend_after: 60", "lifetime: 600", "request_signing: accepted", "address: \"10/1m\"", "body: 65536",
            "per_recipient_day: 10", "per_prefix_hour: 50", "per_network_hour: 50", "per_server_hour: 1000",
            "identifiers: 30", "accounts: 30", "unfinished_per_network: 100", "unfinished_per_server: 100000",
        ] {
            #expect(shown.contains(" \(line)\n"), "\(line) is missing")
        }
    }

    private static let canaries = (1...14).map { "CaNaRy\($0)0a9be6d2784735fa8c61b0e29d13" }

    /// Every configurable secret, each with a canary value.
    private static let everySecret = """
        mode: production
        public_url: https://auth.example.com
        encryption_key: ${KEY}
        email: {kind: smtp, url: "smtps://\(canaries[0]):\(canaries[1])@mail.example.com:465", from: a@example.com}
        sms: {kind: webhook, url: "https://h.example.com/\(canaries[2])/\(canaries[3])?t=\(canaries[3])", secret: \(canaries[4])}
        apps:
          vici: {jwt_secret: \(canaries[5]), jwt_refresh_secret: \(canaries[6])}
          clarity:
            identity: {kind: cognito, region: r, user_pool_id: p, client_id: c, client_secret: \(canaries[7])}
            codes: {test_numbers: {"+15555550100": {code: "739184", until: 2027-01-01}}}
          timetracker:
            identity:
              - {kind: oidc, issuer: "https://i.example.com", client_id: c, client_secret: \(canaries[8])}
              - {kind: google, client_id: c, client_secret: \(canaries[9])}
              - {kind: github, client_id: c, client_secret: \(canaries[10])}
              - {kind: apple, client_id: c, team_id: ABCDE12345, key_id: ABCDE12345, private_key: "${APPLE}"}
              - {kind: auth0, domain: t.auth0.com, client_id: c, client_secret: \(canaries[11]), audience: a}
        idp:
          clients: {web: {redirect_uris: ["https://a.example.com/cb"], secret: \(canaries[12])}}

        """
    private static let key = "MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="

    @Test func `masks every secret`() throws {
        let configuration = try read(Self.everySecret, ["KEY": Self.key, "APPLE": AppleKey.good])
        let printed = configuration.show() + "\(configuration)" + String(reflecting: configuration)
        for secret in ["CaNaRy", Self.key, "739184", "PRIVATE KEY"] {
            #expect(!printed.contains(secret))
        }
        #expect(configuration.show().contains("url: \"smtps://***@mail.example.com:465\""))
        #expect(configuration.show().contains("url: \"https://h.example.com/***\""))
        #expect(configuration.show().contains("encryption_key: \"***\""))
        #expect(configuration.show().contains("private_key: \"***\""))
    }

    @Test func `finds in a file every secret that it masks, and no other text`() throws {
        let configuration = try read(Self.everySecret, ["KEY": Self.key, "APPLE": AppleKey.good])
        for line in Self.everySecret.split(separator: "\n") {
            let isSecret = line.contains("CaNaRy") || line.contains("739184")
            #expect(configuration.hasSecret(in: Array(line.utf8)) == isSecret, "\(line)")
        }
        let indented = AppleKey.good.replacing("\n", with: "\n    ")
        for text in ["encryption_key: \(Self.key)", "private_key: |\n    \(indented)"] {
            #expect(configuration.hasSecret(in: Array(text.utf8)), "\(text)")
        }
    }

    @Test func `masks Twilio's token`() throws {
        let shown = try read(
            "mode: development\nsms: {kind: twilio, account_sid: AC1, auth_token: CaNaRy, from: \"+1\"}"
        ).show()
        #expect(shown.contains("account_sid: AC1") && !shown.contains("CaNaRy"))
    }

    /// Removes or replaces one byte at every position of the file, the even ones in one mode and the odd ones in the
    /// other: no problem that results may reveal a secret.
    @Test(arguments: ["development", "production"])
    func `tells no secret in a problem, whatever is broken`(mode: String) {
        let text = Array(Self.everySecret.replacing("production", with: mode).utf8)
        let replacements: [[UInt8]] = [[], Array("\n".utf8), Array("\"".utf8), Array("}".utf8)]
        let first = mode == "development" ? 0 : 1
        var count = 0
        for index in stride(from: first, to: text.count, by: 2) {
            let isSeparator = " :,".utf8.contains(text[index])
            let bytes = text[..<index] + (isSeparator ? [] : replacements[index / 2 % 4]) + text[(index + 1)...]
            guard let line = refusal(String(decoding: bytes, as: UTF8.self), ["KEY": Self.key, "APPLE": AppleKey.good])
            else { continue }
            count += 1
            #expect(!line.contains("9be6d27847") && !line.contains("\n"), "\(line)")
        }
        #expect(count > 300)
    }
}
