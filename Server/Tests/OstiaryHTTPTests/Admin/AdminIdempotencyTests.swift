import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdminIdempotencyTests {
    private let admin: AdminWorld

    init() async throws { admin = try await AdminWorld() }

    private func disable(_ account: Account, _ key: String, _ idempotencyKey: String, body: String = "") async throws
        -> AdminAnswer
    {
        try await admin.ask(
            "POST", "/apps/clarity/accounts/\(account.id)/disable", key: key, ["idempotency-key": idempotencyKey],
            body: body)
    }

    private func changes() async throws -> Int {
        try await admin.events().count { $0.action == "admin.users.disable" }
    }

    @Test func `performs a change once, and answers alike`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        for _ in 0..<3 { #expect(try await disable(account, key, "k1").status == 204) }
        #expect(try await changes() == 1)
        _ = try await disable(account, key, "k2")
        _ = try await disable(account, try await admin.key(), "k1")
        _ = try await disable(try await admin.account("al"), key, "k1")
        #expect(try await changes() == 4)
    }

    @Test func `writes every repetition to the audit log`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        for _ in 0..<3 { _ = try await disable(account, key, "k1") }
        let events = try await admin.events()
        #expect(
            events.map { "\($0.action) \($0.outcome) \($0.account?.text ?? "-")" } == [
                "admin.users.disable ok \(account.id)", "admin.disableAccount repeated \(account.id)",
                "admin.disableAccount repeated \(account.id)",
            ])
    }

    @Test func `performs one of twenty requests at once`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await disable(account, key, "k1").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 204 || $0 == 409 } && statuses.contains(204))
        #expect(try await changes() == 1)
    }

    @Test func `refuses another body with the same key`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        #expect(try await disable(account, key, "k1").status == 204)
        let answer = try await disable(account, key, "k1", body: "{}")
        #expect(answer.status == 422 && answer.code == "idempotency_key_reused")
    }

    @Test func `keeps no refusal`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        #expect(try await disable(account, key, "k1", body: "{\"x\":1}").status == 400)
        #expect(try await disable(account, key, "k1").status == 204)
    }

    @Test func `answers no repetition to a key that lost its scope`() async throws {
        let account = try await admin.account()
        let (key, other) = (try await admin.key(), try await admin.key(scopes: ["audit:read"]))
        #expect(try await disable(account, key, "k1").status == 204)
        #expect(try await disable(account, other, "k1").code == "missing_scope")
    }

    @Test(arguments: ["", "a b", "ä", String(repeating: "k", count: 256)])
    func `refuses a malformed key`(text: String) async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        let answer = try await disable(account, key, text)
        #expect(answer.status == 400 && answer.code == "idempotency_key_malformed")
        #expect(try await disable(account, key, String(repeating: "k", count: 255)).status == 204)
    }
}
