import OstiaryConfiguration
import Testing

/// Every row: the content of an app's section, and the line with which it is refused.
@Suite struct AppRefusalTests {
    static let inApps: [(String, String)] = [
        ("jwt_secret:x: y", "jwt_secret: is no key: it needs the form KEY: VALUE"),
        ("base_pth: /x", "base_pth: is not a known key; did you mean base_path?"),
        (
            "contract: vicy",
            "contract: needs timetracker, vici, clarity, barqnet, viewvault, or the path of a JSON file; did you mean vici?"
        ),
        ("contract: ./nowhere.json", "contract: needs a JSON file that can be read"),
        ("contract: /dev/zero", "contract: needs a JSON file that can be read"),
        ("base_path: x", "base_path: needs /segment or /segment/segment of letters, digits, -, _ and ."),
        ("base_path: /x/", "base_path: needs /segment or /segment/segment of letters, digits, -, _ and ."),
        ("base_path: /x//y", "base_path: needs /segment or /segment/segment of letters, digits, -, _ and ."),
        ("base_path: /../y", "base_path: needs /segment or /segment/segment of letters, digits, -, _ and ."),
        ("base_path: \"/a%2Fb\"", "base_path: needs /segment or /segment/segment of letters, digits, -, _ and ."),
        ("base_path: /admin", "base_path: needs another path: the server itself answers this one"),
        ("base_path: /idp", "base_path: needs another path: the server itself answers this one"),
        ("name: \"\"", "name: needs a text, but is empty"),
        ("name: \" x\"", "name: needs a name of at most 64 printable characters"),
        ("name: \"\\u202Ename\"", "name: needs a name of at most 64 printable characters"),
        ("name: \"x\\ny\"", "name: needs a text without control characters"),
        ("name: \(String(repeating: "x", count: 65))", "name: needs a name of at most 64 printable characters"),
        ("color: red", "color: needs a colour in quotes: \"#1f5fd0\""),
        ("color: \"#12345\"", "color: needs a colour in quotes: \"#1f5fd0\""),
        ("color: \"#1f5fd0;\"", "color: needs a colour in quotes: \"#1f5fd0\""),
        ("color: \"#1f5fdg\"", "color: needs a colour in quotes: \"#1f5fd0\""),
        ("language: fr", "language: needs one of en, de"),
        ("color: #1f5fd0", "color: needs a value, but is empty; put a text that begins with # in quotes"),
        ("color:", "color: needs a value, but is empty"),
        ("hosts: [\"*.example.com\"]", "hosts: needs host names without port and wildcard"),
        ("hosts: [\"a.example.com:80\"]", "hosts: needs host names without port and wildcard"),
        ("hosts: [\"::ffff:127.0.0.1\"]", "hosts: needs the IPv4 address without ::ffff: before it"),
        ("hosts: [\"::FFFF:7f00:1\"]", "hosts: needs the IPv4 address without ::ffff: before it"),
        ("hosts: []", "hosts: needs at least one host name"),
        ("hooks: {before_login: {}}", "hooks.before_login: is not a known key"),
        ("hooks: {token_claims: {secret: x}}", "hooks.token_claims.url: needs a URL that begins with https://"),
        (
            "hooks: {token_claims: {url: \"http://api.example.com/\", secret: x}}",
            "hooks.token_claims.url: needs a URL that begins with https:// and is not on a private network"
        ),
        (
            "hooks: {token_claims: {url: \"https://10.0.0.1/\", secret: x}}",
            "hooks.token_claims.url: needs a URL that begins with https:// and is not on a private network"
        ),
        (
            "hooks: {token_claims: {url: \"https://api.example.com/\", secret: whsec_c2hvcnQ=}}",
            "hooks.token_claims.secret: needs whsec_ and 24 to 64 random bytes in base64"
        ),
        (
            "hooks: {before_registration: {url: \"https://api.example.com/\", secret: "
                + "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw, on_failure: ignore}}",
            "hooks.before_registration.on_failure: needs one of deny, allow"
        ),
        ("roles: {editor: videos}", "roles.editor: needs a list: [A, B]"),
        ("roles: {editor: [videos]}", "roles.editor: needs a permission such as videos:write, videos:* or *"),
        ("roles: {editor: [\"*:write\"]}", "roles.editor: needs a permission such as videos:write, videos:* or *"),
        (
            "roles: {a b: [\"videos:read\"]}",
            "roles.a: needs a role of 1 to 64 letters, digits, '.', '_', ':' or '-', and not '.' or '..'"
        ),
        (
            "roles: {admin: [\"videos:read\"]}",
            "roles.admin: needs another name: admin is built in and grants every permission"
        ),
        (
            "passwords: {compromised: {file: ./nowhere.bin}}",
            "passwords.compromised.file: needs a file of `ostiary passwords prepare-list` that can be read"
        ),
        (
            "passwords: {compromised: {url: \"http://range.example.com/range/\"}}",
            "passwords.compromised.url: needs https (plain http is for loopback addresses)"
        ),
        (
            "passwords: {compromised: {url: \"https://range.example.com/range\"}}",
            "passwords.compromised.url: needs a URL that begins with https:// and ends with /"
        ),
        (
            "passwords: {compromised: {url: \"https://user:secret@range.example.com/range/\"}}",
            "passwords.compromised.url: needs a URL without user, query and fragment"
        ),
        (
            "passwords: {compromised: {url: \"https://range.example.com/range?key=secret/\"}}",
            "passwords.compromised.url: needs a URL without user, query and fragment"
        ),
        (
            "passwords: {compromised: {url: \"https://range.example.com/range/#/\"}}",
            "passwords.compromised.url: needs a URL without user, query and fragment"
        ),
        ("redirect_uris: []", "redirect_uris: needs at least one redirect URI"),
        ("redirect_uris: [\"app://*\"]", "redirect_uris: needs exact redirect URIs, without wildcards"),
        (
            "redirect_uris: [\"http://127.0.0.1:*/cb\"]",
            "redirect_uris: needs exact redirect URIs, without wildcards"
        ),
        ("redirect_uris: [\"app://cb#x\"]", "redirect_uris: needs redirect URIs without a fragment"),
        (
            "redirect_uris: [\"http://a.example.com/cb\"]",
            "redirect_uris: needs https redirect URIs (plain http is for loopback addresses)"
        ),
        ("redirect_uris: [/cb]", "redirect_uris: needs absolute redirect URIs, for example app://oauth/callback"),
        (
            "redirect_uris: [\"javascript:alert(1)\"]",
            "redirect_uris: needs redirect URIs with https, a loopback address or a scheme of the app"
        ),
        (
            "redirect_uris: [\"https://u@a.example.com/\"]",
            "redirect_uris: needs redirect URIs with a host, and without a user"
        ),
        (
            "redirect_uris: [\"app://\"]",
            "redirect_uris: needs redirect URIs with a path, for example app://oauth/callback"
        ),
        (
            "identity: {kind: ldap}",
            "identity.kind: needs one of local, builtin, oidc, auth0, google, apple, github, cognito"
        ),
        (
            "identity: {client_id: x}",
            "identity.kind: needs one of local, builtin, oidc, auth0, google, apple, github, cognito"
        ),
        ("identity: {kind: local, client_id: x}", "identity.client_id: is not a known key"),
        (
            "identity: {kind: cognito, region: us-east-1, user_pool_id: p, client_secret: s}",
            "identity.client_id: needs the app client's id"
        ),
        (
            "identity: {kind: cognito, region: us-east-1, user_pool_id: p, client_id: c}",
            "identity.client_secret: needs the app client's secret, or public: true beside it"
        ),
        (
            "identity: {kind: cognito, region: us-east-1, user_pool_id: p, client_id: c, client_secret: s, public: true}",
            "identity.client_secret: needs to be left out: the app client is public"
        ),
        (
            "identity: {kind: cognito, region: evil.example.com/, user_pool_id: p, client_id: c, client_secret: s}",
            "identity.region: needs a region, for example us-east-1"
        ),
        (
            "identity: {kind: oidc, client_id: c, client_secret: s}",
            "identity.issuer: needs the provider's issuer URL"
        ),
        (
            "identity: {kind: auth0, domain: t.auth0.com, client_id: c, client_secret: s}",
            "identity.audience: needs the API's identifier"
        ),
        ("tokens: {access: 0}", "tokens.access: needs a whole number from 1 to 315359999"),
        ("tokens: {access: -5}", "tokens.access: needs a whole number from 1 to 315359999"),
        ("tokens: {access: 315360000}", "tokens.access: needs a whole number from 1 to 315359999"),
        ("tokens: {access: 1h}", "tokens.access: needs a whole number from 1 to 315359999"),
        (
            "tokens: {access: 3600, refresh: 3599}",
            "tokens.refresh: needs at least the access token's 3600 seconds"
        ),
        (
            "tokens: {access: 3600, refresh_short: 60}",
            "tokens.refresh_short: needs at least the access token's 3600 seconds"
        ),
        (
            "tokens: {refresh: 7200, refresh_short: 86400}",
            "tokens.refresh_short: needs at most the refresh token's 7200 seconds"
        ),
        ("tokens: {signing: none}", "tokens.signing: needs one of es256, hs256"),
        ("jwt_refresh_secret: \(goodSecret)", "jwt_refresh_secret: needs jwt_secret beside it"),
        ("sessions: {maximum: 19}", "sessions.maximum: needs a whole number from 20 to 200"),
        ("sessions: {maximum: 201}", "sessions.maximum: needs a whole number from 20 to 200"),
        ("sessions: {idle: 100, absolute: 99}", "sessions.idle: needs at most the 99 seconds of absolute"),
        ("passwords: {bcrypt_cost: 3}", "passwords.bcrypt_cost: needs a whole number from 10 to 16"),
        ("passwords: {bcrypt_cost: 9}", "passwords.bcrypt_cost: needs a whole number from 10 to 16"),
        ("passwords: {bcrypt_cost: 32}", "passwords.bcrypt_cost: needs a whole number from 10 to 16"),
        ("passwords: {bcrypt_cost: ten}", "passwords.bcrypt_cost: needs a whole number from 10 to 16"),
        ("codes: {digits: 3}", "codes.digits: needs a whole number from 4 to 10"),
        ("codes: {digits: 11}", "codes.digits: needs a whole number from 4 to 10"),
        (
            "codes: {test_numbers: {\"5550100\": {code: \"123456\", until: 2027-01-01}}}",
            "codes.test_numbers.5550100: needs a phone number that begins with +, once"
        ),
        (
            "codes: {test_numbers: {\"+15555550100\": {code: \"12345\", until: 2027-01-01}}}",
            "codes.test_numbers.+15555550100.code: needs 6 digits"
        ),
        (
            "codes: {test_numbers: {\"+15555550100\": {code: \"123456\"}}}",
            "codes.test_numbers.+15555550100.until: needs the day it ends: YYYY-MM-DD"
        ),
        (
            "codes: {test_numbers: {\"+15555550100\": {code: \"123456\", until: 2027-02-30}}}",
            "codes.test_numbers.+15555550100.until: needs a day: YYYY-MM-DD"
        ),
        ("registration: {safe: yes}", "registration.safe: needs true or false"),
        ("registration: {safe: on}", "registration.safe: needs true or false"),
        ("registration: {safe: no}", "registration.safe: needs true or false"),
        ("registration: {safe: Off}", "registration.safe: needs true or false"),
        ("registration: {safe: True}", "registration.safe: needs true or false"),
        ("registration: {safe: \"true\"}", "registration.safe: needs true or false"),
        ("registration: {safe: 1}", "registration.safe: needs true or false"),
        ("request_signing: always", "request_signing: needs one of off, accepted, required"),
        ("request_signing: true", "request_signing: needs one of off, accepted, required"),
        ("dpop: always", "dpop: needs one of off, accepted, required"),
        ("dpop_origins: https://api.example.com", "dpop_origins: needs a list: [A, B]"),
        ("dpop_origins: [api.example.com]", "dpop_origins: needs an origin, such as https://api.example.com"),
        (
            "dpop_origins: [\"https://api.example.com/v1\"]",
            "dpop_origins: needs an origin, such as https://api.example.com"
        ),
        (
            "dpop_origins: [\"https://api.example.com?x\"]",
            "dpop_origins: needs an origin, such as https://api.example.com"
        ),
        ("profile: paranoid", "profile: needs one of default, strict"),
        ("risk: {notify: low}", "risk.notify: needs one of never, medium, high"),
        ("risk: {challenge: true}", "risk.challenge: needs one of never, medium, high"),
        ("risk: {refuse: 70}", "risk.refuse: needs one of never, medium, high"),
        ("risk: {deny: high}", "risk.deny: is not a known key"),
        ("second_factor: {policy: on}", "second_factor.policy: needs one of off, optional, required"),
        ("second_factor: {policy: required, required_for: [a]}", "second_factor.required_for: needs policy optional"),
        ("second_factor: {policy: off, required_for: [a]}", "second_factor.required_for: needs policy optional"),
        ("second_factor: {required_for: a}", "second_factor.required_for: needs a list: [A, B]"),
        (
            "second_factor: {methods: [totp, sms]}",
            "second_factor.methods: needs one of passkey, totp, sms_code, recovery_code, email_code, each once"
        ),
        (
            "second_factor: {methods: [totp, totp]}",
            "second_factor.methods: needs one of passkey, totp, sms_code, recovery_code, email_code, each once"
        ),
        ("second_factor: {methods: [recovery_code]}", "second_factor.methods: needs at least one of passkey, totp"),
        ("app_attest: {mode: on}", "app_attest.mode: needs one of off, monitor, required"),
        ("app_attest: {mode: monitor}", "app_attest.team_id: needs the team's id, ten characters"),
        (
            "app_attest: {mode: monitor, team_id: ABCDE12345}",
            "app_attest.bundle_ids: needs the bundle identifiers of the app"
        ),
        (
            "app_attest: {mode: monitor, team_id: ABC, bundle_ids: [com.example.app]}",
            "app_attest.bundle_ids: needs a bundle identifier, and the team's ten characters in team_id"
        ),
        (
            "app_attest: {mode: monitor, team_id: ABCDE12345, bundle_ids: [com.example.*]}",
            "app_attest.bundle_ids: needs a bundle identifier, and the team's ten characters in team_id"
        ),
        (
            "app_attest: {team_id: ABCDE12345, bundle_ids: [com.example.app], environment: test}",
            "app_attest.environment: needs one of development, production"
        ),
        (
            "app_attest: {team_id: ABCDE12345, bundle_ids: [com.example.app], root_file: /none.pem}",
            "app_attest.root_file: needs the root certificate in PEM that can be read"
        ),
        (
            "app_attest: {team_id: ABCDE12345, bundle_ids: [com.example.app], root_file: /etc/hosts}",
            "app_attest.root_file: needs one root certificate in PEM, with an ECDSA key on P-256 or P-384"
        ),
        (
            "app_attest: {team_id: ABCDE12345, bundle_ids: [com.example.app], modes: off}",
            "app_attest.modes: is not a known key; did you mean mode?"
        ),
        ("passkeys: {rp_name: x}", "passkeys.rp_id: needs the domain of the passkeys, such as example.com"),
        ("passkeys: {rp_id: Example.com}", "passkeys.rp_id: needs a domain in lower case, such as example.com"),
        ("passkeys: {rp_id: 192.0.2.1}", "passkeys.rp_id: needs a domain in lower case, such as example.com"),
        ("passkeys: {rp_id: com}", "passkeys.rp_id: needs a domain in lower case, such as example.com"),
        ("passkeys: {rp_id: \"https://a.com\"}", "passkeys.rp_id: needs a domain in lower case, such as example.com"),
        (
            "passkeys: {rp_id: co.uk}",
            "passkeys.rp_id: needs a domain of its own: below co.uk, anybody can register a name"
        ),
        (
            "passkeys: {rp_id: github.io}",
            "passkeys.rp_id: needs a domain of its own: below github.io, anybody can register a name"
        ),
        ("passkeys: {rp_id: 192.0.2.1}", "passkeys.rp_id: needs a domain in lower case, such as example.com"),
        ("passkeys: {rp_id: com}", "passkeys.rp_id: needs a domain in lower case, such as example.com"),
        ("passkeys: {rp_id: a.com.}", "passkeys.rp_id: needs a domain in lower case, such as example.com"),
        ("passkeys: {rp_id: localhost}", "passkeys.origins: needs http://localhost and the port"),
        (
            "passkeys: {rp_id: a.com, origins: [\"http://a.com\"]}",
            "passkeys.origins: needs https:// and a.com, or a host below it, without a path"
        ),
        (
            "passkeys: {rp_id: a.com, origins: [\"https://a.com/\"]}",
            "passkeys.origins: needs https:// and a.com, or a host below it, without a path"
        ),
        (
            "passkeys: {rp_id: a.com, origins: [\"https://ba.com\"]}",
            "passkeys.origins: needs https:// and a.com, or a host below it, without a path"
        ),
        (
            "passkeys: {rp_id: a.com, origins: [\"https://a.com:443\"]}",
            "passkeys.origins: needs https:// and a.com, or a host below it, without a path"
        ),
        (
            "passkeys: {rp_id: a.com, apple_apps: [com.example.app]}",
            "passkeys.apple_apps: needs the team's ten characters, a dot and the bundle identifier"
        ),
        (
            "passkeys: {rp_id: a.com, android_apps: [\"android:apk-key-hash:x\"]}",
            "passkeys.android_apps: needs android:apk-key-hash: and the SHA-256 of the certificate in base64url"
        ),
        ("universal_links: {paths: [/a]}", "universal_links.apple_apps: needs the apps that open the links"),
        (
            "universal_links: {apple_apps: [A1B2C3D4E5.com.example.app]}",
            "universal_links.paths: needs the paths of the links, such as /vici/auth/*"
        ),
        (
            "universal_links: {apple_apps: [A1B2C3D4E5.com.example.app], paths: [\"https://a.com/\"]}",
            "universal_links.paths: needs a path that begins with /, such as /vici/auth/*"
        ),
        (
            "universal_links: {apple_apps: [app], paths: [/a]}",
            "universal_links.apple_apps: needs the team's ten characters, a dot and the bundle identifier"
        ),
        (
            "rate_limits: {sign_in: 10}",
            "rate_limits.sign_in: needs COUNT/TIME, for example 10/1m (s, m, h or d; at most 30d)"
        ),
        (
            "rate_limits: {sign_in: 0/1m}",
            "rate_limits.sign_in: needs COUNT/TIME, for example 10/1m (s, m, h or d; at most 30d)"
        ),
        (
            "rate_limits: {sign_in: 10/1y}",
            "rate_limits.sign_in: needs COUNT/TIME, for example 10/1m (s, m, h or d; at most 30d)"
        ),
        (
            "rate_limits: {sign_in: 10/31d}",
            "rate_limits.sign_in: needs COUNT/TIME, for example 10/1m (s, m, h or d; at most 30d)"
        ),
        ("rate_limits: {sign_in: {host: 10/1m}}", "rate_limits.sign_in.host: is not a known key"),
        ("messages: {per_day: 10}", "messages.per_day: is not a known key"),
        ("messages: {per_recipient_day: 0}", "messages.per_recipient_day: needs a whole number from 1 to 10000000"),
        (
            "browser: {unfinished_per_network: 0}",
            "browser.unfinished_per_network: needs a whole number from 1 to 10000000"
        ),
        ("rate_limits: {login: 10/1m}", "rate_limits.login: is not a known key"),
    ]

    @Test(arguments: inApps)
    func `refuses a bad value of an app`(text: String, line: String) {
        let file = "mode: development\napps:\n  clarity:\n    \(text)\n"
        #expect(refusal(file) == "ostiary.yaml:4: apps.clarity.\(line)")
    }

    @Test(arguments: [
        ("  vici: {base_path: /a}\n  viewvault: {base_path: /a}", "4: apps.viewvault"),
        ("  vici: {hosts: [h.example.com]}\n  viewvault: {hosts: [H.EXAMPLE.COM, i.example.com]}", "4: apps.viewvault"),
    ])
    func `refuses two apps on one base`(apps: String, place: String) {
        let line = refusal("mode: development\napps:\n\(apps)\n")
        #expect(line?.hasPrefix("ostiary.yaml:\(place): needs another base_path or other hosts than vici") == true)
    }

    @Test(arguments: [
        ("idp", "idp: needs another name: the built-in provider has it"),
        ("_server", "_server: needs another name: events of the server have it in the audit log"),
        ("metrics", "metrics.base_path: needs a path: the server itself answers the app's name"),
    ])
    func `refuses an app that the server's own paths would hide`(name: String, line: String) {
        let file = "mode: development\napps:\n  \(name): {contract: vici}\n"
        #expect(refusal(file) == "ostiary.yaml:3: apps.\(line)")
    }

    @Test func `refuses a short password where it is the only factor in the strict profile`() {
        let app = "{profile: strict, passwords: {minimum_length: 14}}"
        #expect(
            refusal("mode: development\napps:\n  clarity: \(app)\n")
                == "ostiary.yaml:3: apps.clarity.passwords.minimum_length: needs at least 15 with profile: strict, "
                + "unless second_factor.policy is required")
    }

    @Test func `takes two apps on one path of two hosts`() throws {
        let apps = "  vici: {hosts: [a.example.com]}\n  viewvault: {hosts: [b.example.com]}"
        #expect(try read("mode: development\napps:\n\(apps)\n").apps.map(\.basePath) == [.root, .root])
    }

    @Test func `refuses two apps that the environment could not tell apart`() {
        let apps = "  a-b: {contract: vici}\n  a_b: {contract: vici}"
        #expect(
            refusal("mode: development\napps:\n\(apps)\n")
                == "ostiary.yaml:4: apps.a_b: needs a name that differs from a-b in more than - and _")
    }
}
