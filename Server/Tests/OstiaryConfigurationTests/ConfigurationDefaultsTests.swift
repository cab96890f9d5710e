import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct ConfigurationDefaultsTests {
    @Test func `is development with five apps under their own prefixes, without a file`() throws {
        let configuration = try read([:])
        #expect(configuration.mode == .development)
        #expect(configuration.listen == ListenAddress(host: "127.0.0.1", port: 3001))
        #expect(
            configuration.apps.map(\.basePath.description)
                == ["/timetracker", "/vici", "/clarity", "/barqnet", "/viewvault"])
        #expect(configuration.apps.map(\.contract) == Contract.presets)
        #expect(configuration.apps.map(\.contractReference) == Contract.presets.map { .preset($0.name) })
        #expect(configuration.publicURL == nil && configuration.encryptionKeys.isEmpty && configuration.tls == nil)
        #expect(configuration.email == .inbox && configuration.sms == .inbox)
        #expect(configuration.store == .sqlite(path: ".ostiary/ostiary.db"))
        #expect(configuration.adminListen == nil)
    }

    @Test(arguments: [
        ("auto", true, LogSettings.Format.console), ("auto", false, .json), ("json", true, .json),
        ("console", false, .console), ("logfmt", true, .logfmt), ("logfmt", false, .logfmt),
    ])
    func `logs for a person on a terminal and JSON elsewhere, unless a format is configured`(
        format: String, onTerminal: Bool, effective: LogSettings.Format
    ) throws {
        let configuration = try read("mode: development\nlog: {format: \(format)}")
        #expect(configuration.log.format.effective(onTerminal: onTerminal) == effective)
    }

    @Test(arguments: [(0, nil), (1, 1), (500, 500)])
    func `reports slow requests from a duration on, or none`(setting: Int, milliseconds: Int?) throws {
        let configuration = try read("mode: development\nlog: {slow_milliseconds: \(setting)}")
        #expect(configuration.log.slowMilliseconds == milliseconds)
    }

    @Test func `serves a single app at the root, without a file`() throws {
        let configuration = try read([:], .init(apps: ["vici"]))
        #expect(configuration.apps.map(\.name.text) == ["vici"])
        #expect(configuration.apps.map(\.basePath) == [.root])
    }

    @Test func `serves two chosen apps under their prefixes`() throws {
        let configuration = try read([:], .init(apps: ["vici", "barqnet"]))
        #expect(configuration.apps.map(\.basePath.text) == ["/vici", "/barqnet"])
    }

    @Test func `keeps the base path of a file for a single app`() throws {
        let configuration = try read("mode: development\napps: {vici: , clarity: }", [:], .init(apps: ["vici"]))
        #expect(configuration.apps.map(\.basePath.text) == ["/vici"])
    }

    @Test func `has the promised numbers of the server`() throws {
        let configuration = try read([:])
        let limits = configuration.limits
        #expect([limits.body, limits.headers, limits.connections] == [65536, 16384, 10000])
        #expect([limits.headerTimeout, limits.bodyTimeout, limits.idleTimeout] == [10, 30, 60])
        #expect(configuration.log.level == .info && configuration.log.format == .automatic)
        #expect(configuration.log.slowMilliseconds == 1000)
        #expect(configuration.tracing.accept == .trustedProxies && configuration.tracing.propagate == .all)
    }

    @Test func `has the promised numbers of an app`() throws {
        let app = try read([:]).app("clarity")
        #expect(app.tokens == TokenSettings())
        #expect(app.replay == ReplayPolicy(window: 30, isStrict: false))
        #expect(app.passwords.minimumLength == 8 && app.bcryptCost == 10 && app.resets.lifetimeSeconds == 3600)
        #expect(
            [app.codes.digits, app.codes.lifetimeSeconds, app.codes.tries, app.codes.resendAfterSeconds] == [
                6, 300, 5, 60,
            ])
        #expect(app.codes.testNumbers.isEmpty && app.browserLifetime == 600)
        #expect(!app.isRegistrationSafe && app.signing == SigningSettings() && app.identities.isEmpty)
        #expect(app.requestSigning == .accepted)
        #expect(
            app.messages == MessageCaps() && app.stuffing == CredentialStuffingPolicy()
                && app.spraying == PasswordSprayingPolicy() && app.browserSignIns == BrowserSignInCaps())
        #expect(app.limits == RateLimits() && app.redirectURIs == nil && app.hosts.isEmpty)
    }

    @Test func `calls an app by its name, and a provider in development Ostiary`() throws {
        let text = "mode: development\napps: {time-tracker: {contract: timetracker}}"
        let configuration = try read(text)
        #expect(try configuration.app("time-tracker").displayName == "Time tracker")
        #expect(try read([:]).app("vici").displayName == "Vici")
        let named = try read("mode: development\napps: {vici: {name: VICI für alle, color: \"#1F5FD0\"}}").app("vici")
        #expect(named.displayName == "VICI für alle" && named.color == "#1f5fd0")
        #expect(configuration.idp?.name == "Ostiary" && configuration.idp?.registration == .open)
    }

    @Test func `has no provider in production unless it is configured`() throws {
        #expect(try read(productionHead + "  clarity:").idp == nil)
        #expect(try read(productionHead + "  clarity:\nidp:").idp?.clients == [])
    }

    @Test func `leaves secrets of development to be made`() throws {
        let app = try read([:]).app("vici")
        #expect(app.signing.algorithm == .hs256 && app.signing.secret == nil && app.signing.refreshSecret == nil)
    }

    @Test func `has an admin listener and no inbox in production`() throws {
        let lines = productionHead.split(separator: "\n").filter { !$0.hasPrefix("email") }
        let configuration = try read(lines.joined(separator: "\n") + "\n  clarity:")
        #expect(configuration.adminListen == ListenAddress(host: "127.0.0.1", port: 3002))
        #expect(configuration.email == nil && configuration.sms == nil)
        #expect(try configuration.app("clarity").basePath.text == "/clarity")
    }

    @Test func `tells owners of unusual sign-ins, and asks and refuses for none`() throws {
        let configuration = try read([:])
        #expect(try configuration.app("vici").risk == RiskPolicy(notify: .medium, challenge: .never, refuse: .never))
        #expect(configuration.geography.isEmpty)
    }

    @Test(arguments: [("", 8), (", profile: strict", 15), (", profile: strict, second_factor: {policy: required}", 8)])
    func `the strict profile requires 15 code points where a password is the only factor`(
        settings: String, length: Int
    ) throws {
        let text = "mode: development\napps: {vici: {contract: vici\(settings)}}"
        #expect(try read(text).app("vici").passwords.minimumLength == length)
    }

    @Test func `takes every number of an app`() throws {
        let text = """
            mode: development
            apps:
              barqnet:
                tokens: {access: 60, refresh: 600, refresh_short: 120, replay_window: 5}
                passwords: {minimum_length: 16, bcrypt_cost: 11, reset_lifetime: 100}
                codes: {digits: 8, lifetime: 100, tries: 3, resend_after: 10}
                browser: {lifetime: 99, unfinished_per_network: 5, unfinished_per_server: 6}
                sessions: {maximum: 30, idle: 300, absolute: 900}
                registration: {safe: true, per_network_day: 9, per_server_hour: 10}
                profile: strict
                risk: {notify: high, challenge: medium, refuse: high}
                rate_limits: {sign_in: 3/s, other: {address: 7/2h}}
                stuffing: {identifiers: 7}
                spraying: {accounts: 8}
                messages: {per_recipient_day: 1, per_prefix_hour: 2, per_network_hour: 3, per_server_hour: 4}
            """
        var app = try read(text).app("barqnet")
        app.contract = Contract(
            name: "mine", rules: AppRules(identifier: .phoneNumber, refresh: RefreshRules()), prefix: "/v1",
            redirectURIs: ["a:/b"])
        let settings = try app.settings()
        #expect(settings.rules.accessTokenSeconds == 60 && settings.rules.refresh?.seconds == 600)
        #expect(settings.rules.refresh?.shortSeconds == nil)
        #expect(
            settings.replay == ReplayPolicy(window: 5, isStrict: true)
                && settings.redirectURIs == RedirectURIs(["a:/b"]))
        #expect(
            settings.passwords.minimumLength == 16 && app.bcryptCost == 11 && settings.resets.lifetimeSeconds == 100)
        #expect([settings.codes.digits, settings.codes.lifetimeSeconds, settings.codes.tries] == [8, 100, 3])
        #expect(settings.codes.resendAfterSeconds == 10 && app.browserLifetime == 99 && app.isRegistrationSafe)
        #expect(settings.sessions == SessionPolicy(maximum: 30, idleSeconds: 300, absoluteSeconds: 900))
        let caps = MessageCaps(perRecipientDay: 1, perPrefixHour: 2, perNetworkHour: 3, perServerHour: 4)
        #expect(settings.risk == RiskPolicy(notify: .high, challenge: .medium, refuse: .high))
        #expect(settings.messages == caps && settings.callingCodes == nil)
        #expect(settings.registrations == RegistrationCaps(perNetworkDay: 9, perServerHour: 10))
        #expect(settings.stuffing == CredentialStuffingPolicy(identifiers: 7))
        #expect(settings.spraying == PasswordSprayingPolicy(accounts: 8))
        #expect(settings.browserSignIns == BrowserSignInCaps(perNetwork: 5, perServer: 6))
        #expect(settings.limits.perAddress[.signIn] == RateLimit(attempts: 3, perSeconds: 1))
        #expect(settings.limits.perIdentifier[.signIn] == RateLimit(attempts: 3, perSeconds: 1))
        #expect(settings.limits.perAddress[.other] == RateLimit(attempts: 7, perSeconds: 7200))
        #expect(settings.limits.perIdentifier[.other] == RateLimits.identifierDefaults[.other])
    }

    @Test func `reads a test number with its end`() throws {
        let text =
            "mode: development\napps: {barqnet: {codes: {test_numbers: {+1 555 555 0100: {code: 012345, until: 2027-01-01}}}}}"
        let codes = try read(text).app("barqnet").codes
        let test = try #require(codes.testNumbers[try PhoneNumber("+15555550100")])
        #expect(test.code.reveal() == "012345")
        #expect("\(test.until)" == "2027-01-01 00:00:00 +0000")
    }

    @Test func `an app has second factors by default, and passkeys where they are configured`() throws {
        let plain = try read("mode: development\napps: {clarity: {name: Notes}}").app("clarity").settings()
        #expect(plain.secondFactor == SecondFactorPolicy(issuer: "Notes") && plain.passkeys == nil)
        let text = """
            mode: development
            apps: {clarity: {name: Notes, passkeys: {rp_id: example.com, apple_apps: [A1B2C3D4E5.com.example.app]}}}
            """
        let app = try read(text).app("clarity")
        #expect(
            try app.settings().passkeys
                == PasskeySettings(
                    relyingPartyID: "example.com", relyingPartyName: "Notes", origins: ["https://example.com"]))
        #expect(app.passkeys?.appleApps == ["A1B2C3D4E5.com.example.app"])
    }

    @Test func `an app can require second factors, of every account or of those with a role`() throws {
        let text = """
            mode: development
            apps:
              clarity: {second_factor: {policy: required}}
              vici: {second_factor: {required_for: [admin, editor]}}
            """
        let configuration = try read(text)
        #expect(try configuration.app("clarity").settings().secondFactor.requirement == .required)
        let roles = try configuration.app("vici").settings().secondFactor
        #expect(roles.requirement == .optional && roles.requiredRoles == ["admin", "editor"])
    }

    @Test(arguments: ["example.com", "auth.example.com", "example.co.uk", "ann.github.io", "id.me", "web.de"])
    func `a registrable domain and a host below it are RP IDs`(domain: String) throws {
        let app = try read("mode: development\napps: {clarity: {passkeys: {rp_id: \(domain)}}}").app("clarity")
        #expect(try app.settings().passkeys?.relyingPartyID == domain)
    }

    @Test func `an app may name the links that open its apps`() throws {
        let text = """
            mode: development
            apps: {clarity: {universal_links: {apple_apps: [A1B2C3D4E5.com.example.app], paths: ["/clarity/open/*"]}}}
            """
        let links = try read(text).app("clarity").universalLinks
        #expect(links?.appleApps == ["A1B2C3D4E5.com.example.app"] && links?.paths == ["/clarity/open/*"])
    }

    @Test func `refuses a refresh token shorter than the contract's access token`() throws {
        var app = try read("mode: development\napps: {clarity: {tokens: {refresh: 600}}}").app("clarity")
        app.contract.rules = AppRules(identifier: .email, refresh: RefreshRules())
        #expect(throws: ConfigurationProblem.self) { try app.settings() }
    }

    @Test func `refuses an idle time shorter than the contract's access token`() throws {
        var app = try read("mode: development\napps: {clarity: {sessions: {idle: 600}}}").app("clarity")
        app.contract.rules = AppRules(identifier: .email, refresh: RefreshRules())
        #expect(throws: ConfigurationProblem.self) { try app.settings() }
    }
}
