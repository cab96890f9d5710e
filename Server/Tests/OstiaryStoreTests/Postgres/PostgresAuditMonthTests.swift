import Foundation
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

/// The months of audit events.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresAuditMonthTests {
    private let atNoon = SystemDependencies(now: { noon }, randomBytes: SystemDependencies.system.randomBytes)

    private func withNodes(_ body: ([PostgresStore]) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(2, system: atNoon) { try await body($0) }
    }

    private func event(_ days: Double) throws -> AuditEvent {
        AuditEvent(at: noon.after(days * 86_400), app: try .named(), action: "a", outcome: "ok")
    }

    /// Returns the table of every event, in the order of the events.
    private func tables(_ store: PostgresStore) async throws -> [String] {
        try await store.read("SELECT tableoid::regclass::text FROM audit_event ORDER BY number").values {
            try $0.text()
        }
    }

    @Test func `names the months and knows their ends`() {
        let month = AuditMonth(containing: Date(timeIntervalSince1970: 1_798_761_599.999))
        #expect(month.table == "audit_event_2026_12")
        #expect(AuditMonth(table: "audit_event_2026_12") == month)
        #expect(AuditMonth(table: "audit_event_default") == nil)
        #expect(AuditMonth(table: "audit_event_2026_13") == nil)
        #expect(AuditMonth(table: "audit_event_2026_1") == nil)
        #expect(month.end == 1_798_761_600_000)
        #expect(AuditMonth(index: month.index + 1).start == month.end)
        #expect(AuditMonth(index: month.index + 1).table == "audit_event_2027_01")
    }

    @Test func `has tables for this month and the next two when it is opened`() async throws {
        try await withNodes { nodes in
            #expect(
                try await nodes[0].auditMonths().map(\.table) == [
                    "audit_event_2027_01", "audit_event_2027_02", "audit_event_2027_03",
                ])
            for days in [0.0, 16, 17, 75, 76, -15] { try await nodes[0].append(event(days)) }
            #expect(
                try await tables(nodes[0]) == [
                    "audit_event_2027_01", "audit_event_2027_01", "audit_event_2027_02", "audit_event_2027_03",
                    "audit_event_default", "audit_event_default",
                ])
        }
    }

    @Test func `makes a table once while nodes sweep and append`() async throws {
        try await withNodes { nodes in
            let later = noon.after(60 * 86_400)
            _ = try await inParallel(20) { index in
                if index % 2 == 0 { try await nodes[index / 2 % 2].keepAuditMonths(at: later) }
                try await nodes[index % 2].append(event(Double(index)))
            }
            try await nodes[0].keepAuditMonths(at: later)
            #expect(try await nodes[0].auditMonths().count == 5)
            #expect(try await tables(nodes[0]).count == 20)
        }
    }

    @Test func `sweeps on where a table of an operator's has taken a month`() async throws {
        try await withNodes { nodes in
            let month = AuditMonth(index: AuditMonth(containing: noon).index + 3)
            try await nodes[0].write(
                "CREATE TABLE spring PARTITION OF audit_event FOR VALUES FROM (\(month.start)) TO (\(month.end))")
            try await nodes[0].write("INSERT INTO attempt (name, full_at) VALUES ('k', 0)")
            let inMonth = Date(milliseconds: month.start)
            #expect(try await nodes[1].sweep(at: inMonth, endedBefore: noon, auditBefore: noon) == 1)
            try await nodes[0].append(AuditEvent(at: inMonth, app: try .named(), action: "a", outcome: "ok"))
            #expect(try await tables(nodes[0]) == ["spring"])
            // The following months have tables of their own.
            #expect(try await nodes[0].auditMonths().map(\.index).suffix(2) == [month.index + 1, month.index + 2])
        }
    }

    @Test func `makes tables beside a transaction that appends`() async throws {
        try await withNodes { nodes in
            let statement = PostgresStore.appending(try event(0), as: WriteOperation(.system))
            try await nodes[0].transaction { tx in
                try await tx.run([statement])
                try await nodes[1].keepAuditMonths(at: noon.after(60 * 86_400))
            }
            #expect(try await nodes[0].auditMonths().count == 5)
        }
    }

    @Test func `leaves a month in the default partition that has begun there`() async throws {
        try await withNodes { nodes in
            let later = noon.after(100 * 86_400)
            try await nodes[0].append(event(100))
            try await nodes[0].keepAuditMonths(at: later)
            try await nodes[0].append(event(100))
            #expect(try await tables(nodes[0]) == ["audit_event_default", "audit_event_default"])
            #expect(try await nodes[0].auditMonths().map(\.table).contains("audit_event_2027_04") == false)
            let swept = try await nodes[0].sweep(
                at: later, endedBefore: noon, auditBefore: later.addingTimeInterval(1))
            #expect(swept == 2)
        }
    }

    @Test func `waits for nobody who holds the default partition`() async throws {
        try await withNodes { nodes in
            let statement = PostgresStore.appending(try event(200), as: WriteOperation(.system))
            try await nodes[0].transaction { tx in
                try await tx.run([statement])
                try await nodes[1].keepAuditMonths(at: noon.after(60 * 86_400))
                #expect(try await nodes[1].auditMonths().count == 3)
            }
            try await nodes[1].keepAuditMonths(at: noon.after(60 * 86_400))
            #expect(try await nodes[1].auditMonths().count == 5)
        }
    }

    @Test func `drops a month once all of it is older`() async throws {
        try await withNodes { nodes in
            for days in [0.0, 0, 20] { try await nodes[0].append(event(days)) }
            let (february, month) = (noon.after(17 * 86_400), AuditMonth(containing: noon))
            let horizon = Date(milliseconds: month.end)
            #expect(
                try await nodes[0].sweep(
                    at: february, endedBefore: noon, auditBefore: horizon.addingTimeInterval(-0.001)) == 0)
            #expect(try await nodes[1].sweep(at: february, endedBefore: noon, auditBefore: horizon) == 2)
            #expect(try await tables(nodes[0]) == ["audit_event_2027_02"])
            #expect(try await nodes[0].auditMonths().contains(month) == false)
        }
    }
}
