import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import PostgresServer
import Testing

/// Concurrent sign-ins of provider accounts on two nodes.
@Suite(.enabled(if: PostgresServer.isInstalled, "PostgreSQL 15 or later is not installed"))
struct PostgresUpsertRaceTests {
    private func withNodes(_ body: ([PostgresStore]) async throws -> Void) async throws {
        try await PostgresServer.shared().withNodes(2, body)
    }

    private func upsert(
        _ subject: String = "s1", issuer: String = "https://a.example", usernames: [String] = [], hash: String? = nil,
        claims: Bool = false
    ) throws -> ProviderAccountUpsert {
        ProviderAccountUpsert(
            app: try .named(), idKind: .integer, kind: "auth0",
            identity: ProviderIdentity(
                issuer: issuer, subject: subject, email: try EmailAddress("jo@example.com"), isEmailVerified: true),
            usernames: try usernames.map { try Username($0) }, hasUniqueUsernames: !usernames.isEmpty,
            passwordHash: hash, signsInByEmail: hash != nil, claimsImported: claims, at: noon)
    }

    private func accounts(_ node: PostgresStore) async throws -> [Account] {
        try await node.accounts(in: .named(), after: nil, limit: 100).page
    }

    @Test func `RC-06 makes one account of fifty first sign-ins`() async throws {
        try await withNodes { nodes in
            let found = try await inParallel(50) {
                try await nodes[$0 % 2].account(of: upsert(usernames: ["jo", "s1"], hash: "$2b$10$x"))
            }
            #expect(Set(found).count == 1)
            #expect(try await accounts(nodes[0]) == [found[0]])
        }
    }

    @Test func `gives each of twenty people a username of their own`() async throws {
        try await withNodes { nodes in
            let found = try await inParallel(20) {
                try await nodes[$0 % 2].account(of: upsert("s\($0)", usernames: ["jo", "s\($0)"]))
            }
            #expect(found.count { $0.username?.text == "jo" } == 1)
            #expect(Set(found.map(\.username)).count == 20)
        }
    }

    @Test func `gives an imported account to one of two issuers`() async throws {
        try await withNodes { nodes in
            let imported = try await nodes[0].add(.social(subject: "s1", username: "jo"), spending: nil)
            let found = try await inParallel(50) { index in
                try await nodes[index % 2].account(
                    of: upsert(issuer: index % 4 < 2 ? "https://a.example" : "https://b.example", claims: true))
            }
            let issuers = Set(found.filter { $0.id == imported.id }.map(\.providerIssuer))
            #expect(issuers.count == 1)
            #expect(Set(found.map(\.id)).count == 2)
        }
    }

    /// One call claims an imported account, the other creates an account of the same subject.
    @Test func `makes one account of arrivals with and without a claim`() async throws {
        try await withNodes { nodes in
            for round in 0..<10 {
                let imported = try await nodes[0].add(.social(subject: "s\(round)"), spending: nil)
                let found = try await inParallel(8) {
                    try await nodes[$0 % 2].account(of: upsert("s\(round)", claims: $0.isMultiple(of: 3)))
                }
                #expect(Set(found.map(\.id)).count == 1)
                #expect(try await nodes[0].account(imported.id, in: .named()) != nil)
            }
        }
    }

    @Test func `keeps no address from its owner, who registers at the same time`() async throws {
        try await withNodes { nodes in
            for round in 0..<20 {
                let email = "jo\(round)@example.com"
                async let social = nodes[0].account(of: upsert("s\(round)", usernames: [email, "s\(round)"]))
                let local = try await nodes[1].add(.local(email: email), spending: nil)
                _ = try await social
                let found = try await nodes[0].account(identifiedBy: .email(EmailAddress(email)), in: .named())
                #expect(found?.id == local.id)
            }
        }
    }
}
