import Foundation
import OstiaryDoctor
import Testing

/// The judgements of what a deployment shows to the outside.
@Suite struct OutsideChecksTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    // MARK: Certificates

    private static func certificates(days: [Double], problem: String? = nil) -> [String] {
        let facts = CertificateFacts(expiries: days.map { now.addingTimeInterval($0 * 86_400) }, problem: problem)
        return CertificateCheck(host: "h", observation: .presented(facts), now: now).summary
    }

    @Test func `a certificate is reported three weeks before it expires`() {
        #expect(Self.certificates(days: [21.1, 900, 2000]) == ["ok ok"])
        #expect(Self.certificates(days: [20.9, 900, 2000]) == ["warning tls_expires_soon"])
        #expect(Self.certificates(days: [-0.1, 900, 2000]) == ["error tls_expired"])
    }

    @Test func `an intermediate that expires counts, and the root does not`() {
        #expect(Self.certificates(days: [60, 3, 2000]) == ["warning tls_expires_soon"])
        #expect(Self.certificates(days: [60, 900, 3]) == ["ok ok"])
    }

    @Test func `a chain that is not trusted is an error, and an expired one is named so`() {
        #expect(Self.certificates(days: [60], problem: "no root vouches for it") == ["error tls_untrusted"])
        #expect(Self.certificates(days: [-1], problem: "expired") == ["error tls_expired"])
        #expect(Self.certificates(days: [], problem: "none") == ["error tls_untrusted"])
    }

    // MARK: Public URL

    private static let headers = [
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("cache-control", "no-store"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("strict-transport-security", "max-age=31536000; includeSubDomains"),
    ]

    private static func site(
        _ url: String = "https://h/healthz", status: Int = 200, without: String = "",
        adding: [(String, String)] = [], showsMetrics: Bool = false
    ) -> [String] {
        let fields = (headers.filter { $0.0 != without } + adding).map { (name: $0.0, value: $0.1) }
        return PublicURLCheck(
            url: url, observation: .answered(WebAnswer(status: status, headers: fields, body: Data())),
            showsMetrics: showsMetrics
        ).summary
    }

    @Test func `the public URL answers with the server's own headers`() {
        #expect(Self.site() == ["ok ok"])
        #expect(Self.site(status: 502) == ["error public_url_status"])
        #expect(Self.site(without: "x-content-type-options") == ["warning header_changed"])
        #expect(Self.site(adding: [("referrer-policy", "origin")]) == ["warning header_changed"])
        #expect(Self.site(showsMetrics: true) == ["error metrics_public"])
    }

    @Test func `browsers are told once, and for long, to use TLS alone`() {
        let name = "strict-transport-security"
        #expect(Self.site(without: name) == ["error hsts_missing"])
        #expect(Self.site(without: name, adding: [(name, "max-age=600")]) == ["error hsts_missing"])
        #expect(Self.site(without: name, adding: [(name, "preload; Max-Age=\"31536000\"")]) == ["ok ok"])
        #expect(Self.site(adding: [(name, "max-age=1")]) == ["warning hsts_repeated"])
        #expect(Self.site("http://127.0.0.1/healthz", without: name) == ["ok ok"])
    }

    private static func redirect(_ status: Int, to locations: String...) -> [String] {
        let headers = locations.map { (name: "location", value: $0) }
        return RedirectCheck(
            origin: "https://auth.example.com",
            observation: .answered(WebAnswer(status: status, headers: headers, body: Data()))
        ).summary
    }

    @Test func `plain HTTP leads to the same host with TLS, or nowhere`() {
        let page = "https://auth.example.com/healthz"
        for status in [301, 302, 307, 308] { #expect(Self.redirect(status, to: page) == ["ok ok"]) }
        #expect(Self.redirect(301, to: "HTTPS://Auth.Example.com:443/") == ["ok ok"])
        for status in [400, 403, 404, 426] { #expect(Self.redirect(status) == ["ok ok"]) }
        for status in [200, 204, 502] { #expect(Self.redirect(status) == ["error plain_http_served"]) }
        for place in [
            "http://auth.example.com/healthz", "/healthz", "https://auth.example.com.example.net/",
            "https://example.com/",
            "https://auth.example.com:8443/", "", "https://auth.example.com@example.net/",
        ] {
            #expect(Self.redirect(301, to: place) == ["error plain_http_elsewhere"], "\(place)")
        }
        #expect(Self.redirect(301) == ["error plain_http_elsewhere"])
        #expect(Self.redirect(301, to: page, "http://example.net") == ["error plain_http_elsewhere"])
        let away = WebObservation.unreachable("Nothing accepts connections there.")
        #expect(RedirectCheck(origin: "https://h", observation: away).summary == ["ok ok"])
        #expect(RedirectCheck(origin: "https://h:8443", observation: nil).summary == ["skipped skipped"])
    }

    @Test func `plain HTTP is asked for the same page, where its port is known`() {
        #expect(RedirectCheck.plainURL(of: "https://h/healthz") == "http://h/healthz")
        #expect(
            RedirectCheck.plainURL(of: "https://[2001:db8::1]:443/auth/healthz") == "http://[2001:db8::1]/auth/healthz")
        #expect(RedirectCheck.plainURL(of: "https://h:8443/healthz") == nil)
        #expect(RedirectCheck.plainURL(of: "http://h/healthz") == nil)
    }

    @Test func `without a network nothing is judged`() {
        let offline = WebObservation.offline("No resolver answers.")
        #expect(PublicURLCheck(url: "https://h", observation: offline).summary == ["skipped skipped"])
        #expect(PublicURLCheck(url: "https://h", observation: .untrusted).summary == ["skipped skipped"])
        #expect(RedirectCheck(origin: "https://h", observation: offline).summary == ["skipped skipped"])
        #expect(IssuerCheck(issuer: "https://h/idp", observation: offline).summary == ["skipped skipped"])
        #expect(ProxyCheck(observation: offline, host: "h", endsTLS: false).summary == ["skipped skipped"])
        #expect(
            AppleAssociationCheck(url: "https://h", credentialApps: [], linkApps: [], observation: offline).summary
                == ["skipped skipped"])
        #expect(CertificateCheck(host: "h", observation: .skipped("No."), now: Self.now).summary == ["skipped skipped"])
    }

    @Test func `a public URL at which nothing answers is an error`() {
        let away = WebObservation.unreachable("Nothing accepts connections there.")
        #expect(PublicURLCheck(url: "https://h", observation: away).summary == ["error public_url_unreachable"])
        #expect(
            CertificateCheck(host: "h", observation: .unreachable("Nothing."), now: Self.now).summary
                == ["error tls_unreachable"])
    }

    // MARK: Proxy

    private static func proxy(
        _ hops: [String], trusted: Bool = true, host: String = "auth.example.com", endsTLS: Bool = false
    ) throws -> [String] {
        let seen = ProbeAnswer(
            peer: "10.0.0.2", isPeerTrusted: trusted, client: "203.0.113.5", forwardedFor: hops, host: host)
        let answer = WebAnswer(status: 200, headers: [], body: try JSONEncoder().encode(seen))
        return ProxyCheck(observation: .answered(answer), host: "auth.example.com", endsTLS: endsTLS).summary
    }

    @Test func `a proxy states the client's address, and is trusted to`() throws {
        #expect(try Self.proxy(["203.0.113.5"]) == ["ok ok"])
        #expect(try Self.proxy([ProxyCheck.forgedAddress, "203.0.113.5"]) == ["ok ok"])
        #expect(try Self.proxy([]) == ["error forwarded_for_missing"])
        #expect(try Self.proxy(["203.0.113.5"], trusted: false) == ["error proxy_not_trusted"])
    }

    @Test func `a proxy that passes on what clients write is an error`() throws {
        #expect(try Self.proxy([ProxyCheck.forgedAddress]) == ["error forwarded_for_forgeable"])
    }

    @Test func `a server that ends TLS itself needs no proxy`() throws {
        #expect(try Self.proxy([ProxyCheck.forgedAddress], trusted: false, endsTLS: true) == ["ok ok"])
    }

    @Test func `the host is passed on, with or without a port`() throws {
        #expect(try Self.proxy(["203.0.113.5"], host: "Auth.Example.com:8443") == ["ok ok"])
        #expect(try Self.proxy(["203.0.113.5"], host: "127.0.0.1:3001") == ["error host_changed"])
    }

    @Test func `an answer of something else is a warning`() {
        let answer = WebAnswer(status: 200, headers: [], body: Data("ok\n".utf8))
        #expect(
            ProxyCheck(observation: .answered(answer), host: "h", endsTLS: false).summary
                == ["warning public_url_elsewhere"])
    }

    // MARK: Documents

    private static func json(_ text: String, status: Int = 200, type: String = "application/json") -> WebObservation {
        .answered(WebAnswer(status: status, headers: [(name: "content-type", value: type)], body: Data(text.utf8)))
    }

    @Test func `the discovery document names the configured issuer`() {
        func check(_ text: String, status: Int = 200) -> [String] {
            IssuerCheck(issuer: "https://h/idp", observation: Self.json(text, status: status)).summary
        }
        #expect(check(#"{"issuer":"https://h/idp"}"#) == ["ok ok"])
        #expect(check(#"{"issuer":"http://h/idp"}"#) == ["error issuer_mismatch"])
        #expect(check("{}") == ["error issuer_unreadable"])
        #expect(check(#"{"issuer":"https://h/idp"}"#, status: 404) == ["error issuer_unreadable"])
    }

    @Test func `the association file names every app, directly and as JSON`() {
        func check(_ observation: WebObservation) -> [String] {
            AppleAssociationCheck(
                url: "https://h/aasa", credentialApps: ["ABCDE12345.com.example.a"],
                linkApps: ["ABCDE12345.com.example.b"], observation: observation
            ).summary
        }
        let full = """
            {"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.b"],"components":[{"/":"/x"}]}]},
            "webcredentials":{"apps":["ABCDE12345.com.example.a"]}}
            """
        #expect(check(Self.json(full)) == ["ok ok"])
        #expect(check(Self.json(full, type: "application/json; charset=utf-8")) == ["ok ok"])
        #expect(check(Self.json(full, type: "text/plain")) == ["error aasa_content_type"])
        #expect(check(Self.json(full, status: 301)) == ["error aasa_redirect"])
        #expect(check(Self.json(full, status: 404)) == ["error aasa_missing"])
        #expect(check(Self.json("[]")) == ["error aasa_invalid"])
        #expect(check(Self.json(full.replacing("example.a", with: "example.c"))) == ["error aasa_app_missing"])
        #expect(check(Self.json(full.replacing("example.b", with: "example.c"))) == ["error aasa_app_missing"])
        #expect(check(.unreachable("Nothing.")) == ["error aasa_unreachable"])
    }
}
