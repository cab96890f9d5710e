import OstiaryConfiguration
import Testing

@Suite struct ProductionRefusalTests {
    static let rows: [(String, String)] = [
        ("public_url: http://auth.example.com", "public_url: needs https (plain http is for loopback addresses)"),
        ("email: {kind: inbox}", "email.kind: needs smtp: the inbox is for development"),
        ("sms: {kind: inbox}", "sms.kind: needs twilio or webhook: the inbox is for development"),
        (
            "sms: {kind: webhook, url: \"http://h.example.com/\", secret: \(goodSecret)}",
            "sms.url: needs https (plain http is for loopback addresses)"
        ),
        (
            "sms: {kind: webhook, url: \"https://h.example.com/\", secret: 31-bytes-are-one-fewer-than-32x}",
            "sms.secret: needs at least 32 bytes"
        ),
        ("apps: {}", "apps: needs at least one app"),
        (
            "apps: {clarity: {identity: {kind: oidc, issuer: \"http://i.example.com\", client_id: c, client_secret: s}}}",
            "apps.clarity.identity.issuer: needs https (plain http is for loopback addresses)"
        ),
        (
            "apps: {timetracker: {identity: {kind: oidc}}}",
            "apps.timetracker.identity.issuer: needs the provider's issuer URL"
        ),
        (
            "apps: {viewvault: {identity: {kind: auth0, domain: \"https://a.example.com\", client_id: c, client_secret: s, audience: a}}}",
            "apps.viewvault.identity.domain: needs a host name, for example tenant.auth0.com (a URL is for development)"
        ),
        (
            "apps: {vici: {identity: {kind: builtin}}}",
            "apps.vici.identity.kind: needs idp, the built-in provider's own section, or another kind"
        ),
        (
            "apps: {vici: {identity: {kind: google, client_id: c, client_secret: s, issuer: \"https://i.example.com\"}}}",
            "apps.vici.identity.issuer: needs to be left out (a simulated provider is for development and loopback addresses)"
        ),
        (
            "apps: {vici: {identity: {kind: github, client_id: c, client_secret: s, endpoint: \"https://h.example.com\"}}}",
            "apps.vici.identity.endpoint: needs to be left out (a simulated provider is for development and loopback addresses)"
        ),
        (
            "idp: {clients: {web: {redirect_uris: [\"https://a.example.com/cb\"], secret: 31-bytes-are-one-fewer-than-32x}}}",
            "idp.clients.web.secret: needs at least 32 bytes"
        ),
        (
            "idp: {clients: {web: {redirect_uris: [\"http://a.example.com/cb\"], secret: \(goodSecret)}}}",
            "idp.clients.web.redirect_uris: needs https redirect URIs (plain http is for loopback addresses)"
        ),
        (
            "apps: {vici: }",
            "apps.vici.jwt_secret: needs a secret of at least 32 bytes in production, here or as JWT_SECRET"
        ),
        (
            "apps: {vici: {jwt_secret: \(goodSecret)}}",
            "apps.vici.jwt_refresh_secret: needs a secret of at least 32 bytes in production, here or as JWT_REFRESH_SECRET"
        ),
        (
            "apps: {vici: {jwt_secret: \(goodSecret), jwt_refresh_secret: \(goodSecret)}}",
            "apps.vici.jwt_refresh_secret: needs another secret than jwt_secret"
        ),
        (
            "apps: {vici: {tokens: {signing: es256}}}",
            "apps.vici.tokens.signing: needs hs256: the contract signs with a shared secret"
        ),
        (
            "apps: {clarity: {jwt_secret: \(goodSecret), tokens: {signing: es256}}}",
            "apps.clarity.tokens.signing: needs hs256, or no jwt_secret beside it"
        ),
        (
            "apps: {clarity: {tokens: {signing: hs256}}}",
            "apps.clarity.jwt_secret: needs a secret of at least 32 bytes in production, here or as JWT_SECRET"
        ),
    ]

    @Test(arguments: rows)
    func `refuses in production`(text: String, line: String) throws {
        let key = try #require(text.split(separator: ":").first)
        // The row replaces the head's own line, and the app that every other row has.
        var lines = productionHead.split(separator: "\n").filter { !$0.hasPrefix("\(key):") && $0 != "apps:" }
        if key != "apps" { lines.append("apps: {clarity: }") }
        lines.append(text[...])
        let place = refusal(lines.joined(separator: "\n"))
        #expect(place == "ostiary.yaml:\(lines.count): \(line)")
    }

    @Test(arguments: ["public_url", "encryption_key", "apps"])
    func `wants every key that production needs`(key: String) throws {
        let lines = (productionHead + "  clarity:").split(separator: "\n").filter { line in
            !line.hasPrefix("\(key):") && !(key == "apps" && line.hasPrefix("  "))
        }
        let line = try #require(refusal(lines.joined(separator: "\n")))
        #expect(line.hasPrefix("ostiary.yaml: \(key): needs "))
    }

    @Test(arguments: [
        "secret", "changeme", "SECRET", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "changemechangemechangemechangeme",
    ])
    func `refuses a secret that anybody can guess, in every mode`(secret: String) {
        for mode in ["development", "production"] {
            let text = productionHead.replacing("production", with: mode) + "  vici:"
            let line = refusal(text, ["JWT_SECRET": secret, "JWT_REFRESH_SECRET": goodSecret])
            #expect(
                line
                    == "JWT_SECRET: apps.vici.jwt_secret: needs a secret that cannot be guessed, at least 32 bytes from a random source"
            )
        }
    }

    @Test func `refuses an empty and a short secret`() {
        let text = productionHead + "  vici:"
        #expect(
            refusal(text, ["JWT_SECRET": "", "JWT_REFRESH_SECRET": goodSecret])
                == "JWT_SECRET: apps.vici.jwt_secret: needs a text, but is empty")
        #expect(
            refusal(text, ["JWT_SECRET": String(goodSecret.dropLast()), "JWT_REFRESH_SECRET": otherSecret])
                == "JWT_SECRET: apps.vici.jwt_secret: needs at least 32 bytes")
    }

    @Test func `refuses a provider that could send no mail`() {
        let lines = productionHead.split(separator: "\n").filter { !$0.hasPrefix("email") }
        #expect(
            refusal(lines.joined(separator: "\n") + "\n  clarity:\nidp: {name: Example}")
                == "ostiary.yaml: email: needs kind: smtp: the provider at /idp sends mail")
    }

    @Test func `takes stand-ins on loopback`() throws {
        let google = "{kind: google, client_id: c, client_secret: s, issuer: \"http://127.0.0.1:5000\"}"
        let github = "{kind: github, client_id: c, client_secret: s, endpoint: \"http://[::1]:5000\"}"
        let app = try read(productionHead + "  clarity: {identity: [\(google), \(github)]}").app("clarity")
        guard case .google(let google) = app.identities.first?.source,
            case .github(let github) = app.identities.last?.source
        else { throw Missing() }
        #expect(google.issuer == "http://127.0.0.1:5000" && github.endpoint == "http://[::1]:5000")
    }

    @Test func `takes the built-in provider where it is configured`() throws {
        let text = productionHead + "  clarity: {identity: {kind: builtin}}\nidp: {name: Example}"
        let identity = try #require(try read(text).app("clarity").identities.first)
        #expect(identity.source == .builtIn && identity.name == "builtin" && identity.title == "Example")
    }

    @Test func `takes plain http on loopback`() throws {
        let head = productionHead.replacing("https://auth.example.com", with: "http://127.0.0.1:3001")
        let pool =
            "{kind: cognito, region: r, user_pool_id: p, client_id: c, client_secret: s, endpoint: \"http://[::1]:5000\"}"
        let configuration = try read(head + "  clarity: {identity: \(pool)}")
        #expect(configuration.publicURL == "http://127.0.0.1:3001")
    }
}
