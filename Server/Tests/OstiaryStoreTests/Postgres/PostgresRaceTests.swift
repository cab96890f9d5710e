import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import PostgresServer
import Testing

/// Fifty concurrent calls, on two nodes in turn.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed")) struct PostgresRaceTests {
    private func withNodes(_ body: ([PostgresStore]) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(2, body)
    }

    /// Returns the results of those of the fifty calls that were not refused.
    private func winners<Value: Sendable>(
        refusedWith refusal: StoreRefusal, _ nodes: [PostgresStore],
        _ body: @escaping @Sendable (PostgresStore, Int) async throws -> Value
    ) async throws -> [Value] {
        try await inParallel(50) { index in
            do { return try await body(nodes[index % nodes.count], index) as Value? } catch let error as StoreRefusal {
                guard error == refusal else { throw error }
                return nil
            }
        }.compactMap(\.self)
    }

    @Test(arguments: ["email", "username", "phone number", "id", "imported subject"])
    func `RC-06 gives one identifier to one of fifty registrations`(kind: String) async throws {
        try await withNodes { nodes in
            let won = try await winners(refusedWith: .identifierTaken, nodes) { node, index in
                let isEven = index.isMultiple(of: 2)
                let new: NewAccount =
                    switch kind {
                    case "email": try .local(email: isEven ? "jo@example.com" : "JO@Example.com")
                    case "username": try .local(username: isEven ? "jo" : "JO")
                    case "phone number": try .local(phone: "+15551234567")
                    case "id": try .local(username: "user\(index)", ids: .integer, id: "7")
                    default: try .social(subject: "google|1")
                    }
                return try await node.add(new, spending: nil)
            }
            #expect(won.count == 1)
            #expect(try await nodes[0].accounts(in: .named(), after: nil, limit: 100).page == won)
        }
    }

    @Test func `RC-06 gives a name to one, whether as an email or as a username`() async throws {
        try await withNodes { nodes in
            let won = try await winners(refusedWith: .identifierTaken, nodes) { node, index in
                let names =
                    index.isMultiple(of: 2) ? ("a@example.com", "b@example.com") : ("b@example.com", "a@example.com")
                return try await node.add(.local(email: names.0, username: names.1), spending: nil)
            }
            #expect(won.count == 1)
        }
    }

    @Test func `RC-03 spends a code for one of fifty registrations`() async throws {
        try await withNodes { nodes in
            try await nodes[0].replace(with: .sample("c1"))
            let won = try await winners(refusedWith: .alreadySpent, nodes) { node, index in
                try await node.add(.local(username: "user\(index)"), spending: .code(id: "c1", app: .named()))
            }
            #expect(won.count == 1)
        }
    }

    @Test func `RC-02 sets the password of one of fifty uses of a reset token`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            try await nodes[0].replace(with: .sample(5, of: account))
            let won = try await winners(refusedWith: .alreadySpent, nodes) { node, index in
                let isSet = try await node.setPassword(
                    PasswordChange(
                        app: .named(), account: account.id, hash: "hash \(index)",
                        spending: .resetToken(hash: [5], app: .named()), reason: .passwordReset, at: noon))
                #expect(isSet)
                return "hash \(index)"
            }
            #expect(won.count == 1)
            #expect(try await nodes[1].account(account.id, in: .named())?.passwordHash == won.first)
        }
    }

    @Test func `lets one of fifty changes of a password win that know the same one`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            let won = try await inParallel(50) { index in
                try await nodes[index % 2].setPassword(
                    PasswordChange(
                        app: .named(), account: account.id, hash: "hash \(index)", credentialVersion: 0,
                        reason: .passwordChanged, at: noon))
            }
            #expect(won.count { $0 } == 1)
        }
    }

    @Test func `RC-04 spends a record for one session of fifty`() async throws {
        try await withNodes { nodes in
            let record = SingleUseRecord(
                app: try .named(), kind: .browserReturn, hash: [1], payload: [9], expiresAt: noon.after(600))
            try await nodes[0].add(record)
            let successor = SingleUseRecord(
                app: record.app, kind: .authorizationCode, hash: [1], payload: [8], expiresAt: noon.after(600))
            let outcomes = try await inParallel(50) { index in
                try await nodes[index % 2].spend(
                    .browserReturn, [1], in: .named(), at: noon, for: SessionID("s\(index)"), keeping: successor)
            }
            let winner = try #require(outcomes.firstIndex(of: .spent(record)))
            let others = outcomes.indices.filter { $0 != winner }.map { outcomes[$0] }
            #expect(try Set(others) == [.replayed(record, session: SessionID("s\(winner)"))])
        }
    }

    @Test func `RC-09 keeps one of fifty records of one hash`() async throws {
        try await withNodes { nodes in
            let won = try await winners(refusedWith: .alreadySpent, nodes) { node, index in
                try await node.add(
                    SingleUseRecord(
                        app: .named(), kind: .requestNonce, hash: [1], payload: [UInt8(index)],
                        expiresAt: noon.after(600)))
                return index
            }
            #expect(won.count == 1)
            let kept = try await nodes[0].singleUseRecord(.requestNonce, [1], in: .named(), at: noon)
            #expect(kept?.payload == won.map { UInt8($0) })
        }
    }

    @Test func `spends the code that is there, or none when another is asked for`() async throws {
        try await withNodes { nodes in
            for round in 0..<20 {
                try await nodes[0].replace(with: .sample("old\(round)"))
                async let spent = winners(refusedWith: .alreadySpent, nodes) { node, index in
                    try await node.add(
                        .local(username: "user\(round)-\(index)"), spending: .code(id: "old\(round)", app: .named()))
                }
                try await nodes[1].replace(with: .sample("new\(round)"))
                #expect(try await spent.count <= 1)
                let live = try await nodes[0].takeTry(recipient: [1], id: nil, in: .named(), at: noon)
                #expect(live?.id == "new\(round)")
            }
        }
    }

    @Test func `counts integer ids at both nodes without a gap or a double`() async throws {
        try await withNodes { nodes in
            let ids = try await inParallel(50) { index in
                try await nodes[index % 2].add(.local(username: "user\(index)", ids: .integer), spending: nil).id.text
            }
            #expect(Set(ids) == Set((1...50).map(String.init)))
        }
    }

    @Test func `records one of fifty uses of a counter, and redeems a recovery code once`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            let factor = try FactorEnrolment.sample("f1", of: account)
            _ = try await nodes[0].enrol(factor)
            let recorded = try await inParallel(50) { index in
                try await nodes[index % 2].recordUse(
                    of: factor.factor.id, of: account.id, in: .named(), counter: 7, at: noon)
            }
            #expect(recorded.count { $0 } == 1)
            let redeemed = try await inParallel(50) { index in
                try await nodes[index % 2].redeemRecoveryCode([1], of: account.id, in: .named(), notice: .sample())
            }
            #expect(redeemed.count { $0 } == 1)
            #expect(try await nodes[0].count() == 1)
        }
    }

    @Test func `keeps the limit of factors and stores recovery codes once in fifty enrolments`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            let outcomes = try await inParallel(50) { index in
                try await nodes[index % 2].enrol(
                    .sample("f\(index)", of: account, recoveryCodes: [[UInt8(index)]]))
            }
            #expect(outcomes.count { $0 == .enrolled(storedRecoveryCodes: true) } == 1)
            #expect(outcomes.count { $0 == .enrolled(storedRecoveryCodes: false) } == Factor.limitPerAccount - 1)
            let enrolled = try await nodes[1].factors(of: account.id, in: .named())
            #expect(enrolled.factors.count == Factor.limitPerAccount && enrolled.recoveryCodesLeft == 1)
        }
    }

    @Test func `spends a record for one of fifty enrolments`() async throws {
        try await withNodes { nodes in
            var accounts: [Account] = []
            for number in 0..<10 { accounts.append(try await nodes[0].addAccount("jo\(number)")) }
            let record = SingleUseRecord(
                app: try .named(), kind: .pendingFactor, hash: [1], payload: [], expiresAt: noon.after(600))
            try await nodes[0].add(record)
            let won = try await winners(refusedWith: .alreadySpent, nodes) { [accounts] node, index in
                try await node.enrol(.sample("f\(index)", of: accounts[index % 10], spending: record.key))
            }
            #expect(won == [.enrolled(storedRecoveryCodes: true)])
        }
    }

    @Test func `holds every one of fifty changes of roles`() async throws {
        try await withNodes { nodes in
            let account = try await nodes[0].addAccount()
            _ = try await inParallel(50) { index in
                try await nodes[index % 2].change(
                    account.id, in: .named(), AccountChange(addedRoles: try RoleAssignment.read(["role\(index)"])),
                    at: noon)
            }
            #expect(try await nodes[0].account(account.id, in: .named())?.roles.count == 50)
        }
    }
}
