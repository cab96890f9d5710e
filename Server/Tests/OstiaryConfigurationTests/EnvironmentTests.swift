import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct EnvironmentTests {
    @Test func `puts the command line before the environment before the file before the default`() throws {
        let file = "mode: development\nlisten: 127.0.0.1:1\n"
        let environment = ["OSTIARY_LISTEN": "127.0.0.1:2"]
        #expect(try read("mode: development").listen.port == 3001)
        #expect(try read(file).listen.port == 1)
        #expect(try read(file, environment).listen.port == 2)
        #expect(try read(file, environment, .init(listen: "[::1]:3")).listen.description == "[::1]:3")
    }

    @Test func `takes any value from the environment`() throws {
        let configuration = try read([
            "OSTIARY_LOG_LEVEL": "debug",
            "OSTIARY_LIMITS_BODY": "2048",
            "OSTIARY_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
            "OSTIARY_EMAIL_KIND": "inbox",
            "OSTIARY_APPS_VICI_BASE_PATH": "/v",
            "OSTIARY_APPS_VICI_REGISTRATION_SAFE": "true",
            "OSTIARY_APPS_VICI_RATE_LIMITS_SIGN_IN": "3/1m",
            "OSTIARY_APPS_VICI_RATE_LIMITS_REFRESH_ADDRESS": "4/1m",
            "OSTIARY_APPS_CLARITY_IDENTITY":
                "{kind: cognito, region: r, user_pool_id: p, client_id: c, client_secret: s}",
            "OSTIARY_APPS_BARQNET_CODES_TEST_NUMBERS": "{\"+15555550100\": {code: \"123456\", until: 2027-01-01}}",
        ])
        #expect(configuration.log.level == .debug && configuration.limits.body == 2048)
        #expect(configuration.trustedProxies.map(\.description) == ["10.0.0.0/8", "::1/128"])
        let vici = try configuration.app("vici")
        #expect(vici.basePath.text == "/v" && vici.isRegistrationSafe)
        #expect(vici.limits.perIdentifier[.signIn] == RateLimit(attempts: 3, perSeconds: 60))
        #expect(vici.limits.perAddress[.refresh] == RateLimit(attempts: 4, perSeconds: 60))
        guard case .cognito(let pool) = try configuration.app("clarity").identities.first?.source else {
            throw Missing()
        }
        #expect(pool.clientID == "c")
        #expect(try configuration.app("barqnet").codes.testNumbers.count == 1)
    }

    @Test func `writes a dash in an app's name as an underscore`() throws {
        let text = "mode: development\napps: {time-tracker: {contract: timetracker}}"
        let app = try read(text, ["OSTIARY_APPS_TIME_TRACKER_TOKENS_ACCESS": "60"]).app("time-tracker")
        #expect(app.tokens.access == 60)
    }

    @Test(arguments: [
        ("OSTIARY_LISTN", "OSTIARY_LISTN: belongs to no key; did you mean OSTIARY_LISTEN?"),
        ("OSTIARY_APPS_NOBODY_PROFILE", "OSTIARY_APPS_NOBODY_PROFILE: belongs to no key"),
    ])
    func `refuses a variable that stands for no key`(name: String, line: String) {
        #expect(refusal("mode: development", [name: "x"])?.hasPrefix(line) == true)
    }

    @Test func `lets variables of tests and other programs be`() throws {
        _ = try read([
            "OSTIARY_TEST_POSTGRES": "x", "OSTIARY_CONFIG": "x", "OSTIARY_DATA": "/d", "OSTIARY_ADMIN_KEY": "k",
            "PATH": "/bin",
        ])
    }

    @Test func `names the variable of a bad value`() {
        #expect(
            refusal("mode: development", ["OSTIARY_LIMITS_BODY": "many"])
                == "OSTIARY_LIMITS_BODY: limits.body: needs a whole number from 1024 to 16777216")
        #expect(
            refusal("mode: development", [:], .init(listen: "x"))
                == "--listen: needs HOST:PORT, for example 127.0.0.1:3001 or [::1]:3001")
        #expect(
            refusal("mode: development", [:], .init(apps: ["vicy"]))
                == "--app: needs one of timetracker, vici, clarity, barqnet, viewvault; did you mean vici?")
    }

    @Test func `puts variables into the file`() throws {
        let text = "mode: ${MODE}\nlimits: {body: \"${BODY}\"}"
        #expect(try read(text, ["MODE": "development", "BODY": "4096"]).limits.body == 4096)
        // A variable's own value is not expanded again.
        let from = "mode: development\nemail: {kind: smtp, url: smtps://h, from: \"$${x} $ ${NAME} <a@example.com>\"}"
        guard case .smtp(_, let sender) = try read(from, ["NAME": "${MODE}"]).email else { throw Missing() }
        #expect(sender == "${x} $ ${MODE} <a@example.com>")
    }

    @Test func `says where a variable needs quotes`() {
        #expect(
            refusal("mode: development\nlimits: {body: ${BODY}}")
                == "ostiary.yaml:2: needs to be YAML: did not find expected ',' or '}' (inside braces put ${NAME} in quotes)"
        )
    }

    @Test func `names a variable that is not set`() {
        #expect(refusal("mode: ${NOWHERE}") == "ostiary.yaml:1: mode: needs the environment variable NOWHERE")
        #expect(refusal("mode: \"${NO WHERE}\"") == "ostiary.yaml:1: mode: needs ${NAME}, or $${ for a plain ${")
        #expect(refusal("mode: \"${NOWHERE\"") == "ostiary.yaml:1: mode: needs ${NAME}, or $${ for a plain ${")
    }

    @Test func `lets a file name its own variable with the prefix`() throws {
        let text = "mode: development\nlog: {level: \"${OSTIARY_OWN}\"}"
        #expect(try read(text, ["OSTIARY_OWN": "error"]).log.level == .error)
    }

    @Test func `takes the data directory from the command line, then the environment`() throws {
        #expect(try read(["OSTIARY_DATA": "/e/"]).store == .sqlite(path: "/e/ostiary.db"))
        #expect(try read(["OSTIARY_DATA": "/e"], .init(dataDirectory: "/c")).dataDirectory == "/c")
    }

    @Test func `begins paths of a file at its folder and paths of the environment at the working directory`() throws {
        let file = ConfigurationFile(name: "/etc/ostiary/o.yaml", text: "mode: development\nstore: sqlite:./data/o.db")
        #expect(try Configuration(file: file, environment: [:]).store == .sqlite(path: "/etc/ostiary/data/o.db"))
        let environment = ["OSTIARY_STORE": "sqlite:./o.db"]
        #expect(try Configuration(file: file, environment: environment).store == .sqlite(path: "./o.db"))
    }
}
