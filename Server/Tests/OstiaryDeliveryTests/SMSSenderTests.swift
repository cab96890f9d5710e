import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import Testing

@Suite(.timeLimit(.minutes(2))) struct SMSSenderTests {
    private static let secret = "0123456789abcdef0123456789abcdef"
    private static let text = "Your Ex&mple code is 123456. ü=1+1%"

    /// Sends one message to `peer` by one of the two services and returns the outcome.
    private func send(
        to peer: Peer, by way: Way, timeout: Duration = .seconds(15)
    ) async throws -> Result<Void, DeliveryFailure> {
        let base = "http://127.0.0.1:\(peer.port)"
        let account = try TwilioAccount(
            accountSID: "AC12", authToken: Secret("auth:token"), from: "+1 555 000 1111", baseURL: base)
        let webhook = try SMSWebhook(url: "\(base)/hook?x=1", secret: Secret(Self.secret))
        let message = OutgoingMessage(
            id: "0a1b2c", app: try .vici(), recipient: try .phone(), sentAt: .now, language: "en", subject: nil,
            text: Secret(Self.text))
        let gateway = SMSGateway(timeout: timeout)
        let sender: any MessageSender =
            switch way {
            case .twilio: TwilioSender(account: account, gateway: gateway)
            case .webhook: WebhookSender(webhook: webhook, gateway: gateway)
            }
        do throws(DeliveryFailure) {
            try await sender.deliver(message)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    enum Way: CaseIterable { case twilio, webhook }

    @Test func `posts Twilio's form with the account's credentials`() async throws {
        let peer = try await Peer("http_peer.py")
        try await send(to: peer, by: .twilio).get()
        let request = try await peer.next()
        #expect(request.text("method") == "POST")
        #expect(request.text("path") == "/2010-04-01/Accounts/AC12/Messages.json")
        #expect(request.text("type") == "application/x-www-form-urlencoded")
        #expect(request.text("credentials") == "AC12:auth:token")
        #expect(request.table("form") == ["To": "+15551234567", "From": "+15550001111", "Body": Self.text])
    }

    @Test func `signs what it posts to a webhook`() async throws {
        let peer = try await Peer("http_peer.py", "--secret", Self.secret, "--status", "204")
        try await send(to: peer, by: .webhook).get()
        let request = try await peer.next()
        #expect(request.text("path") == "/hook?x=1")
        #expect(request.text("type") == "application/json")
        #expect(request.text("body") == #"{"text":"\#(Self.text)","to":"+15551234567"}"#)
        #expect(request.flag("signed") == true)
        #expect(request.text("key") == "0a1b2c")
    }

    @Test(arguments: [500, 503, 408, 429, 401, 302], Way.allCases)
    func `tries again after`(status: Int, way: Way) async throws {
        let peer = try await Peer("http_peer.py", "--status", "\(status)")
        let outcome = try await send(to: peer, by: way)
        #expect(throws: DeliveryFailure.temporary("the SMS service answered HTTP \(status)")) { try outcome.get() }
    }

    @Test(arguments: [400, 403, 404], Way.allCases)
    func `gives up at`(status: Int, way: Way) async throws {
        let peer = try await Peer("http_peer.py", "--status", "\(status)")
        let outcome = try await send(to: peer, by: way)
        #expect(throws: DeliveryFailure.permanent("the SMS service answered HTTP \(status)")) { try outcome.get() }
    }

    @Test func `tells the number of Twilio's error and none of its words`() async throws {
        let answer = #"{"code": 21211, "message": "The 'To' number +15551234567 is not valid.", "status": 400}"#
        let peer = try await Peer("http_peer.py", "--status", "400", "--answer", answer)
        let outcome = try await send(to: peer, by: .twilio)
        #expect(throws: DeliveryFailure.permanent("the SMS service answered HTTP 400 (Twilio error 21211)")) {
            try outcome.get()
        }
    }

    @Test func `follows no redirect`() async throws {
        let elsewhere = try await Peer("http_peer.py")
        let location = "http://127.0.0.1:\(elsewhere.port)/stolen"
        let peer = try await Peer("http_peer.py", "--status", "307", "--location", location)
        let outcome = try await send(to: peer, by: .twilio)
        #expect(throws: DeliveryFailure.temporary("the SMS service answered HTTP 307")) { try outcome.get() }
        // This request is the first that the other server receives.
        _ = try await send(to: elsewhere, by: .webhook)
        #expect(try await elsewhere.next().text("path") == "/hook?x=1")
    }

    @Test func `reads only so much of an answer`() async throws {
        let peer = try await Peer("http_peer.py", "--status", "400", "--endless")
        let outcome = try await send(to: peer, by: .twilio)
        #expect(throws: DeliveryFailure.permanent("the SMS service answered HTTP 400")) { try outcome.get() }
    }

    @Test func `gives a service that does not answer only so much time`() async throws {
        let peer = try await Peer("http_peer.py", "--silent")
        let outcome = try await send(to: peer, by: .webhook, timeout: .milliseconds(200))
        guard case .failure(.temporary) = outcome else {
            Issue.record("not a temporary failure")
            return
        }
    }

    @Test func `tries again when the service is not there`() async throws {
        let webhook = try SMSWebhook(url: "http://127.0.0.1:1/", secret: Secret(Self.secret))
        let bench = Bench()
        let worker = try bench.worker(routes: DeliveryRoutes(email: .inbox, sms: .webhook(webhook)))
        try await bench.running(worker) {
            try await bench.send(.code(), to: .phone(), app: .vici())
            guard case .postponed = await bench.store.nextEvent() else {
                Issue.record("not postponed")
                return
            }
        }
    }
}
