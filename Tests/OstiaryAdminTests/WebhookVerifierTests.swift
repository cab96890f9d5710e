import Foundation
import OstiaryAdmin
import Testing

@Suite struct WebhookVerifierTests {
    /// The example of the reference libraries of Standard Webhooks.
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let body = #"{"test": 2432232314}"#
    private static let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    private static let signedAt: TimeInterval = 1_614_265_330

    private func verifier(_ secrets: String..., after seconds: TimeInterval = 0) throws -> WebhookVerifier {
        try WebhookVerifier(
            secrets: secrets.map { Secret($0) }, now: { Date(timeIntervalSince1970: Self.signedAt + seconds) })
    }

    private func headers(
        id: String? = "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: String? = "1614265330",
        signature: String? = Self.signature
    ) -> [String: String] {
        ["webhook-id": id, "Webhook-Timestamp": timestamp, "WEBHOOK-SIGNATURE": signature].compactMapValues { $0 }
    }

    private func problem(
        _ verifier: WebhookVerifier, _ headers: [String: String], _ body: String = Self.body
    ) -> WebhookProblem? {
        do throws(WebhookProblem) {
            try verifier.verifySignature(of: body.utf8, headers: headers)
            return nil
        } catch { return error }
    }

    @Test func `accepts the reference library's example`() throws {
        let id = try verifier(Self.secret).verifySignature(of: Self.body.utf8, headers: headers())
        #expect(id == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(problem(try verifier(String(Self.secret.dropFirst(6))), headers()) == nil)
    }

    @Test func `one of several signatures and of several secrets suffices`() throws {
        let other = "whsec_" + Data(repeating: 1, count: 32).base64EncodedString()
        let wrong = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc="
        let several = headers(signature: "\(wrong) v2,AAAA v1a,\(Self.signature) \(Self.signature)")
        #expect(problem(try verifier(other, Self.secret), several) == nil)
        #expect(problem(try verifier(other), several) == .wrongSignature)
    }

    @Test(arguments: [-300, 300, -301, 301] as [TimeInterval])
    func `a time within five minutes is accepted`(seconds: TimeInterval) throws {
        let expected: WebhookProblem? = abs(seconds) > 300 ? .outsideTolerance : nil
        #expect(problem(try verifier(Self.secret, after: seconds), headers()) == expected)
    }

    @Test func `a changed body, id or time is refused`() throws {
        let verifier = try verifier(Self.secret)
        #expect(problem(verifier, headers(), Self.body + " ") == .wrongSignature)
        #expect(problem(verifier, headers(id: "msg_2")) == .wrongSignature)
        #expect(problem(verifier, headers(timestamp: "1614265331")) == .wrongSignature)
    }

    @Test(arguments: [
        "", "v1", "v1,", "v1,AAAA", "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1O", "V1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ])
    func `a header without the right signature is refused`(signature: String) throws {
        #expect(problem(try verifier(Self.secret), headers(signature: signature)) != nil)
    }

    @Test func `missing, huge and malformed headers are refused`() throws {
        let verifier = try verifier(Self.secret)
        #expect(problem(verifier, headers(id: nil)) == .invalidHeader("webhook-id"))
        #expect(problem(verifier, headers(timestamp: nil)) == .invalidHeader("webhook-timestamp"))
        #expect(problem(verifier, headers(signature: nil)) == .invalidHeader("webhook-signature"))
        for timestamp in ["-1", "1e9", "1614265330 ", "99999999999999999999", "１"] {
            #expect(problem(verifier, headers(timestamp: timestamp)) == .invalidHeader("webhook-timestamp"))
        }
        let huge = String(repeating: "v1,AAAA ", count: 1000)
        #expect(problem(verifier, headers(signature: huge)) == .invalidHeader("webhook-signature"))
        let many = String(repeating: "v1,AAAA ", count: 16)
        #expect(problem(verifier, headers(signature: many + Self.signature)) == .wrongSignature)
    }

    @Test(arguments: ["", "whsec_", "whsec_AAAA", "whsec_!!!", "whsec_" + Data(count: 65).base64EncodedString()])
    func `a secret that is none is refused`(secret: String) {
        #expect(throws: WebhookProblem.invalidSecret) { try WebhookVerifier(secret: Secret(secret)) }
    }

    @Test func `a secret may lack its padding`() throws {
        let padded = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
        let signed = headers(signature: Signer.signature(of: Self.body, secret: padded))
        #expect(padded.hasSuffix("="))
        #expect(problem(try verifier(padded.replacing("=", with: "")), signed) == nil)
    }

    @Test func `there is no verifier without a secret`() {
        #expect(throws: WebhookProblem.invalidSecret) { try WebhookVerifier(secrets: []) }
    }

    @Test func `the event of a delivery has its parts`() throws {
        let body =
            #"{"type":"account.created","timestamp":"2021-02-25T15:02:10Z","data":{"app":"vici","account":"7","actor":null,"identifier":"j…@example.com","email":"jo@example.com"}}"#
        let headers = headers(signature: Signer.signature(of: body, secret: Self.secret))
        let event = try verifier(Self.secret).verify(Array(body.utf8), headers: headers)
        #expect(event.id == "msg_p5jXN8AQM9LWM0D4loKWxJek" && event.type == "account.created")
        #expect(event.timestamp == Date(timeIntervalSince1970: Self.signedAt))
        #expect(event.app == "vici" && event.account == "7" && event.actor == nil && event.session == nil)
        #expect(event.identifier == "j…@example.com" && event.data["email"] == "jo@example.com")
    }

    @Test(arguments: [
        "{}", "[]", "no", #"{"type":"a","timestamp":"x","data":{}}"#,
        #"{"type":1,"timestamp":"2021-02-25T15:02:10Z","data":{}}"#,
    ])
    func `a signed body that is no event is refused`(body: String) throws {
        let headers = headers(signature: Signer.signature(of: body, secret: Self.secret))
        #expect(throws: WebhookProblem.invalidBody) { try verifier(Self.secret).verify(body.utf8, headers: headers) }
    }
}
