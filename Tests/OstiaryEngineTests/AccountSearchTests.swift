import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct AccountSearchTests {
    private let world: World
    private var administration: Administration { world.administration }

    init() throws { world = try World.vici() }

    @discardableResult
    private func add(_ email: String, _ change: (inout AccountCreation) -> Void = { _ in }) async throws -> Account {
        var new = AccountCreation()
        new.email = email
        change(&new)
        return try await administration.create(new).account
    }

    /// Returns the emails of all matching accounts, read in pages of `limit`.
    private func emails(_ query: AccountQuery, limit: Int = 2) async throws -> [String] {
        var query = query
        query.limit = limit
        var emails: [String] = []
        repeat {
            let page = try await administration.accounts(query)
            #expect(page.items.count <= limit)
            emails += page.items.compactMap(\.account.email?.text)
            query.cursor = page.nextCursor
        } while query.cursor != nil
        return emails
    }

    private func problem(_ query: AccountQuery) async -> AdministrationProblem? {
        await #expect(throws: AdministrationProblem.self) { try await administration.accounts(query) }
    }

    @Test func `finds the beginning of an email, username, phone number, name and id`() async throws {
        let ann = try await add("ann@x.org") { new in
            new.username = "Queen"
            new.fullName = "Ann Example"
            new.phoneNumber = "+491511234567"
        }
        try await add("bob@x.org")
        for text in ["ann", "ANN@X", "queen", "Que", "ann exa", "+49151", String(ann.id.text.prefix(8)), ann.id.text] {
            #expect(try await emails(AccountQuery(text: text)) == ["ann@x.org"], "\(text)")
        }
        for text in ["nn@", "xample", "49151", "%", "a%", "_nn", "*", "ann@x.org "] {
            #expect(try await emails(AccountQuery(text: text)) == [], "\(text)")
        }
    }

    @Test(arguments: ["ö", "Ö", "özd", "ÖZDEMİR".prefix(3).description, "o\u{308}zde"])
    func `finds letters beyond ASCII in either case, composed or not`(text: String) async throws {
        try await add("a@x.org") { $0.fullName = "Özdemir Ada" }
        try await add("b@x.org") { $0.fullName = "Ozdemir" }
        #expect(try await emails(AccountQuery(text: text)) == ["a@x.org"])
    }

    @Test func `lists an account once although several of its texts match`() async throws {
        for name in ["ann", "anna", "annabel"] {
            try await add("\(name)@x.org") { new in
                new.username = "\(name)-user"
                new.fullName = "\(name) Example"
            }
        }
        for limit in 1...4 {
            #expect(
                try await emails(AccountQuery(text: "ann"), limit: limit)
                    == ["ann@x.org", "anna@x.org", "annabel@x.org"])
        }
    }

    @Test func `all conditions must hold`() async throws {
        let day = 86_400.0
        for (index, name) in ["ann", "anna", "bob", "annabel"].enumerated() {
            let account = try await add("\(name)@x.org") { $0.isActive = index != 1 }
            if index != 2 {
                try await administration.changeRoles(
                    of: account.id, adding: RoleAssignment.read(["editor", "admin@a"]), removing: [])
            }
            world.clock.advance(by: .seconds(day))
        }
        let start = world.clock.now.addingTimeInterval(-4 * day)
        #expect(try await emails(AccountQuery(role: "editor")) == ["ann@x.org", "anna@x.org", "annabel@x.org"])
        #expect(try await emails(AccountQuery(role: "admin")) == [])
        #expect(try await emails(AccountQuery(isActive: false)) == ["anna@x.org"])
        #expect(try await emails(AccountQuery(provider: "google")) == [])
        #expect(try await emails(AccountQuery(provider: "local")).count == 4)
        #expect(try await emails(AccountQuery(factor: .totp)) == [])
        #expect(try await emails(AccountQuery(createdAfter: start)) == ["anna@x.org", "bob@x.org", "annabel@x.org"])
        #expect(
            try await emails(AccountQuery(text: "ann", role: "editor", isActive: true, createdAfter: start))
                == ["annabel@x.org"])
    }

    @Test func `a page reads a bounded number of accounts, and its cursor continues`() async throws {
        let count = AccountQuery.maximumScanned + 10
        let app = world.engine.app.name
        for number in 0..<count {
            _ = try await world.store.add(
                NewAccount(
                    app: app, idKind: .uuid, email: EmailAddress("p\(number)@x.org"), isActive: number == count - 1,
                    createdAt: world.clock.now), spending: nil)
        }
        var query = AccountQuery(isActive: true)
        let first = try await administration.accounts(query)
        #expect(first.items.isEmpty)
        query.cursor = first.nextCursor
        #expect(query.cursor != nil)
        let second = try await administration.accounts(query)
        #expect(second.items.count == 1 && second.nextCursor == nil)
    }

    @Test func `a cursor holds for its own app and conditions, and shows nothing`() async throws {
        for name in ["ann", "anna", "annabel"] { try await add("\(name)@x.org") }
        let cursor = try #require(
            try await administration.accounts(AccountQuery(text: "ann", limit: 1)).nextCursor)
        #expect(try await administration.accounts(AccountQuery(text: "ann", cursor: cursor)).items.count == 2)
        #expect(!String(decoding: Base64URL.decode(cursor.utf8) ?? [], as: UTF8.self).contains("ann"))
        let foreign = try World("other", .vici, sharing: world)
        for query in [
            AccountQuery(text: "anna", cursor: cursor), AccountQuery(text: "ann", isActive: true, cursor: cursor),
            AccountQuery(cursor: cursor), AccountQuery(text: "ann", cursor: cursor + "A"),
            AccountQuery(text: "ann", cursor: "x"),
            AccountQuery(text: "ann", cursor: String(repeating: "A", count: 9000)),
        ] {
            #expect(await problem(query)?.pointer == "/cursor")
        }
        await #expect(throws: AdministrationProblem.self) {
            try await foreign.administration.accounts(AccountQuery(text: "ann", cursor: cursor))
        }
    }

    @Test func `refuses conditions that are malformed`() async throws {
        let cases: [(AccountQuery, String, String)] = [
            (AccountQuery(limit: 0), "/limit", "malformed"), (AccountQuery(limit: 201), "/limit", "malformed"),
            (AccountQuery(text: String(repeating: "a", count: 255)), "/q", "too_long"),
            (AccountQuery(text: "a\u{0}"), "/q", "malformed"), (AccountQuery(text: "a\nb"), "/q", "malformed"),
            (AccountQuery(role: "a,b"), "/role", "malformed"), (AccountQuery(provider: ""), "/provider", "malformed"),
        ]
        for (query, pointer, code) in cases {
            let problem = await problem(query)
            #expect(problem?.reason == .invalid && problem?.pointer == pointer && problem?.code == code)
        }
    }

    @Test func `a query does not print the text that is searched`() {
        let query = AccountQuery(text: "ann@x.org", role: "editor")
        for printed in ["\(query)", String(reflecting: query)] { #expect(!printed.contains("ann")) }
        var dumped = ""
        dump(query, to: &dumped)
        #expect(!dumped.contains("ann"))
    }

    @Test func `an empty text is no condition`() async throws {
        try await add("ann@x.org")
        #expect(try await emails(AccountQuery(text: "")) == ["ann@x.org"])
    }
}
