import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct ImportTests {
    private let world: World
    private var administration: Administration { world.administration }

    init() throws { world = try World.viewvault() }

    private func record(_ line: String) throws -> AccountRecord { try AccountRecord(line: Array(line.utf8)) }

    @Test func `keeps ids and password hashes, so that every user can go on`() async throws {
        let line = #"""
            {"id": "41", "username": "ada", "email": "ada@example.com", "password_hash": "outdated:correct horse battery",
             "roles": ["admin"], "created_at": "2020-01-02T03:04:05Z"}
            """#
        #expect(try await administration.importAccounts([record(line)]) == [.added])
        let account = try await administration.account("41")
        #expect(account.createdAt == Date(timeIntervalSince1970: 1_577_934_245))
        #expect(account.roles == ["admin"])
        let answer = try await world.engine.signIn(
            SignIn(identifier: .username(Username("ada")), password: Secret(goodPassword)))
        #expect(answer.user?.id.text == "41")
        let next = try await world.engine.register(
            Register(username: Username("grace"), password: Secret(goodPassword)))
        #expect(next.user?.id.text == "42")
    }

    @Test func `changes nothing the second time`() async throws {
        let records = try [record(#"{"id": "1", "username": "ada"}"#), record(#"{"username": "grace"}"#)]
        #expect(try await administration.importAccounts(records) == [.added, .added])
        _ = try await administration.changeRoles("ada", adding: ["admin"], removing: [])
        #expect(try await administration.importAccounts(records) == [.alreadyThere, .alreadyThere])
        #expect(try await administration.account("ada").roles == ["admin"])
        #expect(try await administration.accounts(after: nil, limit: 10).page.count == 2)
    }

    @Test func `adds the first of two records that exclude each other`() async throws {
        let records = try [
            record(#"{"username": "ada", "full_name": "First"}"#), record(#"{"username": "ADA", "id": "7"}"#),
        ]
        let outcomes = try await administration.importAccounts(records)
        #expect(outcomes.first == .added)
        #expect(try await administration.account("ada").fullName?.text == "First")
        #expect(try await administration.accounts(after: nil, limit: 10).page.count == 1)
    }

    @Test func `tells of each record why it was refused, and adds the others`() async throws {
        let lines = [
            #"{"username": "ada", "password_hash": "md5:1234"}"#, #"{"username": "ok"}"#, #"{"full_name": "Nobody"}"#,
            #"{"id": "x", "username": "integers only"}"#, #"{"email": "not an address"}"#, #"{"phone_number": "555"}"#,
            #"{"username": "r", "roles": ["a,b"]}"#, #"{"username": "t", "created_at": "yesterday"}"#,
        ]
        let outcomes = try await administration.importAccounts(try lines.map(record))
        for (index, outcome) in outcomes.enumerated() {
            if index == 1 {
                #expect(outcome == .added)
            } else if case .refused = outcome {
            } else {
                Issue.record("\(lines[index]) was not refused")
            }
        }
        #expect(try await administration.accounts(after: nil, limit: 10).page.count == 1)
    }

    @Test func `takes back what it gave`() async throws {
        let lines = [
            #"{"id": "3", "username": "ada", "email": "ada@example.com", "full_name": "Ada", "roles": ["a", "b"]}"#,
            #"{"id": "5", "username": "grace", "password_hash": "current:x", "active": false}"#,
            #"{"id": "9", "username": "o@example.com", "auth_provider": "auth0", "provider_subject": "auth0|7"}"#,
        ]
        _ = try await administration.importAccounts(try lines.map(record))
        let (page, position) = try await administration.exportAccounts(after: nil, limit: 10)
        #expect(position == nil)
        let other = try World.viewvault()
        let copies = try page.map { try AccountRecord(line: $0.line()) }
        #expect(copies == page)
        #expect(try await other.administration.importAccounts(copies) == [.added, .added, .added])
        let accounts = try await administration.accounts(after: nil, limit: 10).page
        let imported = try await other.administration.accounts(after: nil, limit: 10).page
        #expect(Set(imported.map(\.id)) == Set(accounts.map(\.id)))
        #expect(Set(imported.map(\.passwordHash)) == Set(accounts.map(\.passwordHash)))
        #expect(Set(imported.map(\.user)) == Set(accounts.map(\.user)))
        #expect(Set(imported.map(\.isActive)) == Set(accounts.map(\.isActive)))
    }

    @Test func `gives every account once, page by page`() async throws {
        let records = try (1...25).map { try record(#"{"username": "person\#($0)"}"#) }
        _ = try await administration.importAccounts(records)
        var names: [String?] = []
        var position: Int?
        repeat {
            let (page, next) = try await administration.exportAccounts(after: position, limit: 10)
            names += page.map(\.username)
            position = next
        } while position != nil
        #expect(names.count == 25)
        #expect(Set(names).count == 25)
        #expect(try await world.events().count { $0.action == "cli.users.export" } == 1)
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"id": 7}"#, #"{"username": ["a"]}"#, #"{"username": "a", "is_admin": true}"#,
        #"{"roles": "admin"}"#, #"{"active": "yes"}"#,
    ])
    func `reads no line of another form`(line: String) {
        #expect(throws: AdministrationProblem.self) { try record(line) }
    }
}
