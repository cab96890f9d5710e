import OstiaryConfiguration
import Testing

/// Every row: the content of the file, and the line with which it is refused.
@Suite struct ConfigurationRefusalTests {
    static let anywhere: [(String, String)] = [
        ("lisen: 127.0.0.1:1", "2: lisen: is not a known key; did you mean listen?"),
        ("listen: 127.0.0.1", "2: listen: needs HOST:PORT, for example 127.0.0.1:3001 or [::1]:3001"),
        ("listen: 127.0.0.1:65536", "2: listen: needs HOST:PORT, for example 127.0.0.1:3001 or [::1]:3001"),
        ("listen: ::1:3001", "2: listen: needs HOST:PORT, for example 127.0.0.1:3001 or [::1]:3001"),
        ("listen: [a, b]", "2: listen: needs one value"),
        ("listen:", "2: listen: needs a value, but is empty"),
        ("public_url: true", "2: public_url: needs a text; put it in quotes"),
        ("public_url: ftp://a.example.com", "2: public_url: needs a URL that begins with https://"),
        ("public_url: https://a.example.com/?x", "2: public_url: needs a URL without user, query and fragment"),
        ("public_url: https://u@a.example.com", "2: public_url: needs a URL without user, query and fragment"),
        ("public_url: https://a.example.com/x/", "2: public_url: needs a URL without a slash at the end"),
        ("trusted_proxies: 10.0.0.0/8", "2: trusted_proxies: needs a list: [A, B]"),
        ("trusted_proxies: [10.0.0.1/8]", "2: trusted_proxies: needs the first address of the range: 10.0.0.0/8"),
        ("trusted_proxies: [0.0.0.0/0]", "2: trusted_proxies: needs a length above 0: this would trust every address"),
        (
            "trusted_proxies:\n  - 10.0.0.0/8\n  - proxy",
            "4: trusted_proxies: needs addresses or ranges such as 10.0.0.0/8 or fd00::/8"
        ),
        ("geoip: {city: nowhere.mmdb}", "2: geoip.city: needs a file in the MaxMind DB format that can be read"),
        // A pipe or a device would keep a reload waiting.
        ("geoip: {city: /dev/zero}", "2: geoip.city: needs a file in the MaxMind DB format that can be read"),
        ("tls: {certificate: nowhere.pem}", "2: tls.certificate: needs a PEM file that can be read"),
        ("tls: [a]", "2: tls: needs keys below it (KEY: VALUE)"),
        ("store: mysql://h/d", "2: store: needs sqlite:PATH or postgres://…"),
        ("store: \"sqlite:\"", "2: store: needs a file: sqlite:PATH"),
        ("store: \"sqlite::memory:\"", "2: store: needs a file: sqlite:PATH"),
        ("store: sqlite://host/x.db", "2: store: needs a file: sqlite:PATH"),
        ("store: postgres://u:p@", "2: store: needs postgres://user:password@host1,host2/dbname?…"),
        (
            "store: postgres://u:p@db.example.com/o",
            "2: store: needs TLS to a remote database: add sslmode=verify-full (or require)"
        ),
        (
            "store: postgres://u:p@127.0.0.1,db.example.com/o?sslmode=prefer",
            "2: store: needs TLS to a remote database: add sslmode=verify-full (or require)"
        ),
        (
            "store: postgres:///o?host=db.example.com",
            "2: store: needs TLS to a remote database: add sslmode=verify-full (or require)"
        ),
        (
            "store: postgres://u:p@127.0.0.1/o?hostaddr=192.0.2.1",
            "2: store: needs TLS to a remote database: add sslmode=verify-full (or require)"
        ),
        (
            "store: postgres://u:p@db.example.com,x@127.0.0.1/o",
            "2: store: needs postgres://user:password@host1,host2/dbname?…"
        ),
        ("store: postgres://u:p%0@localhost/o", "2: store: needs postgres://user:password@host1,host2/dbname?…"),
        ("store: postgres://u:p%00@localhost/o", "2: store: needs postgres://user:password@host1,host2/dbname?…"),
        ("store: postgres://u:p@localhost/", "2: store: needs postgres://user:password@host1,host2/dbname?…"),
        (
            "store: postgres://localhost/o?sslmod=require",
            "2: store: needs parameters of libpq's, pool_size or pooler; did you mean sslmode?"
        ),
        (
            "store: postgres://localhost/o?client_encoding=LATIN1",
            "2: store: needs parameters of libpq's, pool_size or pooler"
        ),
        (
            "store: postgres://localhost/o?sslmode",
            "2: store: needs parameters of the form name=value, with %XX for special characters"
        ),
        ("store: postgres://localhost/o?user=a&user=b", "2: store: needs each parameter once"),
        (
            "store: postgres://localhost/o?sslmode=on",
            "2: store: needs sslmode to be disable or allow or prefer or require or verify-ca or verify-full"
        ),
        (
            "store: postgres://localhost/o?target_session_attrs=standby",
            "2: store: needs target_session_attrs to be read-write or primary or any"
        ),
        ("store: postgres://localhost/o?pool_size=0", "2: store: needs pool_size from 1 to 200"),
        ("store: postgres://localhost/o?pool_size=201", "2: store: needs pool_size from 1 to 200"),
        ("store: postgres://localhost/o?pool_size=+8", "2: store: needs pool_size from 1 to 200"),
        ("store: postgres://localhost/o?pooler=session", "2: store: needs pooler to be transaction"),
        (
            "store: postgres://localhost/o?pooler=transaction&options=-c%20jit=off",
            "2: store: needs no options beside pooler=transaction: the pooler would refuse them"
        ),
        (
            "store: postgres://localhost/o",
            " encryption_key: needs 32 bytes in base64, for example from: openssl rand -base64 32"
        ),
        (
            "encryption_key: short",
            "2: encryption_key: needs 32 bytes in base64, for example from: openssl rand -base64 32"
        ),
        (
            "encryption_key: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            "2: encryption_key: needs 32 random bytes"
        ),
        ("email: {kind: pigeon}", "2: email.kind: needs one of smtp, inbox"),
        ("email: {url: \"smtps://h\"}", "2: email.kind: needs smtp or inbox"),
        ("email: {kind: inbox, from: a@b.example}", "2: email.from: is not a known key"),
        (
            "email: {kind: smtp, from: a@example.com}",
            "2: email.url: needs smtps://user:password@host:465"
        ),
        (
            "email: {kind: smtp, url: \"https://h\", from: a@example.com}",
            "2: email.url: needs smtps://user:password@host:465, with %XX for special characters"
        ),
        (
            "email: {kind: smtp, url: \"smtps://h\", from: \"a@example.com\\r\\nBcc: x\"}",
            "2: email.from: needs a text without control characters"
        ),
        (
            "email: {kind: smtp, url: \"smtps://h\", from: Example}",
            "2: email.from: needs an address: no-reply@example.com or \"Example <no-reply@example.com>\""
        ),
        ("sms: {kind: twilio, account_sid: A, from: \"+1\"}", "2: sms.auth_token: needs Twilio's auth token"),
        (
            "sms: {kind: webhook, url: \"https://h.example.com/\"}",
            "2: sms.secret: needs the secret that signs the requests"
        ),
        (
            "sms: {kind: webhook, url: \"file:///etc\", secret: \(goodSecret)}",
            "2: sms.url: needs a URL that begins with https://, without user and fragment"
        ),
        ("admin: {listen: 127.0.0.1:3001}", "2: admin: needs another address than listen"),
        ("admin: {public_url: \"https://admin.example.com\"}", "2: admin.public_url: needs admin.listen"),
        (
            "admin: {listen: 127.0.0.1:3002, public_url: \"https://admin.example.com/console\"}",
            "2: admin.public_url: needs a URL without a path"
        ),
        ("limits: {body: 0}", "2: limits.body: needs a whole number from 1024 to 16777216"),
        ("limits: {body: 1e5}", "2: limits.body: needs a whole number from 1024 to 16777216"),
        ("limits: {body: 0x10000}", "2: limits.body: needs a whole number from 1024 to 16777216"),
        ("limits: {body: \"65536\"}", "2: limits.body: needs a whole number from 1024 to 16777216"),
        ("limits: {body: 99999999999999999999}", "2: limits.body: needs a whole number from 1024 to 16777216"),
        ("limits: {idle_timeout: -1}", "2: limits.idle_timeout: needs a whole number from 1 to 3600"),
        (
            "log: {level: loud}",
            "2: log.level: needs one of trace, debug, info, notice, warning, error, critical"
        ),
        ("log: {slow_milliseconds: -1}", "2: log.slow_milliseconds: needs a whole number from 0 to 3600000"),
        ("tracing: {accept: anyone}", "2: tracing.accept: needs one of trusted_proxies, all, none"),
        ("tracing: {propagate: yes}", "2: tracing.propagate: needs one of all, own, none"),
        ("log: {format: xml}", "2: log.format: needs one of json, logfmt, console, auto"),
        ("apps: 5", "2: apps: needs keys below it (KEY: VALUE)"),
        ("apps: {Vici: }", "2: apps.Vici: needs a name of lower-case letters, digits, - and _, at most 64"),
        (
            "apps: {mine: }",
            "2: apps.mine.contract: needs timetracker, vici, clarity, barqnet, viewvault, or the path of a JSON file"
        ),
    ]

    @Test(arguments: anywhere)
    func `refuses a bad value of the server`(text: String, line: String) {
        #expect(refusal("mode: development\n\(text)\n") == "ostiary.yaml:\(line)")
    }

    @Test func `wants the mode of a file said`() {
        #expect(refusal("listen: 127.0.0.1:1") == "ostiary.yaml: mode: needs development or production")
    }

    @Test(arguments: [
        ("moode: development", "1: mode: needs development or production; did you mean mode instead of moode?"),
        (
            "mode: production\npublic_ur: https://auth.example.com",
            "2: public_url: needs the public URL of the server, for example https://auth.example.com; "
                + "did you mean public_url instead of public_ur?"
        ),
        (
            "mode: development\nemail: {knid: inbox}",
            "2: email.kind: needs smtp or inbox; did you mean kind instead of knid?"
        ),
    ])
    func `names a misspelt key where a required one is missing`(text: String, line: String) {
        #expect(refusal(text) == "ostiary.yaml:\(line)")
    }

    @Test func `does not repeat a misspelt key that is no key`() {
        #expect(refusal("\"mode:secret\": x") == "ostiary.yaml: mode: needs development or production")
    }

    @Test func `reads a file that begins with a byte order mark`() throws {
        #expect(try read("\u{FEFF}mode: development\n").mode == .development)
    }

    @Test func `refuses a byte order mark anywhere else`() {
        #expect(refusal("mode: development\n\u{FEFF}listen: 127.0.0.1:1") != nil)
    }

    @Test func `refuses a certificate without its key`() throws {
        // This source file is used as the certificate, since only its readability is checked.
        #expect(
            refusal("mode: development\ntls: {certificate: \(#filePath)}")
                == "ostiary.yaml:2: tls.key: needs a PEM file")
    }
}
