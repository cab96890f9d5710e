import Foundation
import OstiaryCore
import OstiaryEngine
import PostgresServer
import Testing

@testable import OstiaryStore

/// Sessions on two nodes.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PostgresRotationTests
{
    private func withNodes(_ body: ([PostgresStore]) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(2) { try await body($0) }
    }

    @Test func `RC-01 lets one of fifty rotations at two nodes win, and the rest get its successor`() async throws {
        try await withNodes { nodes in
            try await nodes[0].addSession("s1", of: nodes[0].addAccount())
            for generation in 0..<10 {
                let now = noon.after(Double(generation))
                let outcomes = try await inParallel(50) { index in
                    try await nodes[index % 2].rotate("s1", from: generation, at: now)
                }
                let state = try #require(try await nodes[0].state("s1"))
                #expect(state.session.generation == generation + 1)
                #expect(outcomes.count { $0 == .rotated(state) } == 1)
                #expect(outcomes.count { $0 == .superseded(state, successorFirstUsedAt: nil) } == 49)
            }
        }
    }

    @Test func `answers a rotation that is repeated as it did before`() async throws {
        try await withNodes { nodes in
            try await nodes[0].addSession("s1", of: nodes[0].addAccount())
            let operation = WriteOperation(.system)
            var outcomes: [Rotation] = []
            for node in nodes {
                outcomes.append(
                    try await node.rotate(
                        RotationCall(
                            operation: operation, id: SessionID("s1"), app: .named(), generation: 0, at: noon.after(1),
                            horizon: noon)))
            }
            let state = try #require(try await nodes[0].state("s1"))
            #expect(outcomes == [.rotated(state), .rotated(state)])
            #expect(
                try await nodes[1].rotate("s1", from: 0, at: noon.after(1))
                    == .superseded(state, successorFirstUsedAt: nil))
        }
    }

    @Test func `ST-09 shows a revocation at the other node at once`() async throws {
        try await withNodes { nodes in
            try await nodes[0].addSession("s1", of: nodes[0].addAccount())
            #expect(try await nodes[1].state("s1")?.session.revocation == nil)
            let revocation = Revocation(reason: .signOut, at: noon.after(1))
            #expect(try await nodes[0].revoke(SessionID("s1"), in: .named(), revocation))
            let state = try #require(try await nodes[1].state("s1"))
            #expect(state.session.revocation == revocation)
            #expect(try await nodes[1].rotate("s1", from: 0, at: noon.after(2)) == .ended(state))
        }
    }

    @Test func `PT-08: says of an issued key that is noted again what it said before`() async throws {
        try await withNodes { nodes in
            try await nodes[0].addSession("s1", of: nodes[0].addAccount())
            let operation = WriteOperation(.system)
            for node in nodes {
                #expect(
                    try await node.noteSigningKeyIssue(
                        of: SessionID("s1"), in: .named(), at: noon.after(1), as: operation))
            }
            #expect(
                try await nodes[1].noteSigningKeyIssue(of: SessionID("s1"), in: .named(), at: noon.after(2)) == false)
        }
    }

    @Test func `PT-12: queues the notice of a revocation that is repeated once`() async throws {
        try await withNodes { nodes in
            try await nodes[0].addSession("s1", of: nodes[0].addAccount())
            let (operation, revocation) = (WriteOperation(.system), Revocation(reason: .reuse, at: noon.after(1)))
            for node in nodes {
                #expect(
                    try await node.revoke(
                        SessionID("s1"), in: .named(), revocation, notice: .sample("one"), as: operation))
            }
            #expect(try await nodes[0].claim(at: noon, until: noon.after(60), limit: 9).map(\.id) == ["one"])
        }
    }

    @Test func `says of a revocation that is repeated what it said before`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            for id in ["s1", "s2", "s3"] { try await nodes[0].addSession(id, of: account) }
            let revocation = Revocation(reason: .signOut, at: noon.after(1))
            let (one, all) = (WriteOperation(.system), WriteOperation(.system))
            for node in nodes {
                #expect(try await node.revoke(SessionID("s1"), in: .named(), revocation, as: one))
                #expect(
                    try await node.revokeAll(of: account.id, in: .named(), keeping: nil, revocation, as: all) == 2)
            }
            #expect(try await nodes[0].revoke(SessionID("s1"), in: .named(), revocation) == false)
        }
    }

    @Test func `adds a session twice as once`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            let session = Session(
                id: try SessionID("s1"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(60))
            for node in nodes { #expect(try await node.add(session, credentialVersion: 0, attachment: [1])) }
            let kept = try await nodes[0].attachment(of: session.id, in: .named())
            #expect(kept == SessionAttachment(bytes: [1], version: 0))
            let operation = WriteOperation(.system)
            for node in nodes {
                #expect(
                    try await node.replaceAttachment(
                        of: session.id, in: .named(), version: 0, with: [2], as: operation))
            }
            #expect(
                try await nodes[0].attachment(of: session.id, in: .named())
                    == SessionAttachment(bytes: [2], version: 1))
        }
    }

    @Test func `keeps what a device says of itself without its NUL`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            let session = Session(
                id: try SessionID("s1"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(60), device: DeviceInfo(deviceID: "\0d\u{E9}\0"), userAgent: "a\0b")
            #expect(try await nodes[0].add(session, credentialVersion: 0))
            let kept = try #require(try await nodes[0].state("s1")).session
            #expect(kept.device?.deviceID == "d\u{E9}")
            #expect(kept.userAgent == "ab")
        }
    }

    @Test func `writes the uses down that it noted before it closes`() async throws {
        try await PostgresServer.shared().withSettings { settings in
            let node = try await PostgresStore.open(settings, system: .system, log: .silent)
            try await node.addSession("s1", of: node.addAccount())
            node.noteUse(of: 0, in: try SessionID("s1"), app: try .named(), at: noon.after(3))
            await node.close()
            let other = try await PostgresStore.open(settings, system: .system, log: .silent)
            #expect(try await other.state("s1")?.currentFirstUsedAt == noon.after(3))
            await other.close()
        }
    }

    @Test func `takes on so many notes and no more`() throws {
        let uses = PendingTokenUses(limit: 1)
        let session = try SessionID("s1")
        #expect(uses.begin(.init(session: session, generation: 1)))
        #expect(uses.begin(.init(session: session, generation: 1)) == false)
        #expect(uses.begin(.init(session: session, generation: 2)) == false)
        uses.end(.init(session: session, generation: 1))
        #expect(uses.begin(.init(session: session, generation: 2)))
    }

    @Test func `touches no index when it rotates`() async throws {
        try await withNodes { nodes in
            try await nodes[0].addSession("s1", of: nodes[0].addAccount())
            for generation in 0..<20 { _ = try await nodes[generation % 2].rotate("s1", from: generation, at: noon) }
            for node in nodes { _ = try await node.read("SELECT pg_stat_force_next_flush()") }
            let counts = { () async throws -> [Int64] in
                try await nodes[0].read(
                    """
                    SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'session'
                    """
                ).value { [try $0.integer(), try $0.integer()] } ?? []
            }
            // A connection reports its statistics when it is idle.
            while try await counts()[0] < 20 { await Task.yield() }
            #expect(try await counts() == [20, 20])
        }
    }
}
