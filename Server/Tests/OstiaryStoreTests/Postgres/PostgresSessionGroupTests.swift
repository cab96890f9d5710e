import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

/// Sessions that several calls rotate or read by one statement.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresSessionGroupTests {
    private func withNode(_ body: (PostgresStore) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(1) { try await body($0[0]) }
    }

    private func call(
        _ id: String, from generation: Int = 0, app: String = "vici", at now: Date = noon.after(1),
        address: String? = nil, forgettingBefore horizon: Date = .distantPast
    ) throws -> RotationCall {
        RotationCall(
            operation: WriteOperation(.system), id: try SessionID(id), app: try .named(app), generation: generation,
            at: now, address: address, horizon: horizon)
    }

    @Test func `rotates each session of a group for its own call`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            for id in ["s1", "s2", "s3"] { try await node.addSession(id, of: account) }
            _ = try await node.rotate("s3", from: 0, at: noon)
            let calls = [
                try call("s1", address: "192.0.2.7"), try call("s2", at: noon.after(2)), try call("s3", from: 1),
            ]
            let answer = try await node.rotate(calls, waitingForLocks: false)
            for (call, (id, generation)) in zip(calls, [("s1", 1), ("s2", 1), ("s3", 2)]) {
                let state = try #require(try answer(call)?.get())
                #expect(state == (try await node.state(id)))
                #expect(state.session.generation == generation)
                #expect(state.session.lastUsedAt == call.at)
                #expect(state.session.address == call.address)
            }
        }
    }

    @Test func `leaves to each call alone what it cannot rotate for it`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            let disabled = try await node.addAccount("disabled")
            for id in ["s1", "s2", "s3"] { try await node.addSession(id, of: account) }
            try await node.addSession("s4", of: disabled)
            _ = try await node.change(disabled.id, in: .named(), AccountChange(isActive: false), at: noon)
            _ = try await node.revoke(SessionID("s3"), in: .named(), Revocation(reason: .reuse, at: noon))
            let refused = [
                try call("s1", from: 1), try call("s1", from: -1), try call("s1", app: "other"), try call("none"),
                try call("s3"), try call("s4"), try call("s1", at: noon.after(40 * 86_400)),
            ]
            let one = try call("s2")
            let answer = try await node.rotate([one] + refused, waitingForLocks: false)
            #expect(try answer(one)?.get().session.generation == 1)
            for call in refused { #expect(try answer(call)?.get() == nil) }
            #expect(try await node.state("s1")?.session.generation == 0)
        }
    }

    @Test func `lets one of two calls of a group rotate the same session`() async throws {
        try await withNode { node in
            try await node.addSession("s1", of: node.addAccount())
            let calls = [try call("s1"), try call("s1")]
            let answer = try await node.rotate(calls, waitingForLocks: false)
            #expect(try calls.compactMap { try answer($0)?.get().session.generation } == [1])
            let outcomes = [try await node.rotate(calls[0]), try await node.rotate(calls[1])]
            let state = try #require(try await node.state("s1"))
            #expect(outcomes.contains(.rotated(state)))
            #expect(outcomes.contains(.superseded(state, successorFirstUsedAt: nil)))
        }
    }

    @Test func `RC-01 waits for a session that another transaction changes, and for no other`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            for index in 0..<20 { try await node.addSession("s\(index)", of: account) }
            let waiting = try await node.transaction { tx in
                try await tx.run([
                    PostgresStatement(
                        "UPDATE session SET revoked_at = 0, revoke_reason = 'reuse' WHERE id = 's0'")
                ])
                // More than groups may run at once.
                let waiting = (0..<4).map { _ in Task { try await node.rotate("s0", from: 0, at: noon.after(1)) } }
                try await eventually("they wait for the lock") {
                    try await node.read(
                        """
                        SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                        """
                    ).value { try $0.integer() } == 4
                }
                let others = try await inParallel(19) {
                    try await node.rotate("s\($0 + 1)", from: 0, at: noon.after(1))
                }
                #expect(others.allSatisfy { if case .rotated = $0 { true } else { false } })
                return waiting
            }
            let state = try #require(try await node.state("s0"))
            for each in waiting { #expect(try await each.value == .ended(state)) }
        }
    }

    @Test func `counts each account of a group once`() async throws {
        try await withNode { node in
            let accounts = [try await node.addAccount("jo"), try await node.addAccount("al")]
            for index in 0..<5 { try await node.addSession("s\(index)", of: accounts[index % 2], idleSeconds: 864_000) }
            let next = noon.after(4 * 86_400)
            let calls = try (0..<5).map { try call("s\($0)", at: next) }
            let answer = try await node.rotate(calls, waitingForLocks: false)
            #expect(try calls.allSatisfy { try answer($0)?.get() != nil })
            let day = CalendarDay(containing: next)
            #expect(try await node.activeAccounts(of: .named(), in: .day, beginningOn: day...day) == [day: 2])
        }
    }

    @Test func `rotates by themselves those of a group that fall on another day`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            for id in ["s1", "s2"] { try await node.addSession(id, of: account, idleSeconds: 864_000) }
            let midnight = Date(timeIntervalSince1970: (noon.timeIntervalSince1970 / 86_400).rounded(.up) * 86_400)
            let (before, after) = (try call("s1", at: midnight.after(-0.001)), try call("s2", at: midnight))
            let answer = try await node.rotate([before, after], waitingForLocks: false)
            #expect(try answer(before)?.get() != nil)
            #expect(try answer(after)?.get() == nil)
            guard case .rotated = try await node.rotate(after) else {
                Issue.record("not rotated")
                return
            }
            let day = CalendarDay(containing: midnight)
            #expect(try await node.activeAccounts(of: .named(), in: .day, beginningOn: day...day) == [day: 1])
        }
    }

    @Test func `forgets the first uses of those sessions alone whose call asks for it`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            for id in ["s1", "s2"] {
                try await node.addSession(id, of: account)
                for generation in 0..<15 { _ = try await node.rotate(id, from: generation, at: noon) }
            }
            let calls = [
                try call("s1", from: 15, at: noon.after(9), forgettingBefore: noon.after(5)), try call("s2", from: 15),
            ]
            _ = try await node.rotate(calls, waitingForLocks: false)
            let kept = try await node.read(
                """
                SELECT s.id || '-' || u.generation FROM session s JOIN generation_use u ON u.session = s.number
                ORDER BY s.id, u.generation
                """
            ).values { try $0.text() }
            #expect(kept == ["s1-15"] + (0...15).map { "s2-\($0)" })
        }
    }

    @Test func `reads each session of a group for its own call`() async throws {
        try await withNode { node in
            let account = try await node.addAccount()
            for id in ["s1", "s2"] { try await node.addSession(id, of: account) }
            func call(_ id: String, app: String = "vici") throws -> SessionCall {
                SessionCall(id: try SessionID(id), app: try .named(app))
            }
            let calls = [
                try call("s1"), try call("s2"), try call("s1"), try call("none"), try call("s1", app: "other"),
            ]
            let answer = try await node.sessions(calls)
            let found = try calls.map { try answer($0)?.get().session.id.text }
            #expect(found == ["s1", "s2", "s1", nil, nil])
        }
    }

    @Test func `fails the call alone whose row cannot be read`() async throws {
        try await withNode { node in
            for (name, id) in [("jo", "s1"), ("al", "s2")] {
                try await node.addSession(id, of: node.addAccount(name))
            }
            try await node.write("UPDATE account SET phone_number = 'none' WHERE email = 'al@example.com'")
            let calls = try ["s1", "s2"].map { SessionCall(id: try SessionID($0), app: try .named()) }
            let read = try await node.sessions(calls)
            #expect(try read(calls[0])?.get().session.id.text == "s1")
            #expect(throws: StoreError.self) { try read(calls[1])?.get() }
            let rotations = [try call("s1"), try call("s2")]
            let rotated = try await node.rotate(rotations, waitingForLocks: false)
            #expect(try rotated(rotations[0])?.get().session.generation == 1)
            #expect(throws: StoreError.self) { try rotated(rotations[1])?.get() }
        }
    }
}
