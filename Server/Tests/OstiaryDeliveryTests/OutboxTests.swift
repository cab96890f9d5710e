import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryEngine
import Testing

@Suite struct OutboxTests {
    private let bench = Bench()

    @Test func `keeps neither the code nor the recipient in the clear`() async throws {
        try await bench.send(.code("918273"), to: .phone("+15559990000"), app: .vici())
        let sealed = String(decoding: try #require(await bench.store.sealed.first), as: UTF8.self)
        #expect(!sealed.contains("918273"))
        #expect(!sealed.contains("15559990000"))
    }

    @Test func `takes the same room for every notice`() async throws {
        let longest = String(repeating: "a", count: 64) + "@" + String(repeating: "b.", count: 88) + "example.org"
        for notice in try [
            NotificationContent.code(), .reset(), .passwordChanged, .registrationAttempted, .nothing, .undoable,
            .unusual, .passwordCompromised,
            .emailChanged, .invitation(token: Secret("abc"), lifetimeSeconds: 604_800),
        ] {
            try await bench.send(notice, to: .email(), app: .vici())
            try await bench.send(notice, to: .email(longest), app: .vici())
        }
        #expect(Set(await bench.store.sealed.map(\.count)).count == 1)
    }

    @Test(arguments: [false, true])
    func `opens a payload only under its own id and app`(otherApp: Bool) async throws {
        let payload = NotificationPayload(notice: try .code(), to: try .phone())
        let sealed = try payload.sealed(with: .test, id: "1", app: .vici())
        let right = QueuedMessage(id: "1", app: try .vici(), createdAt: .now, sealed: sealed)
        #expect(try NotificationPayload(opening: right, with: .test) == payload)

        var wrong = right
        if otherApp { wrong.app = try AppName("clarity") } else { wrong.id = "2" }
        #expect(throws: (any Error).self) { try NotificationPayload(opening: wrong, with: .test) }
    }

    @Test func `reads every notice as it was written`() throws {
        for notice in try [
            NotificationContent.code("0042"), .reset(), .eventEndpointDisabled(host: "a.example"), .passwordChanged,
            .registrationAttempted, .nothing, .undoable, .unusual, .passwordCompromised,
            .factorsChanged(FactorChangeNotice(.recoveryCodeUsed)), .recovery(hasRecoveryCodes: true),
            .recovery(hasRecoveryCodes: false), .emailChanged,
            .invitation(token: Secret("abc"), lifetimeSeconds: 604_800),
        ] {
            for recipient in try [Recipient.email("Ada@Exämple.org"), .phone()] {
                let payload = NotificationPayload(notice: notice, to: recipient)
                let sealed = try payload.sealed(with: .test, id: "1", app: .vici())
                let queued = QueuedMessage(id: "1", app: try .vici(), createdAt: .now, sealed: sealed)
                #expect(try NotificationPayload(opening: queued, with: .test) == payload)
            }
        }
    }

    @Test func `reads a payload that an earlier server wrote`() throws {
        let plain = #"{"lifetime":300,"notice":"one_time_code","phone":"+15551234567","secret":"123456"}"#
        let sealed = try KeyRing.test.seal(Array(plain.utf8), for: .outbox, context: "vici/1")
        let queued = QueuedMessage(id: "1", app: try .vici(), createdAt: .now, sealed: sealed)
        #expect(
            try NotificationPayload(opening: queued, with: .test) == NotificationPayload(notice: .code(), to: .phone()))
    }

    @Test func `reads a notice of factors that an earlier server wrote`() throws {
        let plain = #"{"change":"added","email":"ada@example.org","notice":"factors_changed"}"#
        let sealed = try KeyRing.test.seal(Array(plain.utf8), for: .outbox, context: "vici/1")
        let queued = QueuedMessage(id: "1", app: try .vici(), createdAt: .now, sealed: sealed)
        let payload = try NotificationPayload(opening: queued, with: .test)
        #expect(payload.notice == .factorsChanged(FactorChangeNotice(.added)))
        let message = OutgoingMessage(payload, of: queued, presentedBy: try .test(), at: .now)
        #expect(message?.link == nil && message?.text.reveal().contains("http") == false)
    }

    @Test func `a notice of a sign-in names its origin, and has the link of the page that denies it`() throws {
        let queued = QueuedMessage(id: "1", app: try .vici(), createdAt: .now, sealed: [])
        let message = try #require(
            OutgoingMessage(
                NotificationPayload(notice: .unusual, to: try .email()), of: queued, presentedBy: try .test(), at: .now)
        )
        #expect(message.link?.reveal().hasSuffix("/deny-sign-in?token=denialtoken-Ab_1") == true)
        let text = message.text.reveal()
        #expect(text.contains("When: 2027-01-15 08:00:59 UTC\nFrom: 203.0.113.7\nCountry: DE\n"))
        #expect(text.contains("once and for 7 days"))
    }

    @Test func `a notice of factors has the link of the page that undoes the change`() throws {
        let queued = QueuedMessage(id: "1", app: try .vici(), createdAt: .now, sealed: [])
        let message = OutgoingMessage(
            NotificationPayload(notice: .undoable, to: try .email()), of: queued, presentedBy: try .test(), at: .now)
        let link = try #require(message?.link).reveal()
        #expect(link == "https://auth.example.com/vici/undo-factor-change?token=undotoken-Ab_1")
        #expect(message?.text.reveal().contains(link) == true)
    }

    @Test(arguments: [true, false])
    func `a recovery has the link of a reset only for an account with recovery codes`(hasRecoveryCodes: Bool) throws {
        let queued = QueuedMessage(
            id: "1", app: try .vici(), createdAt: Date(timeIntervalSince1970: 1_800_000_059), sealed: [])
        let message = OutgoingMessage(
            NotificationPayload(notice: .recovery(hasRecoveryCodes: hasRecoveryCodes), to: try .email()), of: queued,
            presentedBy: try .test(), at: .now)
        let text = try #require(message?.text).reveal()
        let recovery = "https://auth.example.com/vici/recover-passkey?token=recoverytoken-Ab_1"
        let reset = "https://auth.example.com/vici/reset-password?token=resettoken-Ab_1"
        #expect(text.contains(recovery) && text.contains("2027-01-16 08:00:59 UTC") && text.contains("6 days"))
        #expect(text.contains(reset) == hasRecoveryCodes && text.contains("resettoken") == hasRecoveryCodes)
        #expect(message?.link?.reveal() == (hasRecoveryCodes ? reset : recovery))
        #expect(!text.contains("\n\n\n"))
    }

    @Test func `refuses when too many messages wait, those of changed passwords when twice as many do`() async throws {
        let bench = Bench(capacity: 2)
        for waiting in 0..<5 {
            for notice in try [
                NotificationContent.code(), .reset(), .registrationAttempted, .nothing, .passwordChanged,
            ] {
                let isRefused = await isBusy { _ = try await bench.outbox.seal(notice, to: .email(), app: .vici()) }
                #expect(isRefused == (waiting >= (notice == .passwordChanged ? 4 : 2)))
            }
            await bench.store.enqueue(
                QueuedMessage(id: "\(waiting)", app: try .vici(), createdAt: .now, sealed: []))
        }
    }

    private func isBusy(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return error as? AuthError == .busy(retryAfterSeconds: 30)
        }
    }
}
