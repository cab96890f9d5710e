import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryEvents
import Testing

/// The receiver of the guide, which is the file beside this one.
@Suite struct WebhookReceiverTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func request(_ secrets: String...) throws -> WebhookRequest {
        WebhookRequest(
            to: "https://a.example.com/", id: "e1", body: Array("{}".utf8),
            signedWith: try secrets.map { try #require(WebhookSecret(Secret($0))) }, at: now, timeout: .seconds(1))
    }

    private func accepts(_ request: WebhookRequest, _ secret: String, body: String = "{}", at now: Date) throws -> Bool
    {
        try #require(WebhookReceiver(secret: secret)).accepts(
            body: Data(body.utf8), id: try #require(request.header("webhook-id")),
            timestamp: try #require(request.header("webhook-timestamp")),
            signature: try #require(request.header("webhook-signature")), now: now)
    }

    @Test func `the guide's receiver accepts the server's requests and no others`() throws {
        let (one, other) = ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")
        #expect(try accepts(request(one), one, at: now))
        #expect(try accepts(request(other, one), one, at: now))
        #expect(try !accepts(request(other), one, at: now))
        #expect(try !accepts(request(one), one, body: "{ }", at: now))
        #expect(try !accepts(request(one), one, at: now + 301))
    }

    @Test func `the guide prints the receiver`() throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let guide = here.appendingPathComponent("../../../Documentation/events.md").standardized
        let source = try String(contentsOf: here.appendingPathComponent("WebhookReceiver.swift"), encoding: .utf8)
        #expect(try String(contentsOf: guide, encoding: .utf8).contains("```swift\n\(source)```"))
    }
}
