import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import PostgresServer
import Testing

/// Operations that end sessions on one node, while the other node signs in and refreshes.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresSessionRaceTests {
    /// The operations that must leave no session behind.
    private enum Ending: String, CaseIterable, CustomTestStringConvertible {
        case disabled, passwordChanged, deleted
        var testDescription: String { rawValue }

        func happen(to account: Account, at node: PostgresStore) async throws {
            switch self {
            case .disabled:
                _ = try await node.change(account.id, in: account.app, AccountChange(isActive: false), at: noon)
            case .passwordChanged:
                let isSet = try await node.setPassword(
                    PasswordChange(
                        app: account.app, account: account.id, hash: "new", reason: .passwordChanged, at: noon))
                #expect(isSet)
            case .deleted:
                #expect(try await node.delete(account.id, in: account.app, credentialVersion: nil))
            }
        }
    }

    @Test(arguments: Ending.allCases)
    private func `RC-08 leaves no session of a sign-in or a refresh alive`(ending: Ending) async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            for round in 0..<20 {
                let account = try await nodes[0].addAccount("jo\(round)")
                for index in 0..<4 { try await nodes[0].addSession("r\(round)-\(index)", of: account) }
                async let others = inParallel(12) { index in
                    guard index < 4 else {
                        let session = Session(
                            id: try SessionID("s\(round)-\(index)"), app: account.app, accountID: account.id,
                            createdAt: noon, idleSeconds: 60, endsAt: noon.after(60))
                        return try await nodes[index % 2].add(session, credentialVersion: 0)
                    }
                    _ = try await nodes[index % 2].rotate("r\(round)-\(index)", from: 0, at: noon.after(1))
                    return true
                }
                try await ending.happen(to: account, at: nodes[1])
                _ = try await others
                let alive = try await nodes[0].sessions(of: account.id, in: account.app, at: noon.after(2))
                #expect(alive.map(\.id) == [])
            }
        }
    }

    @Test func `makes a reset token a stranger's whose account is deleted at the same time`() async throws {
        try await PostgresServer.shared().withNodes(2) { nodes in
            for round in 0..<UInt8(20) {
                let account = try await nodes[0].addAccount()
                async let isDeleted = nodes[1].delete(account.id, in: .named(), credentialVersion: nil)
                try await nodes[0].replace(with: .sample(round, of: account))
                #expect(try await isDeleted)
                #expect(try await nodes[0].account(forResetToken: [round], in: .named(), at: noon) == nil)
            }
        }
    }
}
