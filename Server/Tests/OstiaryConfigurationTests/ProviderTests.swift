import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct ProviderTests {
    @Test func `takes everything of the built-in provider`() throws {
        let text = """
            mode: development
            idp:
              name: Example
              color: "#1F5fd0"
              registration: confirmed
              clients:
                web:
                  name: Our pages
                  secret: \(goodSecret)
                  redirect_uris: ["https://app.example.com/callback", "http://127.0.0.1/callback"]
                  post_logout_redirect_uris: ["https://app.example.com/"]
                  first_party: true
                  rate_limit: 500/10s
                  leads_to: ["https://www.example.com", "http://127.0.0.1:8080", TimeTracker, "viewvault:"]
                com.example.app: {public: true, redirect_uris: ["com.example.app:/callback"]}
            """
        let idp = try #require(try read(text).idp)
        #expect(idp.name == "Example" && idp.color == "#1f5fd0" && idp.registration == .confirmed)
        #expect(idp.clients.map(\.id) == ["web", "com.example.app"])
        let web = try #require(idp.clients.first)
        #expect(web.name == "Our pages" && web.secret?.reveal() == goodSecret && web.isFirstParty)
        #expect(web.redirectURIs == ["https://app.example.com/callback", "http://127.0.0.1/callback"])
        #expect(web.postLogoutRedirectURIs == ["https://app.example.com/"])
        #expect(web.leadsTo == ["https://www.example.com", "http://127.0.0.1:8080", "timetracker:", "viewvault:"])
        #expect(web.rateLimit == RateLimit(attempts: 500, perSeconds: 10))
        let app = try #require(idp.clients.last)
        #expect(app.name == "com.example.app" && app.secret == nil && !app.isFirstParty)
        #expect(app.postLogoutRedirectURIs.isEmpty && app.leadsTo.isEmpty)
    }

    @Test func `takes a client's secret from the environment`() throws {
        let text = "mode: development\nidp: {clients: {our-web: {redirect_uris: [\"https://a/cb\"]}}}"
        let idp = try read(text, ["OSTIARY_IDP_CLIENTS_OUR_WEB_SECRET": goodSecret]).idp
        #expect(idp?.clients.first?.secret?.reveal() == goodSecret)
    }

    static let rows: [(String, String)] = [
        ("nam: x", "nam: is not a known key; did you mean name?"),
        ("registration: public", "registration: needs one of open, confirmed, closed"),
        ("color: blue", "color: needs a colour in quotes: \"#1f5fd0\""),
        ("name: \"\\u200B\"", "name: needs a name of at most 64 printable characters"),
        ("clients: [web]", "clients: needs keys below it (KEY: VALUE)"),
        ("clients: {\"a b\": {}}", "clients.a: needs an id of letters, digits, -, _ and ., at most 64"),
        ("clients: {web: {}}", "clients.web.secret: needs at least 32 bytes, or public: true beside it"),
        (
            "clients: {web: {public: false, redirect_uris: [\"https://a/cb\"]}}",
            "clients.web.secret: needs at least 32 bytes, or public: true beside it"
        ),
        (
            "clients: {web: {public: true, secret: \(goodSecret)}}",
            "clients.web.secret: needs to be left out: the client is public"
        ),
        (
            "clients: {web: {secret: changeme}}",
            "clients.web.secret: needs a secret that cannot be guessed, at least 32 bytes from a random source"
        ),
        ("clients: {web: {public: true}}", "clients.web.redirect_uris: needs at least one redirect URI"),
        (
            "clients: {web: {public: true, redirect_uris: []}}",
            "clients.web.redirect_uris: needs at least one redirect URI"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"https://*/cb\"]}}",
            "clients.web.redirect_uris: needs exact redirect URIs, without wildcards"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"a:/b\"], post_logout_redirect_uris: [\"javascript:x\"]}}",
            "clients.web.post_logout_redirect_uris: needs redirect URIs with https, a loopback address or a scheme of the app"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"a:/b\"], rate_limit: 9/1m}}",
            "clients.web.rate_limit: needs to be left out: a public client's requests are counted by their address"
        ),
        (
            "clients: {web: {secret: \(goodSecret), redirect_uris: [\"a:/b\"], rate_limit: many}}",
            "clients.web.rate_limit: needs COUNT/TIME, for example 10/1m (s, m, h or d; at most 30d)"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"a:/b\"], leads_to: [\"https://a/x\"]}}",
            "clients.web.leads_to: needs origins such as https://app.example.com, or schemes such as app:"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"a:/b\"], leads_to: [\"http://a.example.com\"]}}",
            "clients.web.leads_to: needs origins such as https://app.example.com, or schemes such as app:"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"a:/b\"], leads_to: [\"https:\"]}}",
            "clients.web.leads_to: needs origins such as https://app.example.com, or schemes such as app:"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"a:/b\"], leads_to: [\"a; script-src *\"]}}",
            "clients.web.leads_to: needs origins such as https://app.example.com, or schemes such as app:"
        ),
        (
            "clients: {web: {public: true, redirect_uris: [\"a:/b\"], leads_to: [\"javascript:\"]}}",
            "clients.web.leads_to: needs origins, or schemes of apps"
        ),
        (
            "clients: {web: {public: true, redirect_uri: [\"a:/b\"], redirect_uris: [\"a:/b\"]}}",
            "clients.web.redirect_uri: is not a known key; did you mean redirect_uris?"
        ),
    ]

    @Test func `has second factors and passkeys with the keys of an app's`() throws {
        let text = """
            mode: development
            idp:
              name: Example
              second_factor: {policy: required, methods: [totp], remember_device_days: 30}
              risk: {notify: high, challenge: medium, refuse: high}
              passkeys: {rp_id: example.com, origins: ["https://auth.example.com"], apple_apps: [A1B2C3D4E5.com.example.app]}
            """
        let idp = try #require(try read(text).idp)
        #expect(idp.secondFactor.requirement == .required && idp.secondFactor.methods == [.totp])
        #expect(idp.secondFactor.rememberDeviceDays == 30 && idp.secondFactor.issuer == "Example")
        #expect(idp.risk == RiskPolicy(notify: .high, challenge: .medium, refuse: .high))
        let passkeys = try #require(idp.passkeys)
        #expect(passkeys.settings.relyingPartyID == "example.com" && passkeys.settings.relyingPartyName == "Example")
        #expect(passkeys.settings.origins == ["https://auth.example.com"])
        #expect(passkeys.appleApps == ["A1B2C3D4E5.com.example.app"])
        let usual = try read("mode: development").idp
        #expect(usual?.secondFactor.requirement == .optional && usual?.passkeys == nil)
        #expect(usual?.risk == RiskPolicy())
    }

    @Test(arguments: rows)
    func `refuses a bad value of the provider`(text: String, line: String) {
        #expect(refusal("mode: development\nidp: {\(text)}\n") == "ostiary.yaml:2: idp.\(line)")
    }

    @Test func `takes redirects to a port of this machine`() throws {
        let uris = ["http://127.0.0.1/callback", "http://[::1]/callback", "http://127.0.0.1:8080/callback"]
        let text = "mode: development\napps: {timetracker: {redirect_uris: \(uris)}}"
        #expect(try read(text).app("timetracker").redirectURIs == uris)
    }
}
