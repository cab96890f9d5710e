import OstiaryDoctor
import Testing

/// The judgements of mail servers and of DNS records.
@Suite struct MailChecksTests {
    @Test(arguments: [
        (MailServerState.ready(isEncrypted: true), false, "ok ok"), (.ready(isEncrypted: false), true, "ok ok"),
        (.ready(isEncrypted: false), false, "warning smtp_plain"), (.noSuchName, false, "error smtp_unresolved"),
        (.unreachable, false, "error smtp_unreachable"), (.timedOut, false, "error smtp_unreachable"),
        (.withoutTLS, false, "error smtp_without_tls"), (.untrusted, false, "error smtp_untrusted"),
        (.loginRefused, false, "error smtp_login_refused"), (.failed("x"), false, "error smtp_failed"),
        (.offline("No resolver answers."), false, "skipped skipped"),
    ])
    func `a mail server has to accept this server by TLS`(state: MailServerState, isLoopback: Bool, expected: String) {
        #expect(
            MailServerCheck(server: "smtp://h:587", state: state, isLoopback: isLoopback).summary == [expected])
    }

    @Test(arguments: [
        (["v=spf1 include:_spf.example.net -all"], "ok ok"), (["other", "V=SPF1 mx ~all"], "ok ok"),
        (["v=spf1 redirect=_spf.example.net"], "ok ok"), ([], "warning spf_missing"),
        (["v=spf10 -all"], "warning spf_missing"), (["v=spf1 mx"], "warning spf_open"),
        (["v=spf1 mx ?all"], "warning spf_open"), (["v=spf1 +all"], "error spf_allows_all"),
        (["v=spf1 all"], "error spf_allows_all"), (["v=spf1 -all", "v=spf1 mx -all"], "error spf_repeated"),
    ])
    func `the sender's domain has one closed SPF record`(records: [String], expected: String) {
        #expect(SPFCheck(domain: "example.com", records: .records(records)).summary == [expected])
    }

    @Test(arguments: [
        (["v=DMARC1; p=reject"], "ok ok"), (["v=DMARC1;p=quarantine; rua=mailto:a@example.com"], "ok ok"),
        (["v=DMARC1; p=none"], "warning dmarc_none"), ([], "warning dmarc_missing"),
        (["p=reject"], "warning dmarc_missing"),
        (["v=DMARC1"], "error dmarc_invalid"), (["v=DMARC1; p=all"], "error dmarc_invalid"),
        (["v=DMARC1; p=reject", "v=DMARC1; p=none"], "error dmarc_repeated"),
    ])
    func `the sender's domain has a DMARC policy`(records: [String], expected: String) {
        #expect(DMARCCheck(domain: "example.com", records: [.records(records)]).summary == [expected])
    }

    @Test func `a domain without a DMARC record has that of the domain above, with its policy for subdomains`() {
        func check(_ parent: String) -> [String] {
            DMARCCheck(domain: "mail.example.com", records: [.records([]), .records([parent])]).summary
        }
        #expect(check("v=DMARC1; p=reject") == ["ok ok"])
        #expect(check("v=DMARC1; p=reject; sp=none") == ["warning dmarc_none"])
        #expect(check("v=DMARC1; p=none; sp=reject") == ["ok ok"])
    }

    @Test(arguments: [
        (["v=DKIM1; k=rsa; p=MIIB"], "ok ok"), (["k=ed25519; p=11qY"], "ok ok"), ([], "error dkim_missing"),
        (["v=DKIM2; p=MIIB"], "error dkim_missing"), (["v=DKIM1; p="], "error dkim_revoked"),
    ])
    func `the selector of the mail provider has a key`(records: [String], expected: String) {
        #expect(DKIMCheck(domain: "example.com", selectors: [("s1", .records(records))]).summary == [expected])
    }

    @Test func `without a selector or an answer nothing is judged`() {
        #expect(DKIMCheck(domain: "example.com", selectors: []).summary == ["skipped skipped"])
        #expect(DKIMCheck(domain: "example.com", selectors: [("s1", .unanswered)]).summary == ["skipped skipped"])
        #expect(SPFCheck(domain: "example.com", records: .unanswered).summary == ["skipped skipped"])
        #expect(DMARCCheck(domain: "example.com", records: [.unanswered]).summary == ["skipped skipped"])
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.1:5353"])
    func `a name server is an IPv4 address with or without a port`(text: String) {
        #expect(NameServerProbe(server: text) != nil)
    }

    @Test(arguments: ["", "dns.example", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:99999", "::1", "127.0.0.1:1:2"])
    func `another text is no name server`(text: String) {
        #expect(NameServerProbe(server: text) == nil)
    }

    @Test func `a name server that does not answer is no answer`() async throws {
        // The port is that of no service.
        let probe = try #require(NameServerProbe(server: "127.0.0.1:1"))
        #expect(await probe.texts(of: "example.com") == .unanswered)
    }
}
