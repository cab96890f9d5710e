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
        let answer = try await world.engine.perform(
            SignIn(identifier: .username(Username("ada")), password: Secret(goodPassword)))
        #expect(answer.user?.id.text == "41")
        let next = try await world.engine.perform(
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

    @Test func `assigns no id that another record of the import has`() async throws {
        // The records without an id are first, and would get the ids 1 to 20.
        let records =
            try (1...20).map { try record(#"{"username": "other\#($0)"}"#) }
            + (1...20).map { try record(#"{"id": "\#($0)", "username": "given\#($0)"}"#) }
        #expect(try await administration.importAccounts(records) == Array(repeating: .added, count: 40))
        for number in 1...20 {
            #expect(try await administration.account("given\(number)").id.text == "\(number)")
        }
    }

    @Test func `adds the first of two records that exclude each other`() async throws {
        let records = try [
            record(#"{"username": "ada", "full_name": "First"}"#), record(#"{"username": "ada", "id": "7"}"#),
        ]
        let outcomes = try await administration.importAccounts(records)
        #expect(outcomes.first == .added)
        #expect(try await administration.account("ada").fullName?.text == "First")
        #expect(try await administration.accounts(after: nil, limit: 10).page.count == 1)
    }

    // MARK: Collisions

    private func signIn(_ name: String, _ password: String) async throws -> String? {
        try await world.engine.perform(SignIn(identifier: .username(Username(name)), password: Secret(password)))
            .user?.id.text
    }

    /// Creates the record of a local account whose password is its id followed by a fixed text.
    private func person(_ id: Int, _ username: String, email: String? = nil) throws -> AccountRecord {
        var record = AccountRecord()
        (record.id, record.username, record.email) = ("\(id)", username, email)
        record.passwordHash = "current:\(password(id))"
        return record
    }
    private func password(_ id: Int) -> String { "horse battery \(id)" }

    /// Names that differ only in details that comparisons ignore, in the order of the table.
    @Test(arguments: [
        ["Hans", "hans", "HANS"], ["hans", "Hans"], [" hans", "hans"], ["hans", "hans "],
        ["ren\u{E9}", "rene\u{301}", "Rene\u{301}"], ["hans@localhost", "Hans@localhost"],
    ])
    func `PT-11: people whose names differ only in spelling sign in, each in exactly their own`(
        names: [String]
    ) async throws {
        let records = try names.enumerated().map { try person($0.offset + 1, $0.element) }
        let outcomes = try await administration.importAccounts(records)
        #expect(outcomes.first == .added)
        for outcome in outcomes.dropFirst() {
            guard case .addedChanged(let changes) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(changes.count == 1 && changes[0].hasPrefix("username: "))
        }
        for (index, name) in names.enumerated() {
            #expect(try await signIn(name, password(index + 1)) == "\(index + 1)")
            for other in names.indices where other != index {
                await #expect(throws: AuthError.wrongCredentials) { try await signIn(name, password(other + 1)) }
            }
        }
        #expect(try await administration.importAccounts(records) == names.map { _ in .alreadyThere })
        let kept = try await administration.exportAccounts(after: nil, limit: 10).page
        #expect(kept.map { Array($0.username?.utf8 ?? "".utf8) } == names.map { Array($0.utf8) })
    }

    @Test func `PT-11: another spelling signs the first of them in`() async throws {
        _ = try await administration.importAccounts([person(1, "Hans"), person(2, "hans")])
        #expect(try await signIn("hAnS", password(1)) == "1")
    }

    @Test func `PT-11: names the token of each after their own spelling`() async throws {
        let names = ["hans", "Hans", "hans "]
        _ = try await administration.importAccounts(names.enumerated().map { try person($0.offset + 1, $0.element) })
        for (index, name) in names.enumerated() {
            let answer = try await world.engine.perform(
                SignIn(identifier: .username(Username(name)), password: Secret(password(index + 1))))
            #expect(world.accessTokens.grant(answer.tokens.accessToken)?.subject == name)
        }
    }

    @Test func `PT-11: gives nobody a name that signs somebody in in that spelling`() async throws {
        _ = try await administration.importAccounts([person(1, "Hans"), person(2, "hans")])
        _ = try await administration.delete("1")
        await #expect(throws: AuthError.identifierTaken) {
            try await world.engine.perform(Register(username: Username("hans"), password: Secret(goodPassword)))
        }
        #expect(try await signIn("hans", password(2)) == "2")
        _ = try await world.engine.perform(Register(username: Username("Hans"), password: Secret(goodPassword)))
        #expect(try await signIn("hans", password(2)) == "2")
    }

    @Test func `PT-11: people who share an email all come along, the later ones without it`() async throws {
        let records = try [
            person(1, "ada", email: ada), person(2, "bob", email: "ADA@example.com"), person(3, "eve", email: ada),
        ]
        let outcomes = try await administration.importAccounts(records)
        #expect(outcomes.first == .added)
        #expect(outcomes[1] == .addedChanged(["email: ADA@example.com is left out, because account 1 has it"]))
        #expect(try await signIn("ada", password(1)) == "1")
        #expect(try await signIn("bob", password(2)) == "2")
        #expect(try await signIn("eve", password(3)) == "3")
        #expect(try await signIn(ada, password(1)) == "1")
        #expect(try await administration.account("2").email == nil)
        #expect(try await administration.importAccounts(records) == records.map { _ in .alreadyThere })
    }

    @Test func `PT-11: a username that is another's email signs its owner in`() async throws {
        let records = try [
            person(1, "ada", email: "bob@example.com"), person(2, "bob@example.com", email: "bob@example.com"),
        ]
        let outcomes = try await administration.importAccounts(records)
        #expect(outcomes.count { $0 == .added } == 1)
        #expect(try await signIn("ada", password(1)) == "1")
        #expect(try await signIn("bob@example.com", password(2)) == "2")
        #expect(try await administration.importAccounts(records) == [.alreadyThere, .alreadyThere])
    }

    @Test func `PT-11: takes back what it gave, names that differ in spelling included`() async throws {
        let records = try ["Hans", "hans", " hans"].enumerated().map { try person($0.offset + 1, $0.element) }
        _ = try await administration.importAccounts(records)
        let page = try await administration.exportAccounts(after: nil, limit: 10).page
        let other = try World.viewvault()
        _ = try await other.administration.importAccounts(page.map { try AccountRecord(line: $0.line()) })
        #expect(
            try await other.administration.exportAccounts(after: nil, limit: 10).page.map(\.username)
                == page.map(\.username))
    }

    @Test func `PT-26: WHO in exactly its spelling is one of those whose names differ in it`() async throws {
        _ = try await administration.importAccounts([person(1, "Hans"), person(2, "hans")])
        #expect(try await administration.account("Hans").id.text == "1")
        #expect(try await administration.account("hans").id.text == "2")
        await #expect(throws: AdministrationProblem.self) { try await administration.account("HANS") }
    }

    @Test(arguments: [
        (#"{"id": "1", "username": "new"}"#, "id: 1"), (#"{"username": "ada", "id": "7"}"#, "username: ada"),
        (#"{"email": "ada@example.com", "id": "7"}"#, "email: ada@example.com"),
        (#"{"phone_number": "+15551234567", "username": "new"}"#, "phone_number: +15551234567"),
        (#"{"auth_provider": "auth0", "provider_subject": "auth0|1", "id": "7"}"#, "provider_subject: auth0|1"),
    ])
    func `PT-33: says which identifier collided`(line: String, expected: String) async throws {
        let there = try [
            record(#"{"id": "1", "username": "ada", "email": "ada@example.com", "phone_number": "+15551234567"}"#),
            record(#"{"id": "2", "auth_provider": "auth0", "provider_subject": "auth0|1"}"#),
        ]
        #expect(try await administration.importAccounts(there) == [.added, .added])
        guard case .refused(let problem)? = try await administration.importAccounts([record(line)]).first else {
            Issue.record("\(line) was not refused")
            return
        }
        #expect(problem.description.hasPrefix(expected), "\(problem)")
        let new = try record(line)
        await #expect(throws: problem) { try await administration.create(new, password: nil) }
    }

    @Test func `PT-10: keeps labels of provider accounts that are the same, where usernames are labels`() async throws {
        let world = try World.timetracker(IdentitySources())
        let lines = ["s1", "s2"].map {
            #"{"auth_provider": "oidc", "provider_subject": "\#($0)", "username": "jo", "email": "jo@example.com"}"#
        }
        #expect(try await world.administration.importAccounts(lines.map(record)) == [.added, .added])
        let names = try await world.administration.accounts(after: nil, limit: 10).page.map { $0.username?.text }
        #expect(names == ["jo", "jo"])
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

    @Test(arguments: ["0", "-1", "-9223372036854775808", "007", "+7", "9223372036854775808"])
    func `refuses an id that is no integer from 1, where accounts are counted`(id: String) async throws {
        let outcome = try await administration.importAccounts([record(#"{"id": "\#(id)", "username": "ada"}"#)]).first
        guard case .refused(let problem) = outcome else {
            Issue.record("\(id) was not refused")
            return
        }
        #expect(problem.pointer == "/id" && problem.code == "malformed")
        #expect(try await administration.accounts(after: nil, limit: 10).page.isEmpty)
    }

    @Test func `keeps a name with an invisible character, which its owner signs in with`() async throws {
        let username = "ad\u{3164}a"
        let line = #"{"username": "\#(username)", "password_hash": "current:\#(goodPassword)"}"#
        #expect(try await administration.importAccounts([record(line)]) == [.added])
        let answer = try await world.engine.perform(
            SignIn(identifier: .username(Username(username)), password: Secret(goodPassword)))
        #expect(answer.user?.username?.text == username)
    }

    @Test(arguments: ["ada@ｅxample.com", "ada@xn--bcher-kva.example", "ada@192.0.2.1"])
    func `keeps an address also if no new account may have it, and its owner signs in`(email: String) async throws {
        let world = try World.vici()
        let line = #"{"email": "\#(email)", "password_hash": "current:\#(goodPassword)"}"#
        #expect(try await world.administration.importAccounts([record(line)]) == [.added])
        let answer = try await world.signIn(email)
        #expect(answer.user?.email?.text == email)
        let token = try await world.resetToken(sentTo: email)
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(otherPassword)))
        let account = try await world.administration.account(email)
        var update = AccountUpdate()
        (update.email, update.fullName) = (.replaced(email), .replaced("Ada"))
        let details = try await world.administration.update(account.id, update)
        #expect(details.account.email?.text == email && details.account.fullName?.text == "Ada")
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
