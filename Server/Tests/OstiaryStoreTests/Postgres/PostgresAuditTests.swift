import Foundation
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

/// Audit events of two nodes.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PostgresAuditTests {
    private func event(_ action: String, _ seconds: Double = 0) throws -> AuditEvent {
        AuditEvent(at: noon.after(seconds), app: try .named(), action: action, outcome: "ok")
    }

    @Test func `shows no event while one before it may still come`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            try await nodes[0].append(event("before"))
            let before = try #require(try await nodes[0].events(1).last)
            let late = PostgresStore.appending(try event("late"), as: WriteOperation(.system))
            try await nodes[0].transaction { tx in
                try await tx.run([late])
                try await nodes[1].append(event("early"))
                let shown = try await nodes[1].events(in: nil, since: nil, after: before.position, limit: 9)
                #expect(shown.isEmpty)
            }
            #expect(try await nodes[1].events(3).map(\.event.action) == ["before", "late", "early"])
        }
    }

    @Test func `numbers events in the order of their transactions`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            _ = try await inParallel(400) { try await nodes[$0 % 2].append(event("e")) }
            let inversions = try await nodes[0].read(
                """
                SELECT count(*) FROM (
                    SELECT transaction < lag(transaction) OVER (ORDER BY number) AS is_inverted FROM audit_event) AS pair
                WHERE is_inverted
                """
            ).value { try $0.integer() }
            #expect(inversions == 0)
        }
    }

    @Test func `misses nothing while it follows what two nodes append`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            async let appended: [Void] = inParallel(200) { try await nodes[$0 % 2].append(event("e\($0)", Double($0))) }
            var followed: [String] = []
            var position: Int?
            while followed.count < 200 {
                let page = try await nodes[0].events(in: nil, since: nil, after: position, limit: 7)
                followed += page.map(\.event.action)
                position = page.last?.position ?? position
            }
            _ = try await appended
            #expect(followed.sorted() == (0..<200).map { "e\($0)" }.sorted())
        }
    }

    @Test func `is held back by no transaction that appends nothing`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            try await nodes[0].transaction { tx in
                try await tx.run("SELECT pg_current_xact_id()::text")
                try await nodes[1].append(event("meanwhile"))
                let shown = try await nodes[1].events(in: nil, since: nil, after: nil, limit: 9)
                #expect(shown.map(\.event.action) == ["meanwhile"])
            }
        }
    }

    @Test func `is held back by no append in another database, whose table has the same number`() async throws {
        let server = try await PostgresServer.shared()
        try await server.withNodes(1) { others in
            try await server.withNodes(1) { nodes in
                let number = "SELECT 'audit_event'::regclass::oid::text"
                let one = try await others[0].read(number).value { try $0.text() }
                let other = try await nodes[0].read(number).value { try $0.text() }
                #expect(one == other)
                try await others[0].transaction { tx in
                    try await tx.run("SELECT pg_current_xact_id()::text")
                    try await tx.run("LOCK TABLE audit_event IN ROW EXCLUSIVE MODE")
                    try await nodes[0].append(event("meanwhile"))
                    let shown = try await nodes[0].events(in: nil, since: nil, after: nil, limit: 9)
                    #expect(shown.map(\.event.action) == ["meanwhile"])
                }
            }
        }
    }

    @Test func `leaves no lock behind where an append is refused`() async throws {
        let patience = PostgresServer.patience(withLocks: 200)
        try await PostgresServer.shared().withNodes(2, patience: patience) { nodes in
            try await nodes[0].transaction { tx in
                // Held until the end: the other node waits for the sequence in vain.
                try await tx.run("ALTER SEQUENCE audit_event_number_seq CACHE 1")
                await #expect(throws: StoreError.postgres(.refused(.lockNotAvailable, constraint: nil))) {
                    try await nodes[1].append(event("refused"))
                }
                let held = try await nodes[1].read(
                    """
                    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
                    WHERE locktype = 'advisory' AND datname = current_database()
                    """
                ).value { try $0.integer() }
                #expect(held == 0)
            }
            try await nodes[0].append(event("after"))
        }
    }

    @Test func `writes an event once that is repeated`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let operation = WriteOperation(.system)
            for node in nodes { try await node.append(event("once"), as: operation) }
            try await nodes[0].append(event("after"))
            #expect(try await nodes[0].events(2).map(\.event.action) == ["once", "after"])
        }
    }

    @Test func `shows events that another server's transactions wrote`() async throws {
        try await PostgresServer.shared().withNodes(1) { nodes in
            try await nodes[0].append(event("restored"))
            try await nodes[0].write("UPDATE audit_event SET transaction = '9000000000000'")
            let shown = try await nodes[0].events(in: nil, since: nil, after: nil, limit: 9)
            #expect(shown.map(\.event.action) == ["restored"])
        }
    }

    @Test func `begins with the events of a time`() async throws {
        try await PostgresServer.shared().withNodes(1) { nodes in
            for hour in 0..<6 { try await nodes[0].append(event("h\(hour)", Double(hour) * 3600)) }
            _ = try await nodes[0].events(6)
            let late = try await nodes[0].events(in: nil, since: noon.after(4 * 3600), after: nil, limit: 9)
            #expect(late.map(\.event.action) == ["h4", "h5"])
            let next = try await nodes[0].events(
                in: nil, since: noon.after(3600), after: late.first?.position, limit: 9)
            #expect(next.map(\.event.action) == ["h5"])
        }
    }
}
