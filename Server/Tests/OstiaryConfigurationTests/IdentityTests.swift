import Foundation
import OstiaryConfiguration
import OstiaryCore
import Testing

@Suite struct IdentityTests {
    private func identities(
        _ text: String, _ environment: [String: String] = [:]
    ) throws -> [IdentityConfiguration] {
        try read("mode: development\napps:\n  vici:\n    identity: \(text)\n", environment).app("vici").identities
    }

    private let google = "{kind: google, client_id: g, client_secret: s}"
    private let github = "{kind: github, client_id: h, client_secret: t}"

    @Test func `takes one mapping, or a list of them in its order`() throws {
        #expect(try identities(google).map(\.name) == ["google"])
        let list = try identities("[\(github), {kind: local}, \(google)]")
        #expect(list.map(\.kind) == [.github, .local, .google])
        #expect(list.map(\.name) == ["github", "local", "google"])
    }

    @Test func `calls providers by their kind and offers them by their own names`() throws {
        let apple =
            "{kind: apple, client_id: a, team_id: ABCDE12345, key_id: FGHIJ67890, private_key: \"${KEY}\"}"
        let oidc = "{kind: oidc, issuer: \"https://Login.example.com/x\", client_id: c, client_secret: s}"
        let auth0 = "{kind: auth0, domain: t.auth0.com, client_id: c, client_secret: s, audience: a}"
        let list = try identities("[\(google), \(apple), \(github), \(oidc), \(auth0)]", ["KEY": AppleKey.good])
        #expect(list.map(\.title) == ["Google", "Apple", "GitHub", "login.example.com", "Auth0"])
        #expect(list.map(\.name) == ["google", "apple", "github", "oidc", "auth0"])
    }

    @Test func `takes names and titles, and so two providers of one kind`() throws {
        let staff = "{kind: oidc, name: staff, title: Für uns, issuer: \"https://a\", client_id: c, client_secret: s}"
        let list = try identities("[\(staff), {kind: oidc, issuer: \"https://b\", client_id: d, client_secret: t}]")
        #expect(list.map(\.name) == ["staff", "oidc"] && list.map(\.title) == ["Für uns", "b"])
    }

    @Test func `takes everything that providers have`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (ca, key) = (folder.path + "/ca.pem", folder.path + "/key.p8")
        for path in [ca, key] { try Data(AppleKey.good.utf8).write(to: URL(fileURLWithPath: path)) }
        let list = try identities(
            """

                  - kind: oidc
                    issuer: https://idp.example.com
                    client_id: c
                    client_secret: s
                    scopes: [openid, groups]
                    endpoint_hosts: [API.example.com, 10.0.0.1]
                    client_authentication: post
                    ca_file: \(ca)
                  - {kind: google, client_id: g, client_secret: s, native_client_ids: [a, b], issuer: "http://127.0.0.1:1"}
                  - kind: apple
                    client_id: com.example.web
                    team_id: ABCDE12345
                    key_id: FGHIJ67890
                    private_key_file: \(key)
                    native_client_ids: [com.example.app]
                    issuer: http://idp.test
                  - {kind: github, client_id: h, client_secret: t, endpoint: "http://127.0.0.1:2"}
                  - {kind: cognito, region: r, user_pool_id: p, client_id: c, public: true, migrate: true}
            """)
        guard case .oidc(let oidc?) = list[0].source, case .google(let google) = list[1].source,
            case .apple(let apple) = list[2].source, case .github(let github) = list[3].source,
            case .cognito(let pool) = list[4].source
        else { throw Missing() }
        #expect(oidc.scopes == ["openid", "groups"] && oidc.endpointHosts == ["api.example.com", "10.0.0.1"])
        #expect(oidc.clientAuthentication == .post && oidc.caFile == ca)
        #expect(google.nativeClientIDs == ["a", "b"] && google.issuer == "http://127.0.0.1:1")
        #expect(apple.privateKey.reveal() == AppleKey.good && apple.privateKeyFile == key)
        #expect(apple.nativeClientIDs == ["com.example.app"] && apple.issuer == "http://idp.test")
        #expect(github.endpoint == "http://127.0.0.1:2")
        #expect(pool.clientSecret == nil && pool.migrates)
    }

    @Test func `has defaults for what can be left out`() throws {
        guard
            case .oidc(let oidc?) = try identities(
                "{kind: oidc, issuer: \"https://a\", client_id: c, client_secret: s}"
            ).first?.source,
            case .google(let google) = try identities(google).first?.source,
            case .cognito(let pool) = try identities(
                "{kind: cognito, region: r, user_pool_id: p, client_id: c, public: true}"
            ).first?
            .source
        else { throw Missing() }
        #expect(oidc.scopes == ["openid", "profile", "email"] && oidc.endpointHosts.isEmpty)
        #expect(oidc.clientAuthentication == nil && oidc.caFile == nil)
        #expect(google.nativeClientIDs.isEmpty && google.issuer == nil && !pool.migrates)
    }

    @Test func `stands for the built-in provider in development where a kind is alone`() throws {
        let list = try identities("[{kind: oidc}, {kind: auth0, name: social}, {kind: builtin, title: House}]")
        #expect(list.map(\.source) == [.oidc(nil), .auth0(nil), .builtIn])
        #expect(
            list.map(\.title) == ["Ostiary", "Auth0", "House"] && list.map(\.name) == ["oidc", "social", "builtin"])
    }

    // MARK: Environment

    @Test func `reaches the one mapping by its keys`() throws {
        let environment = ["OSTIARY_APPS_VICI_IDENTITY_CLIENT_SECRET": "from-outside"]
        guard case .google(let client) = try identities(google, environment).first?.source else { throw Missing() }
        #expect(client.clientSecret.reveal() == "from-outside")
    }

    @Test func `reaches the entries of a list by their names`() throws {
        let environment = [
            "OSTIARY_APPS_VICI_IDENTITY_GOOGLE_CLIENT_SECRET": "one",
            "OSTIARY_APPS_VICI_IDENTITY_OUR_HUB_CLIENT_SECRET": "two",
        ]
        let list = try identities("[\(google), {kind: github, name: our-hub, client_id: h}]", environment)
        guard case .google(let google) = list.first?.source, case .github(let github) = list.last?.source else {
            throw Missing()
        }
        #expect(google.clientSecret.reveal() == "one" && github.clientSecret.reveal() == "two")
    }

    @Test func `takes mapping and list from the environment as a whole`() throws {
        #expect(try identities("{kind: local}", ["OSTIARY_APPS_VICI_IDENTITY": google]).map(\.kind) == [.google])
        let both = ["OSTIARY_APPS_VICI_IDENTITY": "[\(google), \(github)]"]
        #expect(try identities("{kind: local}", both).map(\.kind) == [.google, .github])
        let parts = [
            "OSTIARY_APPS_VICI_IDENTITY_KIND": "cognito", "OSTIARY_APPS_VICI_IDENTITY_REGION": "r",
            "OSTIARY_APPS_VICI_IDENTITY_USER_POOL_ID": "p", "OSTIARY_APPS_VICI_IDENTITY_CLIENT_ID": "c",
            "OSTIARY_APPS_VICI_IDENTITY_PUBLIC": "true",
        ]
        #expect(try read(parts).app("vici").identities.map(\.kind) == [.cognito])
    }

    @Test func `refuses the variable of a mapping for a list`() {
        let file = "mode: development\napps: {vici: {identity: [\(google), \(github)]}}"
        #expect(
            refusal(file, ["OSTIARY_APPS_VICI_IDENTITY_CLIENT_SECRET": "x"])?
                .hasPrefix("OSTIARY_APPS_VICI_IDENTITY_CLIENT_SECRET: belongs to no key") == true)
    }

    @Test(arguments: ["\n", "\\n", "\r\n", "  \n  "])
    func `takes Apple's key with line breaks of every kind`(lineBreak: String) throws {
        let key = AppleKey.good.replacing("\n", with: lineBreak)
        let text = "{kind: apple, client_id: a, team_id: ABCDE12345, key_id: FGHIJ67890, private_key: \"${KEY}\"}"
        guard case .apple(let apple) = try identities(text, ["KEY": key]).first?.source else { throw Missing() }
        #expect(apple.privateKey.reveal() == AppleKey.good && apple.privateKeyFile == nil)
    }
}
