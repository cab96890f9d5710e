import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct PersonalDataTests {
    private let world: World
    private var administration: Administration { world.administration }

    init() throws { world = try World.vici() }

    @Test func `exports everything about a person, and nothing about others`() async throws {
        let tokens = try await world.registered().tokens
        let id = try #require(try await world.account()?.id)
        _ = try await world.enrolled(tokens)
        try await administration.revokeAllSessions(of: id)
        var other = AccountCreation()
        other.email = "bob@example.com"
        _ = try await administration.create(other)
        let data = try await administration.personalData(of: id)
        let (sessions, audit) = (try await data.sessions.all(), try await data.audit.all())
        #expect(data.exportedAt == world.clock.now && data.account.account.id == id)
        #expect(sessions.count == 1 && sessions.first?.revocation != nil)
        #expect(data.factors.factors.count == 1 && data.factors.recoveryCodesLeft == 10 && data.identities.isEmpty)
        #expect(data.devices.count == 1 && data.devices.first?.accountID == id)
        #expect(audit.first?.event.action == "register")
        #expect(audit.last?.event.action == "cli.users.personal-data")
        #expect(audit.allSatisfy { $0.event.account == id })
        let unknown = await #expect(throws: AdministrationProblem.self) {
            _ = try await administration.personalData(of: AccountID("none"))
        }
        #expect(unknown?.reason == .notFound)
    }

    @Test func `an account with the id of a deleted one is exported without its events`() async throws {
        try await world.registered()
        let id = try #require(try await world.account()?.id)
        try await administration.delete(id)
        var record = AccountRecord()
        // Older than the events of the deleted account.
        (record.id, record.email, record.createdAt) = (id.text, "bob@example.com", "2020-01-02T03:04:05Z")
        #expect(try await administration.importAccounts([record]) == [.added])
        try await administration.setActive(false, id)
        #expect(try await administration.importAccounts([record]) == [.alreadyThere])
        let exported = try await administration.personalData(of: id).audit.all()
        #expect(
            exported.map(\.event.action) == ["cli.users.import", "cli.users.disable", "cli.users.personal-data"])
        // The audit log keeps them.
        let all = try await administration.auditEvents(of: id, order: .oldestFirst, limit: 100).page
        #expect(all.first?.event.action == "register" && all.contains { $0.event.action == "cli.users.delete" })
    }

    @Test func `an import that adds no account marks the end of a deleted one's events once`() async throws {
        try await world.registered()
        let id = try #require(try await world.account()?.id)
        try await administration.delete(id)
        var other = AccountCreation()
        other.email = "bob@example.com"
        _ = try await administration.create(other)
        var record = AccountRecord()
        (record.id, record.email) = (id.text, "bob@example.com")
        for _ in 0..<2 {
            guard case .refused? = try await administration.importAccounts([record]).first else {
                Issue.record("another account has the address")
                return
            }
        }
        let events = try await administration.auditEvents(of: id, limit: 100).page
        #expect(events.count { $0.event.action == "cli.users.import" } == 1)
    }

    @Test func `an account's history is exported a page at a time`() async throws {
        try await world.registered()
        let account = try #require(try await world.account())
        for number in 0..<1200 {
            try await world.store.append(
                AuditEvent(
                    at: world.clock.now + Double(number), app: account.app, action: "a\(number)", outcome: "ok",
                    account: account.id))
        }
        let data = try await administration.personalData(of: account.id)
        var pages: [Int] = []
        try await data.audit.forEachPage { pages.append($0.count) }
        #expect(pages.allSatisfy { $0 <= 500 } && pages.count == 3 && pages.reduce(0, +) > 1200)
        // What is not wanted is not read.
        struct Enough: Error {}
        pages = []
        await #expect(throws: Enough.self) {
            try await data.audit.forEachPage { page in
                pages.append(page.count)
                throw Enough()
            }
        }
        #expect(pages == [500])
    }
}

extension PagedRows {
    fileprivate func all() async throws -> [Row] {
        var rows: [Row] = []
        try await forEachPage { rows += $0 }
        return rows
    }
}
