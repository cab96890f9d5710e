import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
@testable import OstiaryStore
import PostgresServer
import Testing

/// Statistics on several nodes, and with commits that are repeated.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresStatisticsTests {
    private func withNodes(_ count: Int, _ body: ([PostgresStore]) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(count, body)
    }

    private func total(_ store: PostgresStore) async throws -> Int {
        try await store.counts(of: .named(), from: noon.after(-86_400), to: noon.after(86_400), by: .day)
            .reduce(0) { $0 + $1.count }
    }

    private func active(_ store: PostgresStore, on day: Date = noon) async throws -> [Int] {
        var counts: [Int] = []
        for period in ActivityPeriod.allCases {
            let start = period.start(of: CalendarDay(containing: day))
            counts.append(
                try await store.activeAccounts(of: .named(), in: period, beginningOn: start...start)[start] ?? 0)
        }
        return counts
    }

    @Test func `counts each event once while two nodes append and count`() async throws {
        try await withNodes(2) { nodes in
            let event = AuditEvent(
                at: noon, app: try .named(), action: "signIn", outcome: "ok", method: "password")
            _ = try await inParallel(12) { worker in
                let node = nodes[worker % 2]
                for number in 0..<30 {
                    if worker < 8 {
                        try await node.append(event)
                    } else if number % 3 == 0 {
                        try await StatisticsRollUp(store: node, batchSize: 11).run()
                    }
                }
            }
            try await StatisticsRollUp(store: nodes[0]).run()
            #expect(try await total(nodes[1]) == 240)
        }
    }

    @Test func `counts an append that commits late, behind later numbers`() async throws {
        try await withNodes(2) { nodes in
            let event = AuditEvent(
                at: noon, app: try .named(), action: "signIn", outcome: "ok", method: "password")
            try await nodes[0].transaction { tx in
                let statement = PostgresStore.appending(event, as: WriteOperation(.system))
                try await tx.run([statement])
                // Later, and committed before.
                try await nodes[1].append(event)
                #expect(try await StatisticsRollUp(store: nodes[1]).run() == 0)
            }
            #expect(try await StatisticsRollUp(store: nodes[1]).run() == 2)
            #expect(try await total(nodes[0]) == 2)
        }
    }

    @Test func `counts an account once that signs in at both nodes at once`() async throws {
        try await withNodes(2) { nodes in
            let account = try await nodes[0].addAccount()
            _ = try await inParallel(20) { index in
                try await nodes[index % 2].addSession("s\(index)", of: account)
            }
            #expect(try await active(nodes[0]) == [1, 1, 1])
        }
    }

    @Test func `counts an account once whose sessions rotate at both nodes at once`() async throws {
        try await withNodes(2) { nodes in
            let account = try await nodes[0].addAccount()
            for index in 0..<20 { try await nodes[0].addSession("s\(index)", of: account, idleSeconds: 864_000) }
            let next = noon.after(86_400)
            _ = try await inParallel(20) { index in
                try await nodes[index % 2].rotate("s\(index)", from: 0, at: next)
            }
            #expect(try await active(nodes[1], on: next) == [1, 1, 1])
        }
    }

    @Test func `counts nothing again for a rotation that is repeated`() async throws {
        try await withNodes(1) { nodes in
            let store = nodes[0]
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            let (operation, next) = (WriteOperation(.system), noon.after(80_000))
            for _ in 0..<3 {
                let rotation = try await store.rotate(
                    RotationCall(
                        operation: operation, id: SessionID("s1"), app: .named(), generation: 0, at: next,
                        horizon: .distantPast))
                guard case .rotated = rotation else {
                    Issue.record("\(rotation)")
                    return
                }
            }
            #expect(try await active(store, on: next) == [1, 1, 1])
        }
    }

    @Test func `counts nothing again for a sign-in that is repeated`() async throws {
        try await withNodes(1) { nodes in
            let account = try await nodes[0].addAccount()
            for _ in 0..<3 { try await nodes[0].addSession("s1", of: account) }
            #expect(try await active(nodes[0]) == [1, 1, 1])
            let row = try await nodes[0].read("SELECT last_sign_in_at FROM account_activity")
            #expect(try row.value { try $0.date() } == noon)
        }
    }

    @Test func `counts hundreds of accounts at once without deadlock`() async throws {
        try await withNodes(2) { nodes in
            let accounts = try await inParallel(100) { try await nodes[$0 % 2].addAccount("a\($0)") }
            _ = try await inParallel(100) { index in
                try await nodes[index % 2].addSession("s\(index)", of: accounts[index], idleSeconds: 864_000)
            }
            let next = noon.after(4 * 86_400)
            _ = try await inParallel(100) { try await nodes[$0 % 2].rotate("s\($0)", from: 0, at: next) }
            #expect(try await active(nodes[0]) == [100, 100, 100])
            #expect(try await active(nodes[0], on: next) == [100, 100, 100])
        }
    }

    @Test func `estimates the sessions that are alive`() async throws {
        try await withNodes(1) { nodes in
            let account = try await nodes[0].addAccount()
            for index in 0..<20 { try await nodes[0].addSession("s\(index)", of: account) }
            _ = try await nodes[0].revoke(
                SessionID("s0"), in: .named(), Revocation(reason: .signOut, at: noon))
            #expect(try await nodes[0].activeSessionCount(at: noon.after(60)) == 19)
            #expect(try await nodes[0].activeSessionCount(at: noon.after(86_401)) == 0)
        }
    }
}
