import GRDB
import OstiaryCore
import OstiaryEngine
import OstiaryPostgres
import PostgresServer
import Testing

@testable import OstiaryStore

@Suite struct AttributeStoreTests {
    private static let values: [String: AttributeValue] = [
        "bio": "Zeile 1\n\"Zeile\" 2 \\ \u{1} é e\u{301} 🦉", "empty": "", "seats": -9_007_199_254_740_991,
        "rating": 4.0, "small": .number(.leastNonzeroMagnitude),
        "large": .number(.greatestFiniteMagnitude), "wants_news": false,
        "tags": ["b", "a", "b", ""],
        "none": .stringList([]), "trial_ends_at": "2027-01-31T12:00:00Z",
    ]

    @Test(arguments: Backend.allCases)
    func `keeps attributes of every type as they are`(backend: Backend) async throws {
        try await backend.withStore { store in
            var new = try NewAccount.local(email: "jo@example.com")
            new.attributes = Self.values
            let account = try await store.add(new, spending: nil)
            #expect(account.attributes == Self.values)
            #expect(try await store.account(account.id, in: .named())?.attributes == Self.values)
            #expect(try await store.accounts(in: .named(), after: nil, limit: 1).page.first?.attributes == Self.values)
            try await store.addSession("s1", of: account)
            for _ in 0..<2 { #expect(try await store.state("s1")?.account.attributes == Self.values) }
            let other = try await store.addAccount("other")
            #expect(other.attributes == [:])
        }
    }

    @Test(arguments: Backend.allCases)
    func `changes and removes the attributes that a change names, and no others`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            func change(_ change: AccountChange) async throws -> [String: AttributeValue]? {
                let changed = try await store.change(account.id, in: .named(), change, at: noon)?.attributes
                #expect(try await store.state("s1")?.account.attributes == changed)
                return changed
            }
            let first = AttributeChange(values: ["plan": "free", "seats": 1, "tags": ["a"]])
            #expect(try await change(AccountChange(attributes: first)) == first.values)
            let second = AttributeChange(values: ["plan": "pro"], removed: ["tags", "unknown"])
            #expect(try await change(AccountChange(attributes: second)) == ["plan": "pro", "seats": 1])
            #expect(try await change(AccountChange(fullName: PersonName("Jo"))) == ["plan": "pro", "seats": 1])
            let last = AttributeChange(removed: ["plan", "seats"])
            #expect(try await change(AccountChange(attributes: last)) == [:])
        }
    }

    @Test(arguments: Backend.allCases)
    func `concurrent changes of two attributes lose neither`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let app = try AppName.named()
            _ = try await inParallel(32) { index in
                let attributes = AttributeChange(values: ["a\(index)": .integer(index)])
                return try await store.change(account.id, in: app, AccountChange(attributes: attributes), at: noon)
            }
            let expected = (0..<32).map { ("a\($0)", AttributeValue.integer($0)) }
            #expect(
                try await store.account(account.id, in: app)?.attributes == Dictionary(uniqueKeysWithValues: expected))
        }
    }

    @Test(arguments: Backend.allCases)
    func `refuses a change that exceeds the total, and changes nothing else with it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let half = AttributeValue.string(String(repeating: "x", count: AttributeDefinitions.maximumBytes / 2))
            func change(_ name: String, _ fullName: String? = nil) async throws -> Account? {
                try await store.change(
                    account.id, in: .named(),
                    AccountChange(
                        fullName: try fullName.map { try PersonName($0) }, addedRoles: RoleAssignment.read(["admin"]),
                        attributes: AttributeChange(values: [name: half])), at: noon)
            }
            #expect(try await change("first") != nil)
            await #expect(throws: StoreRefusal.attributesTooLarge) { try await change("second", "Other") }
            let after = try await store.account(account.id, in: .named())
            #expect(after?.attributes == ["first": half] && after?.fullName == nil)
            #expect(try await change("first", "Jo")?.fullName?.text == "Jo")
        }
    }

    @Test func `the column has one form for the same attributes`() throws {
        #expect(AttributeText([:]).text == "{}")
        #expect(AttributeText(["b": 1, "a": "x", "c_d": ["y"]]).text == #"{"a":"x","b":1,"c_d":["y"]}"#)
        #expect(try AttributeText("{}").attributes == [:])
        for text in ["", "[]", "null", #"{"a":null}"#, #"{"A":1}"#, #"{"a":{}}"#, #"{"a":1,"a":2}"#] {
            #expect(throws: (any Error).self) { try AttributeText(text) }
        }
    }

    @Test func `brings accounts of the version before along without attributes, in SQLite`() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory.database
            do {
                let database = try DatabaseQueue(path: path)
                try await database.write { db in
                    try db.execute(sql: "PRAGMA application_id = \(DatabaseFile.applicationID)")
                }
                try Schema.steps.migrate(database, upTo: "0007 channels of password resets")
                try await database.write { try $0.execute(sql: Self.accountOfTheVersionBefore) }
                try database.close()
            }
            let store = try SQLiteStore(path: path, system: .system)
            try await expectUsable(store)
            try await store.close()
        }
    }

    @Test(.enabled(if: PostgresServer.isInstalled))
    func `brings accounts of the version before along without attributes, in PostgreSQL`() async throws {
        try await PostgresServer.shared().withSettings { settings in
            let pool = PostgresPool(settings, log: .silent)
            try await PostgresMigration(
                pool: pool, system: .system, database: settings.database,
                steps: Array(PostgresSchema.steps.prefix { $0.name != "account attributes" })
            ).run()
            _ = try await pool.write(Self.accountOfTheVersionBefore)
            let store = try await PostgresStore.open(settings, system: .system, log: .silent)
            try await expectUsable(store)
            // As a node of the version before does, which knows no attributes.
            _ = try await pool.write("UPDATE account SET full_name = 'Jo', revision = revision + 1")
            #expect(try await store.account(AccountID("7"), in: .named())?.attributes == ["plan": "pro"])
            await store.close()
            await pool.close()
        }
    }

    private static let accountOfTheVersionBefore = """
        INSERT INTO account (app, id, roles, is_active, provider, is_email_verified, credential_version, created_at)
        VALUES ('vici', '7', '[]', TRUE, 'local', FALSE, 0, 0)
        """

    private func expectUsable(_ store: any Store) async throws {
        let id = try AccountID("7")
        #expect(try await store.account(id, in: .named())?.attributes == [:])
        let change = AccountChange(attributes: AttributeChange(values: ["plan": "pro"]))
        #expect(try await store.change(id, in: .named(), change, at: noon)?.attributes == ["plan": "pro"])
    }
}
