import OstiaryConfiguration
import Testing

/// Every row: the content of `identity`, and the line with which it is refused.
@Suite struct IdentityRefusalTests {
    private static let google = "{kind: google, client_id: c, client_secret: s}"
    private static let pool = "kind: cognito, region: r, user_pool_id: p, client_id: c, public: true"
    private static let tenant = "kind: auth0, domain: t.auth0.com, client_id: c, client_secret: s, audience: a"
    private static let oidc = "kind: oidc, issuer: \"https://i\", client_id: c, client_secret: s"
    private static let apple = "kind: apple, client_id: a"

    static let rows: [(String, String)] = [
        ("local", ": needs keys below it (KEY: VALUE)"),
        ("[]", ": needs at least one entry"),
        ("[local]", ".1: needs keys below it (KEY: VALUE)"),
        (
            "[\(google), {client_id: x}]",
            ".2.kind: needs one of local, builtin, oidc, auth0, google, apple, github, cognito"
        ),
        (
            "[\(google), {kind: GitHub}]",
            ".2.kind: needs one of local, builtin, oidc, auth0, google, apple, github, cognito"
        ),
        ("[\(google), {kind: github, client_id: c}]", ".github.client_secret: needs the OAuth app's client secret"),
        ("[{kind: google, name: one, client_id: c}]", ".one.client_secret: needs the OAuth client's secret"),
        ("[\(google), \(google)]", ".google.name: needs to differ from the other entries' names"),
        (
            "[{kind: google, name: x, client_id: c, client_secret: s}, {kind: local, name: x}]",
            ".x.name: needs to differ from the other entries' names"
        ),
        ("{kind: local, name: Our}", ".name: needs small letters, digits and -, at most 64"),
        ("{kind: local, name: a_b}", ".name: needs small letters, digits and -, at most 64"),
        ("[{kind: local, name: \"../x\"}]", ".local.name: needs small letters, digits and -, at most 64"),
        ("{kind: local, title: \"\\u200B\"}", ".title: needs a name of at most 64 printable characters"),
        ("{kind: oidc, name: local}", ".name: needs another name: this one is a kind's"),
        (
            "[{\(pool)}, {\(pool), name: second}]", ".second.kind: needs to be the only cognito of the app"
        ),
        ("[{\(tenant)}, {kind: auth0, name: other}]", ".other.kind: needs to be the only auth0 of the app"),
        ("[{kind: local}, {kind: local, name: other}]", ".other.kind: needs to be the only local of the app"),
        ("[{kind: builtin}, {kind: builtin, name: other}]", ".other.kind: needs to be the only builtin of the app"),
        (
            "[{kind: local}, {\(pool)}]",
            ".cognito.kind: needs to be either local or cognito: one of them checks passwords"
        ),
        (
            "[{\(pool)}, \(google), {kind: local}]",
            ".local.kind: needs to be either local or cognito: one of them checks passwords"
        ),
        ("{\(oidc), scope: [openid]}", ".scope: is not a known key; did you mean scopes?"),
        ("{\(oidc), scopes: openid}", ".scopes: needs a list: [A, B]"),
        ("{\(oidc), scopes: [profile]}", ".scopes: needs openid among them"),
        ("{\(oidc), scopes: []}", ".scopes: needs openid among them"),
        ("{\(oidc), scopes: [openid profile]}", ".scopes: needs a list of scopes without spaces"),
        ("{\(oidc), endpoint_hosts: [\"*.i\"]}", ".endpoint_hosts: needs host names without port and wildcard"),
        ("{\(oidc), endpoint_hosts: [\"i:443\"]}", ".endpoint_hosts: needs host names without port and wildcard"),
        ("{\(oidc), client_authentication: none}", ".client_authentication: needs one of basic, post"),
        ("{\(oidc), ca_file: /nowhere.pem}", ".ca_file: needs a PEM file that can be read"),
        ("{kind: oidc, scopes: [openid]}", ".issuer: needs the provider's issuer URL"),
        ("{kind: builtin, issuer: \"https://i\"}", ".issuer: is not a known key"),
        ("{kind: google, client_secret: s}", ".client_id: needs the OAuth client's id"),
        (
            "{kind: google, clientid: c, client_secret: s}",
            ".client_id: needs the OAuth client's id; did you mean client_id instead of clientid?"
        ),
        (
            "{kind: google, client_id: c, client_secret: s, native_client_id: x}",
            ".native_client_id: is not a known key; did you mean native_client_ids?"
        ),
        (
            "{kind: google, client_id: c, client_secret: s, native_client_ids: x}",
            ".native_client_ids: needs a list: [A, B]"
        ),
        (
            "{kind: google, client_id: c, client_secret: s, issuer: accounts.google.com}",
            ".issuer: needs a URL that begins with https://"
        ),
        ("{kind: github, client_secret: s}", ".client_id: needs the OAuth app's client id"),
        ("{kind: apple}", ".client_id: needs the Services ID"),
        ("{\(apple)}", ".team_id: needs the 10 letters and digits of Apple's developer site"),
        ("{\(apple), team_id: ABC}", ".team_id: needs the 10 letters and digits of Apple's developer site"),
        (
            "{\(apple), team_id: ABCDE12345, key_id: ABCDE-1234}",
            ".key_id: needs the 10 letters and digits of Apple's developer site"
        ),
        (
            "{\(apple), team_id: ABCDE12345, key_id: FGHIJ67890, private_key_file: /nowhere.p8}",
            ".private_key_file: needs the .p8 file of Apple's developer site that can be read"
        ),
        (
            "{\(apple), team_id: ABCDE12345, key_id: FGHIJ67890, private_key_file: /etc/hostname}",
            ".private_key_file: needs the private key for Sign in with Apple: PKCS #8 PEM of an EC key on P-256"
        ),
        (
            "{\(apple), team_id: ABCDE12345, key_id: FGHIJ67890, private_key: x, private_key_file: /etc/hostname}",
            ".private_key_file: needs to be left out, or private_key"
        ),
        ("{\(pool), migrate: yes}", ".migrate: needs true or false"),
    ]

    @Test(arguments: rows)
    func `refuses a bad identity`(text: String, line: String) {
        let file = "mode: development\napps:\n  clarity:\n    identity: \(text)\n"
        #expect(refusal(file) == "ostiary.yaml:4: apps.clarity.identity\(line)")
    }

    @Test(arguments: [
        "", "x", AppleKey.pem(label: "EC PRIVATE KEY"), AppleKey.pem(label: "PUBLIC KEY"),
        AppleKey.pem(curve: AppleKey.secp256k1), AppleKey.pem(scalar: Array(1...31)),
        AppleKey.pem(scalar: Array(1...48)),
        AppleKey.pem(scalar: [UInt8](repeating: 0, count: 32)), AppleKey.good.replacing("END PRIVATE", with: "END"),
        AppleKey.good + AppleKey.good, "x\n" + AppleKey.good, AppleKey.good.replacing("AQ", with: "A*"),
        "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nMIL//w==\n-----END PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\n\n-----END PRIVATE KEY-----\n",
    ])
    func `refuses a private key for Apple that is none on P-256`(key: String) {
        let entry =
            "kind: apple, client_id: a, team_id: ABCDE12345, key_id: FGHIJ67890, private_key: \"${KEY}\""
        let line = refusal("mode: development\napps:\n  clarity:\n    identity: {\(entry)}\n", ["KEY": key])
        #expect(
            line
                == "ostiary.yaml:4: apps.clarity.identity.private_key: needs the private key for Sign in with Apple: PKCS #8 PEM of an EC key on P-256"
        )
    }
}
