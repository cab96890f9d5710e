import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import Testing

@Suite(.timeLimit(.minutes(2))) struct SMTPSenderTests {
    private func message(
        to: String = "ada@example.org", subject: String = "Your code", text: String = "Hello.\n\n.\n123456\n"
    ) throws -> OutgoingMessage {
        OutgoingMessage(
            id: "0a1b2c", app: try .vici(), recipient: try .email(to),
            sentAt: Date(timeIntervalSince1970: 1_800_000_000), language: "en", subject: subject, text: Secret(text))
    }

    private func sender(
        _ peer: Peer, scheme: String = "smtp", credentials: String = "", trusting: String? = nil, tls: Bool = false,
        from: String = "Example <no-reply@example.com>"
    ) throws -> SMTPSender {
        let server = try SMTPServer(
            url: "\(scheme)://\(credentials)127.0.0.1:\(peer.port)", certificateAuthorities: trusting,
            requiresTLSOnLoopback: tls)
        return SMTPSender(server: server, from: try Mailbox(from))
    }

    private func temporaryDirectory() throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: "ostiary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory.path()
    }

    @Test func `hands one message to one recipient`() async throws {
        let peer = try await Peer("smtp_peer.py")
        try await sender(peer).deliver(message())
        let taken = try await peer.next()
        #expect(taken.text("sender") == "no-reply@example.com")
        #expect(taken.list("recipients") == ["ada@example.org"])
        #expect(taken.text("text") == "Hello.\n\n.\n123456\n")
        #expect(taken.number("defects") == 0)
        #expect(taken.header("From") == ["Example <no-reply@example.com>"])
        #expect(taken.header("To") == ["ada@example.org"])
        #expect(taken.header("Subject") == ["Your code"])
        #expect(taken.header("Date") == ["Fri, 15 Jan 2027 08:00:00 +0000"])
        #expect(taken.header("Message-ID") == ["<0a1b2c@example.com>"])
        #expect(taken.header("Auto-Submitted") == ["auto-generated"])
        #expect(taken.text("ehlo") == "example.com")
        #expect(taken.flag("tls") == false)
    }

    @Test func `carries letters of any script in subject, name and text`() async throws {
        let peer = try await Peer("smtp_peer.py")
        let subject = "Ihr Paßwort für Müller & Söhne 漢字 🔑 " + String(repeating: "ü", count: 80)
        let text = "Grüße\n漢字 🔑\n" + String(repeating: "x", count: 2000) + "\n"
        try await sender(peer, from: "Müller, Söhne <no-reply@example.com>").deliver(
            message(subject: subject, text: text))
        let taken = try await peer.next()
        #expect(taken.header("Subject") == [subject])
        #expect(taken.header("From") == [#""Müller, Söhne" <no-reply@example.com>"#])
        #expect(taken.text("text") == text)
        #expect(taken.number("defects") == 0)
        #expect(taken.text("raw").split(separator: "\r\n").allSatisfy { $0.utf8.count <= 76 })
    }

    @Test func `reaches an address beyond ASCII`() async throws {
        let peer = try await Peer("smtp_peer.py")
        try await sender(peer).deliver(message(to: "jürgen@example.org"))
        #expect(try await peer.next().list("recipients") == ["jürgen@example.org"])
    }

    @Test(arguments: ["none", "starttls"])
    func `gives up for an address beyond ASCII where the mail server has no SMTPUTF8`(tls: String) async throws {
        let peer = try await Peer("smtp_peer.py", "--without-utf8", "--tls", tls, "--directory", temporaryDirectory())
        let sender = try sender(peer, trusting: peer.authority, tls: tls == "starttls")
        let reason = "the mail server does not support addresses beyond ASCII (SMTPUTF8)"
        await #expect(throws: DeliveryFailure.permanent(reason)) {
            try await sender.deliver(message(to: "jürgen@bücher.example"))
        }
        try await sender.deliver(message())
        #expect(try await peer.next().list("recipients") == ["ada@example.org"])
    }

    @Test(arguments: ["ada@bücher.example", "ada@Ｂücher.Example"])
    func `writes a domain beyond ASCII in A-labels, which every mail server accepts`(address: String) async throws {
        let peer = try await Peer("smtp_peer.py", "--without-utf8")
        try await sender(peer).deliver(message(to: address))
        let taken = try await peer.next()
        #expect(taken.list("recipients") == ["ada@xn--bcher-kva.example"])
        #expect(taken.header("To") == ["ada@xn--bcher-kva.example"])
    }

    @Test func `signs in with the URL's user and password`() async throws {
        let peer = try await Peer("smtp_peer.py", "--user", "mail@example.com:p:@/ss")
        try await sender(peer, credentials: "mail%40example.com:p%3A%40%2Fss@").deliver(message())
        #expect(try await peer.next().text("user") == "mail@example.com")
    }

    @Test func `tries again when the mail server refuses the password, which the operator can mend`() async throws {
        let peer = try await Peer("smtp_peer.py", "--user", "mail:right")
        let sender = try sender(peer, credentials: "mail:wrong@")
        let failure = await #expect(throws: DeliveryFailure.self) { try await sender.deliver(message()) }
        guard case .temporary(let reason) = failure else {
            Issue.record("not temporary")
            return
        }
        #expect(reason.contains("535"))
    }

    @Test func `upgrades to TLS`() async throws {
        let peer = try await Peer("smtp_peer.py", "--tls", "starttls", "--directory", temporaryDirectory())
        try await sender(peer, trusting: peer.authority, tls: true).deliver(message())
        #expect(try await peer.next().flag("tls") == true)
    }

    @Test func `speaks TLS from the first byte`() async throws {
        let peer = try await Peer("smtp_peer.py", "--tls", "implicit", "--directory", temporaryDirectory())
        try await sender(peer, scheme: "smtps", trusting: peer.authority).deliver(message())
        #expect(try await peer.next().flag("tls") == true)
    }

    @Test(arguments: ["starttls", "implicit"])
    func `sends nothing to a server whose certificate nobody vouches for`(tls: String) async throws {
        let peer = try await Peer("smtp_peer.py", "--tls", tls, "--directory", temporaryDirectory())
        let sender = try sender(peer, scheme: tls == "implicit" ? "smtps" : "smtp", tls: true)
        let reason = "SSL peer certificate or SSH remote key was not OK"
        await #expect(throws: DeliveryFailure.temporary(reason)) { try await sender.deliver(message()) }
    }

    @Test func `sends nothing where TLS is required and not offered`() async throws {
        let peer = try await Peer("smtp_peer.py", "--user", "mail:right")
        let sender = try sender(peer, credentials: "mail:right@", tls: true)
        let failure = await #expect(throws: DeliveryFailure.self) { try await sender.deliver(message()) }
        guard case .temporary(let reason) = failure else {
            Issue.record("not temporary")
            return
        }
        #expect(reason.contains("SSL"))
    }

    @Test(arguments: ["--refuse-recipient", "--refuse-data"])
    func `gives up at 550`(stage: String) async throws {
        let peer = try await Peer("smtp_peer.py", stage, "550 ada@example.org is unknown")
        let sender = try sender(peer)
        await #expect(throws: DeliveryFailure.permanent("the mail server refused it: SMTP 550")) {
            try await sender.deliver(message())
        }
    }

    @Test(arguments: ["--refuse-recipient", "--refuse-data"], [421, 451, 530])
    func `tries again after`(stage: String, status: Int) async throws {
        let peer = try await Peer("smtp_peer.py", stage, "\(status) ada@example.org must wait")
        let sender = try sender(peer)
        let failure = await #expect(throws: DeliveryFailure.self) { try await sender.deliver(message()) }
        guard case .temporary(let reason) = failure else {
            Issue.record("not temporary")
            return
        }
        #expect(reason.contains("\(status)"))
        #expect(!reason.contains("ada"))
    }

    @Test func `tries again when the mail server is not there`() async throws {
        // Nothing listens on the port of tcpmux.
        let server = try SMTPServer(url: "smtp://127.0.0.1:1")
        let sender = SMTPSender(server: server, from: try Mailbox("no-reply@example.com"))
        await #expect(throws: DeliveryFailure.temporary("Couldn't connect to server")) {
            try await sender.deliver(message())
        }
    }

    @Test func `gives a mail server that says nothing only so much time`() async throws {
        let peer = try await Peer("smtp_peer.py", "--silent")
        var server = try SMTPServer(url: "smtp://127.0.0.1:\(peer.port)")
        server.timeoutMilliseconds = 200
        let sender = SMTPSender(server: server, from: try Mailbox("no-reply@example.com"))
        await #expect(throws: DeliveryFailure.temporary("Timeout was reached")) { try await sender.deliver(message()) }
    }

    @Test func `stops when the task is cancelled`() async throws {
        let peer = try await Peer("smtp_peer.py", "--silent")
        let sender = try sender(peer)
        let message = try message()
        let sending = Task { try await sender.deliver(message) }
        _ = try await peer.next()
        sending.cancel()
        await #expect(throws: DeliveryFailure.cancelled) { try await sending.value }
    }
}
