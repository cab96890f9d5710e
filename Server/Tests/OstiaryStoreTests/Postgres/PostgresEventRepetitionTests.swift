import Foundation
import OstiaryCore
import OstiaryEngine
import PostgresServer
import Testing

@testable import OstiaryStore

/// The events of a commit whose answer was lost and that is repeated, and those of concurrent nodes.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresEventRepetitionTests {
    private let operation = WriteOperation(.system)

    private func withNodes(_ count: Int = 1, _ body: ([PostgresStore]) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(count) { nodes in
            try await nodes[0].watch(.sample())
            try await body(nodes)
        }
    }

    @Test func `a repeated change is one event`() async throws {
        try await withNodes { nodes in
            let store = nodes[0]
            let new = try NewAccount.local(email: "jo@example.com")
            let jo = try await store.add(new, spending: nil, as: operation)
            _ = try await store.add(new, spending: nil, as: operation)
            let session = Session(
                id: try SessionID("s1"), app: jo.app, accountID: jo.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(60))
            for _ in 0..<2 { _ = try await store.add(session, credentialVersion: 0, attachment: nil) }
            let change = PasswordChange(
                app: jo.app, account: jo.id, hash: "$2b$10$new", reason: .passwordChanged, at: noon.after(1))
            let other = WriteOperation(.system)
            for _ in 0..<2 { #expect(try await store.setPassword(change, as: other)) }
            for _ in 0..<2 {
                _ = try await store.change(
                    jo.id, in: jo.app, AccountChange(fullName: PersonName("Jo"), isActive: false), at: noon.after(2))
            }
            let deletion = WriteOperation(.system)
            for _ in 0..<2 { #expect(try await store.delete(jo.id, in: jo.app, credentialVersion: nil, as: deletion)) }
            #expect(
                try await store.types(of: .sample()).sorted() == [
                    "account.created", "account.deleted", "account.disabled", "account.updated", "password.changed",
                    "session.created", "session.revoked",
                ])
        }
    }

    @Test func `a repeated claim gets the same deliveries`() async throws {
        try await withNodes { nodes in
            for name in ["a", "b", "c"] { _ = try await nodes[0].addAccount(name) }
            let first = try await nodes[0].claimEvents(at: noon, until: noon.after(60), limit: 2, as: operation)
            let again = try await nodes[0].claimEvents(at: noon, until: noon.after(60), limit: 0, as: operation)
            #expect(first.claimed.count == 2 && again.claimed.map(\.delivery.id) == first.claimed.map(\.delivery.id))
        }
    }

    /// Each account has many events, and the workers of both nodes claim at once.
    @Test func `concurrent workers keep every account's order and lose nothing`() async throws {
        try await withNodes(2) { nodes in
            let accounts = try await inParallel(4) { try await nodes[0].addAccount("a\($0)") }
            for number in 0..<10 {
                for account in accounts {
                    try await nodes[number % 2].addSession("\(account.id.text.prefix(8))-\(number)", of: account)
                }
            }
            let delivered = try await withThrowingTaskGroup(of: [ClaimedDelivery].self) { group in
                for worker in 0..<4 {
                    group.addTask {
                        var claims: [ClaimedDelivery] = []
                        var idle = 0
                        while idle < 50 {
                            // Past the waits of blocked deliveries.
                            let now = noon.after(Double(worker + claims.count + idle * 10))
                            let found = try await nodes[worker % 2].claimEvents(
                                at: now, until: noon.after(1_000_000), limit: 3, excluding: [], apps: [])
                            idle = found.isEmpty ? idle + 1 : 0
                            for claim in found {
                                claims.append(claim)
                                try await nodes[worker % 2].finish(
                                    claim.delivery, attempts: [.success()], .delivered, at: now)
                            }
                        }
                        return claims
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(delivered.count == 44 && Set(delivered.map(\.delivery.id)).count == 44)
        }
    }
}
