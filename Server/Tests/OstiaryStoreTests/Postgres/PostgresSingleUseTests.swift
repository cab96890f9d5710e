import Foundation
import OstiaryCore
import OstiaryEngine
import PostgresServer
import Testing

@testable import OstiaryStore

/// Every kind of single-use secret, used by fifty concurrent calls on two nodes in turn, in `RACE_ROUNDS` rounds.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresSingleUseTests {
    private static let rounds = ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap { Int($0) } ?? 3
    private static let singleUseRecords: [SingleUseRecord.Kind] = [
        .browserStart, .browserSignIn, .browserReturn, .identityToken, .authorizationCode, .requestNonce,
        .answeredChallenge, .passkeyChallenge, .dpopProof,
    ]

    /// - Parameters:
    ///   - prepare: Creates the secret of a round.
    ///   - use: One of its fifty uses, by its number.
    ///   - check: Examines the results of all uses.
    private func race<Secret: Sendable, Outcome: Sendable>(
        prepare: (_ node: PostgresStore, _ round: Int) async throws -> Secret,
        use: @escaping @Sendable (_ node: PostgresStore, _ secret: Secret, _ number: Int) async throws -> Outcome,
        check: (_ node: PostgresStore, _ secret: Secret, _ outcomes: [Outcome]) async throws -> Void
    ) async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            for round in 0..<Self.rounds {
                let secret = try await prepare(nodes[0], round)
                let outcomes = try await inParallel(50) { number in try await use(nodes[number % 2], secret, number) }
                try await check(nodes[1], secret, outcomes)
            }
        }
    }

    /// Runs the same race where each use either takes effect or is refused as spent.
    ///
    /// - Parameter check: Receives the number of the use that took effect.
    private func race<Secret: Sendable>(
        prepare: (_ node: PostgresStore, _ round: Int) async throws -> Secret,
        use: @escaping @Sendable (_ node: PostgresStore, _ secret: Secret, _ number: Int) async throws -> Void,
        winner check: (_ node: PostgresStore, _ secret: Secret, _ winner: Int) async throws -> Void
    ) async throws {
        try await race(prepare: prepare) { node, secret, number in
            do { try await use(node, secret, number) } catch StoreRefusal.alreadySpent { return false }
            return true
        } check: { node, secret, succeeded in
            let winner = try #require(succeeded.firstIndex(of: true))
            #expect(succeeded.count { $0 } == 1)
            try await check(node, secret, winner)
        }
    }

    @Test func `RC-01 a refresh token has one successor`() async throws {
        try await race { node, generation in
            if generation == 0 { try await node.addSession("s1", of: node.addAccount()) }
            return generation
        } use: { node, generation, _ in
            try await node.rotate("s1", from: generation, at: noon.after(Double(generation)))
        } check: { node, generation, outcomes in
            let state = try #require(try await node.state("s1"))
            #expect(state.session.generation == generation + 1)
            #expect(outcomes.count { $0 == .rotated(state) } == 1)
            #expect(outcomes.count { $0 == .superseded(state, successorFirstUsedAt: nil) } == 49)
        }
    }

    @Test func `RC-03 a code makes one account`() async throws {
        try await race { node, round in
            try await node.replace(with: .sample("c\(round)"))
            return round
        } use: { node, round, number in
            _ = try await node.add(
                .local(username: "user\(round)-\(number)"), spending: .code(id: "c\(round)", app: .named()))
        } winner: { node, round, winner in
            let username = try Username("user\(round)-\(winner)")
            #expect(try await node.account(identifiedBy: .username(username), in: .named()) != nil)
        }
    }

    @Test(arguments: ["code", "reset token"]) func `RC-02 sets one password`(by kind: String) async throws {
        try await race { node, round in
            let account = try await node.addAccount("jo\(round)")
            guard kind == "code" else {
                let hash = UInt8(round % 256)
                try await node.replace(with: .sample(hash, of: account))
                return (account, SingleUseSecret.resetToken(hash: [hash], app: account.app))
            }
            try await node.replace(with: .sample("c\(round)"))
            return (account, SingleUseSecret.code(id: "c\(round)", app: account.app))
        } use: { (node, secret: (account: Account, itself: SingleUseSecret), number) in
            let isSet = try await node.setPassword(
                PasswordChange(
                    app: secret.account.app, account: secret.account.id, hash: "hash \(number)",
                    spending: secret.itself, reason: .passwordReset, at: noon))
            #expect(isSet)
        } winner: { node, secret, winner in
            let account = try await node.account(secret.account.id, in: secret.account.app)
            #expect(account?.passwordHash == "hash \(winner)")
        }
    }

    @Test(arguments: singleUseRecords) func `RC-04 a record is spent for one session`(kind: SingleUseRecord.Kind)
        async throws
    {
        try await race { node, round in
            let record = try SingleUseRecord.sample(kind, round)
            try await node.add(record)
            return record
        } use: { node, record, number in
            try await node.spend(
                kind, record.hash, in: record.app, at: noon, for: SessionID("s\(number)"), keeping: nil)
        } check: { _, record, outcomes in
            let winner = try #require(outcomes.firstIndex(of: .spent(record)))
            let replayed = Redemption.replayed(record, session: try SessionID("s\(winner)"))
            #expect(outcomes.count { $0 == replayed } == 49)
        }
    }

    @Test func `RC-04 of a session and its withdrawal at once, one finds the other`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            for round in 0..<Self.rounds {
                let account = try await nodes[0].addAccount("jo\(round)", app: "app\(round / 256)")
                try await withdraw(
                    UInt8(round % 256), of: account, opening: nodes[round % 2], withdrawing: nodes[1 - round % 2])
                _ = try await nodes[0].delete(account.id, in: account.app, credentialVersion: nil)
            }
        }
    }

    @Test(arguments: singleUseRecords) func `RC-09 a record is kept once`(kind: SingleUseRecord.Kind) async throws {
        try await race { _, round in
            round
        } use: { node, round, number in
            try await node.add(.sample(kind, round, payload: UInt8(number)))
        } winner: { node, round, winner in
            let record = try SingleUseRecord.sample(kind, round, payload: UInt8(winner))
            #expect(try await node.singleUseRecord(kind, record.hash, in: record.app, at: noon) == record)
        }
    }
}

extension SingleUseRecord {
    fileprivate static func sample(_ kind: Kind, _ round: Int, payload: UInt8 = 0) throws -> SingleUseRecord {
        SingleUseRecord(
            app: try .named(), kind: kind, hash: [UInt8(round / 256 % 256), UInt8(round % 256)], payload: [payload],
            expiresAt: noon.after(600))
    }
}
