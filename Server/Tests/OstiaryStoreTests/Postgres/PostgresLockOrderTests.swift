import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
import OstiaryStore
import OstiaryTesting
import PostgresServer
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresLockOrderTests {
    /// A few accounts with the same few names, codes and sessions, and every operation that locks, on two nodes: at the
    /// end ``PostgresServer/withNodes(_:system:_:)`` checks for deadlocks.
    @Test func `no two transactions wait for each other`() async throws {
        var seeds = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0..<1_000_000, using: &seeds)
        print("seed \(seed)")
        try await PostgresServer.shared().withNodes(2) { nodes in
            _ = try await inParallel(16) { worker in
                var draws = SeededRandom(seed: seed &+ UInt64(worker))
                for step in 0..<60 {
                    do {
                        try await act(nodes[worker % 2], &draws, unique: "\(worker)-\(step)")
                    } catch is StoreRefusal {
                        continue
                    } catch StoreError.postgres(.refused(.uniqueViolation, _)) {
                        // The same code on two nodes at once: random ids are never equal.
                        continue
                    }
                }
            }
        }
    }

    private func act(_ node: PostgresStore, _ draws: inout SeededRandom, unique: String) async throws {
        let names = ["a@example.com", "b@example.com", "c@example.com", "d@example.com"]
        let code = SingleUseSecret.code(id: "c\(draws.below(2))", app: try .named())
        let someone = try await node.accounts(in: .named(), after: nil, limit: 8).page
        let account = someone.isEmpty ? nil : someone[draws.below(someone.count)]
        switch draws.below(16) {
        case 0, 1:
            let new = try NewAccount.local(
                email: names[draws.below(4)], username: names[draws.below(4)], phone: "+1555123456\(draws.below(3))",
                ids: .integer)
            _ = try await node.add(new, spending: draws.below(2) == 0 ? code : nil)
        case 2, 3:
            _ = try await node.account(
                of: ProviderAccountUpsert(
                    app: .named(), idKind: .integer, kind: "auth0",
                    identity: ProviderIdentity(
                        issuer: "https://a.example", subject: "s\(draws.below(3))",
                        email: EmailAddress(names[draws.below(4)]), isEmailVerified: true),
                    usernames: [Username(names[draws.below(4)]), Username(unique)], hasUniqueUsernames: true,
                    passwordHash: "$2b$10$x", signsInByEmail: true, claimsImported: true, at: noon))
        case 4:
            let recipient = UInt8(draws.below(2))
            try await send(.code(.sample("c\(recipient)", recipient: recipient)), draws.below(2), by: node)
        case 5:
            guard let account else { return }
            let recipient = UInt8(draws.below(3))
            try await send(
                .resetToken(.sample(recipient, of: account, recipient: recipient)), draws.below(2), by: node)
        case 6:
            guard let account else { return }
            _ = try await node.setPassword(
                PasswordChange(
                    app: .named(), account: account.id, hash: unique,
                    spending: draws.below(2) == 0 ? code : .resetToken(hash: [UInt8(draws.below(3))], app: .named()),
                    reason: .passwordReset, at: noon))
        case 7:
            guard let account else { return }
            _ = try await node.change(
                account.id, in: .named(),
                AccountChange(addedRoles: try RoleAssignment.read([unique]), isActive: draws.below(2) == 0), at: noon)
        case 8:
            let limit = RateLimit(attempts: 1_000_000, perSeconds: 60)
            let buckets = ["k0", "k1"].shuffled(using: &draws).map { AttemptBucket(key: $0, limit: limit) }
            _ = try await node.count(buckets, at: noon)
            if draws.below(4) == 0 { try await node.forgive(buckets.map(\.key)) }
        case 9:
            guard let account else { return }
            let session = Session(
                id: try SessionID(unique), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(60))
            guard try await node.add(session, credentialVersion: account.credentialVersion) else { return }
            _ = try await node.rotate(unique, from: 0, at: noon.after(1))
            _ = try await node.revokeAll(
                of: account.id, in: account.app, keeping: nil, Revocation(reason: .signOut, at: noon))
        case 10, 11:
            guard let account else { return }
            let session = Session(
                id: try SessionID(unique), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(60))
            guard try await node.add(session, credentialVersion: account.credentialVersion) else { return }
            let hash = UInt8(draws.below(3))
            let record = SingleUseRecord(
                app: account.app, kind: .pendingFactor, hash: [hash], payload: [], expiresAt: noon.after(600))
            if draws.below(2) == 0 { try? await node.add(record) }
            _ = try await node.enrol(
                .sample(
                    unique, of: account, credentialID: [UInt8(draws.below(3))],
                    spending: draws.below(2) == 0 ? record.key : nil, session: unique, notice: .sample()))
        case 12:
            guard let account, let factor = try await node.factors(of: account.id, in: account.app).factors.first
            else { return }
            _ = try await node.recordUse(of: factor.id, of: account.id, in: account.app, counter: 0, at: noon)
            _ = try await node.redeemRecoveryCode([1], of: account.id, in: account.app, notice: .sample())
            _ = try await node.replaceRecoveryCodes(
                of: account.id, in: account.app, with: [[1], [2], [3]].shuffled(using: &draws), notice: nil)
            if draws.below(2) == 0 {
                _ = try await node.remove(
                    factor.id, of: account.id, in: account.app, keepingLast: draws.below(2) == 0, notice: .sample())
            } else {
                _ = try await node.removeFactors(
                    of: account.id, in: account.app, Revocation(reason: .factorsChanged, at: noon), notice: nil)
            }
            let record = SingleUseRecord(
                app: account.app, kind: .factorUndo, hash: [UInt8(draws.below(3))], payload: [],
                expiresAt: noon.after(600))
            try? await node.add(record)
            _ = try await node.undo(
                FactorUndo(
                    app: account.app, account: account.id, spending: record.key,
                    removed: RemovedFactors(factors: [factor]), notice: .sample(), at: noon))
        case 13, 14:
            guard let account else { return }
            var change = AccountChange()
            var identifiers = IdentifierChange()
            identifiers.email = .replaced(try EmailAddress(names[draws.below(4)]))
            if draws.below(2) == 0 { identifiers.username = .replaced(try Username(names[draws.below(4)])) }
            identifiers.phoneNumber = .replaced(try PhoneNumber("+1555123456\(draws.below(3))"))
            identifiers.notice = try .sample()
            change.identifiers = identifiers
            _ = try await node.change(account.id, in: account.app, change, at: noon)
        default:
            guard let account else { return }
            _ = try await node.delete(account.id, in: .named(), credentialVersion: nil)
        }
    }
}

/// Sends a secret that shares its bucket with others.
private func send(_ secret: PendingSecret, _ bucket: Int, by node: PostgresStore) async throws {
    let limit = RateLimit(attempts: 1_000_000, perSeconds: 60)
    let bucket = AttemptBucket(key: "k\(bucket)", limit: limit)
    _ = try await node.enqueue(.sample(), once: bucket, keeping: secret, at: noon)
}

extension SeededRandom {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
