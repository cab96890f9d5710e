import Foundation
import OstiaryEngine
import PostgresServer
import Testing

@testable import OstiaryStore

/// The queue of messages and the signing keys on two nodes.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PostgresOutboxTests {
    @Test func `gives every message to one of the workers of two nodes`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            for number in 0..<100 { try await nodes[0].enqueue(.sample("m\(number)", age: 1)) }
            let claims = try await inParallel(40) { index in
                var claimed: [String] = []
                while claimed.count < 200 {
                    let batch = try await nodes[index % 2].claim(at: noon, until: noon.after(60), limit: 3)
                    // Rows locked by another worker are skipped; a worker that gets none is done.
                    guard !batch.isEmpty else { break }
                    claimed += batch.map(\.id)
                }
                return claimed
            }
            let last = try await nodes[0].claim(at: noon, until: noon.after(60), limit: 200).map(\.id)
            #expect((claims.joined() + last).sorted() == (0..<100).map { "m\($0)" }.sorted())
        }
    }

    @Test func `gives the same messages to a claim that is repeated`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            for (id, age) in [("a", 3.0), ("b", 2.0), ("c", 1.0)] { try await nodes[0].enqueue(.sample(id, age: age)) }
            let operation = WriteOperation(.system)
            for node in nodes {
                let claimed = try await node.claim(at: noon, until: noon.after(60), limit: 2, as: operation)
                #expect(claimed.map(\.id) == ["a", "b"])
                #expect(claimed.map(\.attempts) == [1, 1])
            }
        }
    }

    private let bucket = AttemptBucket(key: "once", limit: RateLimit(attempts: 1, perSeconds: 60))

    @Test(arguments: [false, true])
    func `keeps once what may go out once, though it was sent and its secret spent meanwhile`(isCode: Bool) async throws
    {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let operation = WriteOperation(.system)
            let account = try await nodes[0].addAccount()
            let secret: PendingSecret = try isCode ? .code(.sample("c1")) : .resetToken(.sample(1, of: account))
            for node in nodes {
                let wait = try await node.enqueue(
                    .sample("a"), within: [bucket], keeping: secret, at: noon, as: operation)
                #expect(wait == nil)
                guard node === nodes[0] else { continue }
                try await nodes[1].remove("a")
                let isSet = try await nodes[1].setPassword(
                    PasswordChange(
                        app: .named(), account: account.id, hash: "new",
                        spending: isCode ? .code(id: "c1", app: .named()) : .resetToken(hash: [1], app: .named()),
                        reason: .passwordReset, at: noon))
                #expect(isSet)
            }
            #expect(try await nodes[0].count() == 0)
            #expect(try await nodes[0].takeTry(recipient: [1], id: nil, in: .named(), at: noon) == nil)
            #expect(try await nodes[0].account(forResetToken: [1], in: .named(), at: noon) == nil)
        }
    }

    @Test(arguments: [false, true])
    func `keeps once what no bucket limits, though it was sent meanwhile`(hasSecret: Bool) async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let operation = WriteOperation(.system)
            let account = try await nodes[0].addAccount()
            let secret: PendingSecret? = hasSecret ? .resetToken(try .sample(1, of: account)) : nil
            for node in nodes {
                let refusal = try await node.enqueue(.sample("a"), within: [], keeping: secret, at: noon, as: operation)
                #expect(refusal == nil)
                #expect(try await nodes[0].count() == (node === nodes[0] ? 1 : 0))
                try await nodes[1].remove("a")
            }
        }
    }

    @Test func `waits for the try before that is still under way`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            let operation = WriteOperation(.system)
            let waits = try await inParallel(10) { index in
                try await nodes[index % 2].enqueue(
                    .sample("a"), within: [bucket], keeping: .code(.sample("c1")), at: noon, as: operation)
            }
            #expect(waits.allSatisfy { $0 == nil })
            #expect(try await nodes[0].count() == 1)
        }
    }

    @Test func `makes one first key at nodes that start together, and each of them knows it`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            @Sendable func key(_ index: Int) throws -> StoredSigningKey {
                StoredSigningKey(
                    app: try .named(), kid: "k\(index)", algorithm: "ES256", sealedPrivateKey: [4], createdAt: noon)
            }
            let added = try await inParallel(20) { index in
                try await nodes[index % 2].add(key(index), retiringOthersAt: noon.after(60), onlyIf: .isFirst)
            }
            let winner = try #require(added.firstIndex(of: true))
            #expect(added.count { $0 } == 1)
            for node in nodes {
                #expect(try await node.signingKeys(of: .named(), at: noon) == [key(winner)])
            }
            // As a node that did not get the answer would.
            #expect(try await nodes[1].add(key(winner), retiringOthersAt: noon.after(60), onlyIf: .isFirst))
            #expect(try await nodes[1].signingKeys(of: .named(), at: noon) == [key(winner)])
        }
    }

    @Test func `adds one successor of a key at nodes that look at once, and a repeated commit adds no other`()
        async throws
    {
        try await PostgresServer.shared().withNodes(2) { nodes in
            @Sendable func key(_ name: String, at date: Date) throws -> StoredSigningKey {
                StoredSigningKey(
                    app: try .named(), kid: name, algorithm: "ES256", sealedPrivateKey: [4], createdAt: date)
            }
            _ = try await nodes[0].add(key("first", at: noon), retiringOthersAt: noon, onlyIf: .always)
            let added = try await inParallel(20) { index in
                try await nodes[index % 2].add(
                    key("k\(index)", at: noon.after(60)), retiringOthersAt: noon.after(90),
                    onlyIf: .followsKey(from: noon, until: noon.after(200)))
            }
            let winner = try #require(added.firstIndex(of: true))
            #expect(added.count { $0 } == 1)
            let kept = try await nodes[1].signingKeys(of: .named(), at: noon)
            #expect(kept.map(\.kid) == ["k\(winner)", "first"])
            // As a node that did not get the answer would.
            #expect(
                try await nodes[1].add(
                    key("k\(winner)", at: noon.after(60)), retiringOthersAt: noon.after(90),
                    onlyIf: .followsKey(from: noon, until: noon.after(200))))
            #expect(try await nodes[0].signingKeys(of: .named(), at: noon) == kept)
        }
    }
}
