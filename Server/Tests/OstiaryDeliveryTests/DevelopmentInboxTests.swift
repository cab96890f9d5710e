import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DevelopmentInboxTests {
    private let bench = Bench()
    private let inbox = DevelopmentInbox(capacity: 3)

    /// Sends the notifications to the inbox one after the other, a second apart.
    private func deliver(_ notices: [(NotificationContent, Recipient)]) async throws {
        let routes = DeliveryRoutes(email: .inbox, sms: .inbox, inbox: inbox)
        try await bench.running(bench.worker(routes: routes)) {
            for (notice, recipient) in notices {
                try await bench.send(notice, to: recipient, app: .vici())
                await bench.store.drained()
                bench.clock.shiftWall(by: .seconds(1))
            }
        }
    }

    @Test func `keeps a text message with its code`() async throws {
        try await deliver([(.code(), .phone())])
        let entry = try #require(await inbox.entries().first)
        #expect(entry.channel == .sms)
        #expect((entry.app, entry.to) == ("vici", "+15551234567"))
        #expect(entry.text == "Your Example code is 123456. It works for 5 minutes. Do not share it.")
        #expect((entry.subject, entry.code, entry.link) == (nil, "123456", nil))
        #expect(entry.sentAt == Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test func `answers a reset mail with its link`() async throws {
        try await deliver([(.reset("tok"), .email())])
        let entry = try #require(await inbox.entries().first)
        #expect(entry.channel == .email)
        #expect(entry.subject == "Reset your Example password")
        #expect(entry.link == "https://auth.example.com/vici/reset-password?token=tok")
        #expect(entry.code == nil)
    }

    @Test func `keeps the newest, newest first`() async throws {
        try await deliver((1...5).map { (try .code("000\($0)"), try .phone()) })
        #expect(await inbox.entries().map(\.code) == ["0005", "0004", "0003"])
    }

    @Test(arguments: ["+15551234567", " 15551234567", "+1 (555) 123-4567", "ADA@example.org"])
    func `finds a recipient however it is spelt`(to: String) async throws {
        try await deliver([(.code(), .phone()), (.reset(), .email()), (.code(), .phone("+15550000000"))])
        #expect(await inbox.entries(to: to).count == 1)
    }

    @Test func `finds the messages of an app`() async throws {
        try await deliver([(.code(), .phone())])
        #expect(await inbox.entries(app: "vici").count == 1)
        #expect(await inbox.entries(app: "barqnet").isEmpty)
    }

    @Test func `can be emptied`() async throws {
        try await deliver([(.code(), .phone())])
        await inbox.removeAll()
        #expect(await inbox.entries().isEmpty)
    }
}
