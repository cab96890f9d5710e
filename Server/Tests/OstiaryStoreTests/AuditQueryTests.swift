import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryStore

/// Selections of audit events.
@Suite struct AuditQueryTests {
    /// Fifty events of three apps, of which some happened at the same time.
    private static func events() throws -> [AuditEvent] {
        try (0..<50).map { number in
            AuditEvent(
                at: noon.after(Double(number / 3)), app: try .named(["vici", "vici", "other", "third"][number % 4]),
                action: number % 5 == 0 ? "signIn" : "refresh",
                outcome: number % 10 == 0 ? "wrong_credentials" : number % 7 == 0 ? "session_revoked" : "ok",
                account: number % 3 == 0 ? nil : try AccountID("a\(number % 3)"), identifier: "\(number)",
                actor: number == 7 ? "key:k1" : nil,
                details: number == 7 ? ["reason": "ticket \"7\"\n", "é": "ü"] : [:])
        }
    }

    private static func queries() throws -> [AuditQuery] {
        let (vici, all) = ([try AppName("vici")], try ["vici", "other", "third"].map { try AppName($0) })
        var queries: [AuditQuery] = []
        for order in [AuditQuery.Order.newestFirst, .oldestFirst] {
            queries += [
                try AuditQuery(apps: vici, order: order), try AuditQuery(apps: all, order: order),
                try AuditQuery(apps: vici, account: AccountID("a1"), order: order),
                try AuditQuery(apps: vici, account: AccountID("a1"), action: "refresh", outcome: "ok", order: order),
                try AuditQuery(apps: vici, account: AccountID("a2"), outcome: "session_revoked", order: order),
                try AuditQuery(apps: all, action: "signIn", order: order),
                try AuditQuery(apps: all, outcome: "wrong_credentials", order: order),
                try AuditQuery(apps: vici, outcome: "ok", order: order),
                try AuditQuery(apps: all, action: "signIn", outcome: "wrong_credentials", order: order),
                try AuditQuery(apps: all, since: noon.after(5), until: noon.after(11), order: order),
                try AuditQuery(
                    apps: vici, action: "refresh", outcome: "ok", since: noon.after(2), until: noon.after(15),
                    order: order),
                try AuditQuery(apps: [AppName("nobody")], order: order), try AuditQuery(apps: [], order: order),
            ]
        }
        return queries
    }

    @Test(arguments: Backend.allCases)
    func `selects events by every condition, in both orders, in pages`(backend: Backend) async throws {
        try await backend.withStore { store in
            let events = try Self.events()
            for event in events { try await store.append(event) }
            for query in try Self.queries() {
                let selected = events.enumerated().filter { query.selects($0.element) }.sorted {
                    let (left, right) = (($0.element.at, $0.offset), ($1.element.at, $1.offset))
                    return query.order == .newestFirst ? left > right : left < right
                }
                for limit in [1, 3, 100] {
                    var found: [RecordedEvent] = []
                    var position: AuditPosition?
                    repeat {
                        let (page, next) = try await store.events(query, after: position, limit: limit)
                        #expect(page.count == limit || next == nil)
                        found += page
                        position = next
                    } while position != nil
                    #expect(found.map(\.event) == selected.map(\.element), "\(query)")
                    #expect(Set(found.map(\.id)).count == found.count)
                }
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `gives an event one number in every list, with its details`(backend: Backend) async throws {
        try await backend.withStore { store in
            let events = try Self.events().prefix(9)
            for event in events { try await store.append(event) }
            let followed = try await store.events(events.count)
            #expect(followed.map(\.event) == Array(events))
            let query = try AuditQuery(apps: ["vici", "other", "third"].map { try AppName($0) }, order: .oldestFirst)
            let selected = try await store.events(query, after: nil, limit: 100).page
            #expect(selected.map(\.id) == followed.map(\.position))
            #expect(selected[7].event.details == ["reason": "ticket \"7\"\n", "é": "ü"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `reads the events of an account from one of them on, of the same time too`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try AccountID("a1")
            for name in ["a", "b", "c", "b", "d", "e"] {
                try await store.append(
                    AuditEvent(at: noon, app: .named(), action: name, outcome: "ok", account: account))
            }
            let named = try AuditQuery(apps: [.named()], account: account, action: "b")
            let last = try #require(try await store.events(named, after: nil, limit: 1).page.first)
            let history = try AuditQuery(apps: [.named()], account: account, order: .oldestFirst)
            let position = AuditPosition(at: last.event.at, number: last.id - 1)
            let first = try await store.events(history, after: position, limit: 2)
            let second = try await store.events(history, after: first.position, limit: 2)
            #expect((first.page + second.page).map(\.event.action) == ["b", "d", "e"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `continues a page before events that were added meanwhile`(backend: Backend) async throws {
        try await backend.withStore { store in
            func append(_ name: String, _ seconds: Double) async throws {
                try await store.append(
                    AuditEvent(at: noon.after(seconds), app: .named(), action: name, outcome: "ok"))
            }
            for (name, seconds) in [("a", 0.0), ("b", 1), ("c", 2)] { try await append(name, seconds) }
            let query = try AuditQuery(apps: [.named()])
            let first = try await store.events(query, after: nil, limit: 2)
            #expect(first.page.map(\.event.action) == ["c", "b"])
            try await append("d", 3)
            let second = try await store.events(query, after: first.position, limit: 2)
            #expect(second.page.map(\.event.action) == ["a"])
            #expect(second.position == nil)
        }
    }

    @Test func `an account needs its app, and texts are those of events`() throws {
        let apps = try ["vici", "other"].map { try AppName($0) }
        let account = try AccountID("a")
        #expect(throws: AdministrationProblem.self) { try AuditQuery(apps: apps, account: account) }
        #expect(throws: AdministrationProblem.self) { try AuditQuery(apps: [], account: account) }
        for text in ["", "a b", "é", String(repeating: "a", count: 65), "a\0"] {
            #expect(throws: AdministrationProblem.self) { try AuditQuery(apps: apps, action: text) }
            #expect(throws: AdministrationProblem.self) { try AuditQuery(apps: apps, outcome: text) }
        }
    }

    @Test func `cuts details that are too long`() throws {
        let long = String(repeating: "ä", count: 200)
        let event = AuditEvent(
            at: noon, app: try .named(), action: "a", outcome: "ok", details: ["reason": long, "short": "x"])
        #expect(event.details == ["reason": String(repeating: "ä", count: 128), "short": "x"])
    }

    /// The plan of every query in SQLite: one search of an index, without a sort.
    @Test func `every selection is a search of an index in SQLite`() async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        let position = AuditPosition(at: noon, number: 7)
        for query in try Self.queries() where !query.apps.isEmpty {
            for after in [nil, position] {
                let selection = AuditSelection(query, after: after, limit: 51, in: .sqlite)
                // Without statistics the values of the parameters do not matter.
                let arguments = StatementArguments(
                    Array(repeating: DatabaseValue.null, count: selection.arguments.count + 1))
                let plan = try await store.read { db in
                    try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(selection.sql)", arguments: arguments)
                        .map { $0["detail"] as String }
                }
                let index =
                    query.account != nil
                    ? "audit_event_account"
                    : query.outcome.map { $0 != "ok" } == true
                        ? "audit_event_refusal" : query.action != nil ? "audit_event_action" : "audit_event_app"
                #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH audit_event USING INDEX \(index) ("), "\(plan)")
            }
        }
        try await store.close()
    }
}
