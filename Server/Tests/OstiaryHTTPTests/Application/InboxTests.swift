import OstiaryEngine
import OstiaryHTTP
import Testing

/// The messages that a development server keeps instead of sending them.
@Suite(.timeLimit(.minutes(5)))
struct InboxTests {
    private func run(
        _ inbox: PreparedInbox?, proxies: [AddressRange] = [], _ body: (LiveServer) async throws -> Void
    ) async throws {
        try await LiveServer.run(
            World([]),
            adjust: {
                $0.inbox = inbox
                $0.connections.proxies = ProxyTrust(proxies: proxies)
            }, body)
    }

    @Test func `lists the messages as JSON in the documented shape`() async throws {
        try await run(PreparedInbox([PreparedInbox.code, PreparedInbox.reset])) { server in
            let answer = try await server.ask("GET", "/dev/inbox", ["Accept": "application/json"])
            #expect(answer["content-type"]?.hasPrefix("application/json") == true)
            #expect(
                answer.body == """
                    {"messages":[{"id":"m2","app":"barqnet","channel":"sms","to":"+15551234567","subject":null,\
                    "text":"123456 is your code.","code":"123456","link":null,"sent_at":"2027-01-15T08:00:00Z"},\
                    {"id":"m1","app":"vici","channel":"email","to":"jo@example.com",\
                    "subject":"<b>New</b> & \\"old\\"","text":"<script>alert('1')</script>","code":null,\
                    "link":"https://auth.example.com/vici/reset-password?token=t","sent_at":"2027-01-15T07:59:00Z"}]}
                    """)
        }
    }

    @Test func `lists nothing as an empty list`() async throws {
        try await run(PreparedInbox([])) { server in
            let answer = try await server.ask("GET", "/dev/inbox", ["Accept": "application/json"])
            #expect(answer.body == #"{"messages":[]}"#)
        }
    }

    @Test(arguments: [
        ("", "any to anyone"), ("?app=vici", "vici to anyone"), ("?to=jo%40example.com", "any to jo@example.com"),
        ("?app=barqnet&to=%2B15551234567", "barqnet to +15551234567"), ("?to=+15551234567", "any to +15551234567"),
        ("?other=x", "any to anyone"),
    ])
    func `passes the filters on`(query: String, filter: String) async throws {
        let inbox = PreparedInbox([])
        try await run(inbox) { server in
            _ = try await server.ask("GET", "/dev/inbox\(query)", ["Accept": "application/json"])
            #expect(inbox.filters == [filter])
        }
    }

    @Test func `is a page for a person, in which a message is text and never markup`() async throws {
        try await run(PreparedInbox([PreparedInbox.reset])) { server in
            let answer = try await server.ask("/dev/inbox")
            #expect(answer["content-type"] == "text/html; charset=utf-8")
            #expect(answer.body.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"))
            #expect(answer.body.contains("&lt;b&gt;New&lt;/b&gt; &amp; &quot;old&quot;"))
            #expect(!answer.body.contains("<script"))
            #expect(!answer.body.contains("<b>"))
        }
    }

    @Test func `allows its page no script`() async throws {
        try await run(PreparedInbox([])) { server in
            let policy = try #require(try await server.ask("/dev/inbox")["content-security-policy"])
            #expect(policy.contains("default-src 'none'"))
            #expect(!policy.contains("script-src"))
            #expect(!policy.contains("unsafe-inline"))
        }
    }

    @Test func `speaks the language of whoever opens it`() async throws {
        try await run(PreparedInbox([])) { server in
            let answer = try await server.ask("GET", "/dev/inbox", ["Accept-Language": "de"])
            #expect(answer.body.contains("<h1>Postfach des Entwicklungsservers</h1>"))
        }
    }

    @Test func `is emptied by DELETE`() async throws {
        let inbox = PreparedInbox([PreparedInbox.code])
        try await run(inbox) { server in
            let answer = try await server.ask("DELETE", "/dev/inbox")
            #expect(answer.status == 204)
            #expect(inbox.count == 0)
        }
    }

    @Test func `is emptied by nothing else`() async throws {
        let inbox = PreparedInbox([PreparedInbox.code])
        try await run(inbox) { server in
            let answer = try await server.ask("POST", "/dev/inbox")
            #expect(answer.status == 405)
            #expect(answer["allow"] == "DELETE, GET")
            #expect(inbox.count == 1)
        }
    }

    @Test(arguments: ["GET", "DELETE", "POST"])
    func `does not exist outside development`(method: String) async throws {
        try await run(nil) { server in
            let answer = try await server.ask(method, "/dev/inbox")
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: ["GET", "DELETE"])
    func `does not exist for who comes through a proxy`(method: String) async throws {
        let inbox = PreparedInbox([PreparedInbox.code])
        let loopback = try #require(IPAddress("127.0.0.1").flatMap { AddressRange(first: $0, prefixLength: 32) })
        try await run(inbox, proxies: [loopback]) { server in
            let answer = try await server.ask(method, "/dev/inbox", ["X-Forwarded-For": "203.0.113.7"])
            #expect(answer.status == 404)
            #expect(inbox.count == 1)
        }
    }

    @Test(arguments: [
        ("Forwarded", "for=127.0.0.1"), ("Via", "1.1 proxy"), ("X-Forwarded-For", "127.0.0.1"),
        ("X-Forwarded-Host", "localhost"), ("X-Forwarded-Proto", ""), ("x-forwarded-anything", "x"),
        ("X-Real-IP", "127.0.0.1"),
    ])
    func `PT-07: neither inbox nor metrics exist for who comes through a proxy of this machine`(
        name: String, value: String
    ) async throws {
        let inbox = PreparedInbox([PreparedInbox.code])
        try await run(inbox) { server in
            for path in ["/dev/inbox", "/metrics"] {
                let answer = try await server.ask("GET", path, [name: value])
                #expect(answer.status == 404)
                let other = try await server.ask("GET", path, [:])
                #expect(other.status == 200)
            }
            let answer = try await server.ask("DELETE", "/dev/inbox", [name: value])
            #expect(answer.status == 404)
            #expect(inbox.count == 1)
        }
    }

    @Test(arguments: ["?app=vici&app=vici", "?to=a&to=b", "?x=1&x=2"])
    func `PT-38: refuses a doubled parameter`(query: String) async throws {
        let inbox = PreparedInbox([])
        try await run(inbox) { server in
            let answer = try await server.ask("/dev/inbox\(query)")
            #expect(answer.status == 400)
            #expect(inbox.filters == [])
        }
    }

    @Test(arguments: ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "203.0.113.7"])
    func `does not exist for a page whose own name resolves to this machine`(host: String) async throws {
        try await run(PreparedInbox([PreparedInbox.code])) { server in
            let answer = try await server.ask("/dev/inbox", host: host)
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: ["localhost", "LOCALHOST:3001", "127.0.0.1:3001", "[::1]:3001"])
    func `exists under every name of this machine`(host: String) async throws {
        try await run(PreparedInbox([PreparedInbox.code])) { server in
            let answer = try await server.ask("/dev/inbox", host: host)
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: ["203.0.113.7", "10.0.0.1", "2001:db8::1", "fe80::1", "0.0.0.0", "128.0.0.1"])
    func `does not exist for another machine`(peer: String) async throws {
        let world = try await World([])
        var application = ServerApplication(world)
        application.inbox = PreparedInbox([PreparedInbox.code])
        #expect(try await application.status(of: "/dev/inbox", from: peer, forwardedFor: "127.0.0.1") == 404)
    }

    @Test(arguments: ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
    func `exists for this machine`(peer: String) async throws {
        let world = try await World([])
        var application = ServerApplication(world)
        application.inbox = PreparedInbox([PreparedInbox.code])
        #expect(try await application.status(of: "/dev/inbox", from: peer) == 200)
    }
}
