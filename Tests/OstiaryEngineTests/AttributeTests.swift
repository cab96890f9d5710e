import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct AttributeTests {
    static func definitions() throws -> AttributeDefinitions {
        try AttributeDefinitions([
            AttributeDefinition("avatar_url", .string, access: .owner, maximum: 10),
            AttributeDefinition("theme", .string, access: .owner, allowed: ["dark", "light"]),
            AttributeDefinition("seats", .integer, access: .owner),
            AttributeDefinition("rating", .number, access: .owner),
            AttributeDefinition("wants_news", .boolean, access: .owner),
            AttributeDefinition("tags", .stringList, access: .owner, maximum: 3),
            AttributeDefinition("topics", .stringList, access: .owner, allowed: ["a", "b"]),
            AttributeDefinition("born_at", .dateTime, access: .owner),
            AttributeDefinition("biography", .string, access: .owner, maximum: 8192),
            AttributeDefinition("essay", .string, access: .owner, maximum: 8192),
            AttributeDefinition("plan", .string, isVisible: true, allowed: ["free", "pro"]),
            AttributeDefinition("internal_note", .string),
        ])
    }

    private static func world(_ change: (inout AppSettings) -> Void = { _ in }) throws -> World {
        let definitions = try definitions()
        return try World.vici { app in
            app.attributes = definitions
            change(&app)
        }
    }

    // MARK: Rules

    static let accepted: [(String, AttributeValue, AttributeValue)] = [
        ("avatar_url", "", ""), ("avatar_url", "0123456789", "0123456789"), ("avatar_url", "ééééé", "ééééé"),
        ("theme", "dark", "dark"), ("seats", 0, 0), ("seats", 9_007_199_254_740_991, 9_007_199_254_740_991),
        ("seats", -9_007_199_254_740_991, -9_007_199_254_740_991), ("rating", 4, 4.0), ("rating", 4.5, 4.5),
        ("wants_news", true, true), ("tags", .stringList([]), .stringList([])),
        ("tags", ["a", "a", "b"], ["a", "a", "b"]),
        ("topics", ["b", "a"], ["b", "a"]), ("born_at", "2026-11-25T14:30:15.5+02:00", "2026-11-25T12:30:15.500Z"),
    ]

    @Test(arguments: accepted) func `keeps an acceptable value in its canonical form`(
        name: String, value: AttributeValue, kept: AttributeValue
    ) throws {
        let definitions = try Self.definitions()
        for writer in AttributeAccess.allCases {
            #expect(try definitions.validated([name: value], by: writer).values == [name: kept])
        }
        #expect(definitions.fitting([name: kept]) == [name: kept])
    }

    static let refused: [(String, AttributeValue, FieldProblem)] = [
        ("avatar_url", "0123456789a", .tooLong(maximum: 10)), ("avatar_url", "éééééé", .tooLong(maximum: 10)),
        ("avatar_url", 1, .mistyped), ("avatar_url", ["a"], .mistyped), ("avatar_url", "a\u{0}", .malformed),
        ("theme", "", .notSupported), ("theme", "Dark", .notSupported), ("theme", "dar\u{6B}\u{301}", .notSupported),
        ("seats", 9_007_199_254_740_992, .malformed), ("seats", 1.0, .mistyped), ("seats", "1", .mistyped),
        ("seats", true, .mistyped), ("rating", .number(.nan), .malformed), ("rating", .number(.infinity), .malformed),
        ("rating", 9_007_199_254_740_993, .malformed), ("rating", "4", .mistyped), ("wants_news", 1, .mistyped),
        ("wants_news", "true", .mistyped), ("tags", ["a", "b", "c", "d"], .tooMany(maximum: 3)),
        ("tags", .stringList([String(repeating: "x", count: 201)]), .tooLong(maximum: 200)), ("tags", "a", .mistyped),
        ("tags", ["a\u{0}"], .malformed), ("topics", ["a", "c"], .notSupported), ("born_at", "yesterday", .malformed),
        ("born_at", "2026-02-30T00:00:00Z", .malformed), ("born_at", 1_800_000_000, .mistyped),
        ("biography", .string("a" + String(repeating: "\u{301}", count: 200)), .malformed),
    ]

    @Test(arguments: refused) func `refuses a value that is not acceptable, by its problem`(
        name: String, value: AttributeValue, problem: FieldProblem
    ) throws {
        let definitions = try Self.definitions()
        for writer in AttributeAccess.allCases {
            #expect(throws: AuthError.invalidAttribute(name, problem)) {
                try definitions.validated([name: value], by: writer)
            }
        }
        // A text that is not kept is refused where it is written, and not looked for where it is read.
        if problem != .malformed || ["seats", "rating", "born_at"].contains(name) {
            #expect(definitions.fitting([name: value]) == [:])
        }
    }

    @Test func `the owner writes and removes nothing that belongs to administrators`() throws {
        let definitions = try Self.definitions()
        for name in ["plan", "internal_note"] {
            #expect(throws: AuthError.invalidAttribute(name, .readOnly)) {
                try definitions.validated([name: "pro"], by: .owner)
            }
        }
        #expect(throws: AuthError.invalidAttribute("theme", .readOnly)) {
            try definitions.validated(["theme": nil], by: .owner)
        }
        #expect(try definitions.validated(["plan": "pro"], by: .admin).values == ["plan": "pro"])
        #expect(try definitions.validated(["plan": nil, "theme": nil], by: .admin).removed == ["plan", "theme"])
    }

    @Test func `an undeclared name is ignored from the owner and refused from administrators`() throws {
        let definitions = try Self.definitions()
        #expect(try definitions.validated(["other": "x", "theme": "dark"], by: .owner).values == ["theme": "dark"])
        #expect(throws: AuthError.invalidAttribute("other", .unknown)) {
            try definitions.validated(["other": "x"], by: .admin)
        }
        let hostile = "e" + String(repeating: "\u{301}", count: 1000)
        #expect(throws: AuthError.invalidAttribute("attribute", .unknown)) {
            try definitions.validated([hostile: "x"], by: .admin)
        }
    }

    @Test func `all values together are limited`() throws {
        let long = AttributeValue.string(String(repeating: "x", count: 8192))
        #expect(throws: AuthError.invalidAttribute("biography", .tooLong(maximum: 16_384))) {
            try Self.definitions().validated(["biography": long, "essay": long], by: .owner)
        }
    }

    // MARK: Registration and profile

    @Test func `a registration keeps the owner's attributes, and every answer shows the visible ones`() async throws {
        let world = try Self.world()
        var call = Register(email: try EmailAddress(ada), password: Secret(goodPassword))
        call.attributes = ["theme": "dark", "born_at": "2000-01-01T00:00:00+01:00", "other": "x"]
        let signedIn = try await world.engine.perform(call)
        let shown: [String: AttributeValue] = ["theme": "dark", "born_at": "1999-12-31T23:00:00Z"]
        #expect(signedIn.user?.attributes == shown)
        #expect(try await world.use(signedIn.tokens).attributes == shown)
        #expect(try await world.signIn().user?.attributes == shown)
        #expect(try await world.account()?.attributes == shown)
    }

    @Test func `a registration with a refused attribute makes no account`() async throws {
        let world = try Self.world()
        var call = Register(email: try EmailAddress(ada), password: Secret(goodPassword))
        call.attributes = ["plan": "pro"]
        await #expect(throws: AuthError.invalidAttribute("plan", .readOnly)) { try await world.engine.perform(call) }
        #expect(try await world.account() == nil)
        #expect(world.hasher.hashes == 0)
    }

    @Test func `a profile update changes what it names, and null of others changes nothing`() async throws {
        let world = try Self.world()
        let tokens = try await world.registered().tokens
        func update(_ attributes: [String: AttributeValue]) async throws -> User {
            try await world.engine.perform(UpdateProfile(accessToken: tokens.accessToken, attributes: attributes))
        }
        #expect(try await update(["theme": "dark", "seats": 3]).attributes == ["theme": "dark", "seats": 3])
        #expect(try await update(["seats": 4]).attributes == ["theme": "dark", "seats": 4])
        #expect(try await update([:]).attributes == ["theme": "dark", "seats": 4])
        await #expect(throws: AuthError.invalidAttribute("seats", .mistyped)) {
            try await update(["theme": "light", "seats": "x"])
        }
        #expect(try await world.use(tokens).attributes == ["theme": "dark", "seats": 4])
        await #expect(throws: AuthError.invalidAccessToken) {
            try await world.engine.perform(
                UpdateProfile(accessToken: Secret("none"), attributes: ["plan": "pro"]))
        }
    }

    @Test func `the total is limited over several updates, and smaller values stay possible`() async throws {
        let world = try Self.world()
        let tokens = try await world.registered().tokens
        func update(_ name: String, _ bytes: Int) async throws -> User {
            let value = AttributeValue.string(String(repeating: "x", count: bytes))
            return try await world.engine.perform(
                UpdateProfile(accessToken: tokens.accessToken, attributes: [name: value]))
        }
        _ = try await update("biography", 8192)
        await #expect(throws: AuthError.invalidAttribute("essay", .tooLong(maximum: 16_384))) {
            try await update("essay", 8192)
        }
        #expect(try await update("essay", 8000).attributes["essay"]?.string?.count == 8000)
        #expect(try await update("biography", 1).attributes["biography"] == "x")
    }

    @Test func `concurrent updates of two attributes lose neither`() async throws {
        let world = try Self.world { $0.limits = .generous }
        let tokens = try await world.registered().tokens
        _ = await inParallel(50) { index in
            let attributes: [String: AttributeValue] =
                index.isMultiple(of: 2) ? ["seats": .integer(index)] : ["rating": .number(Double(index))]
            _ = try? await world.engine.perform(
                UpdateProfile(accessToken: tokens.accessToken, attributes: attributes))
        }
        #expect(try await world.use(tokens).attributes.keys.sorted() == ["rating", "seats"])
    }

    @Test func `a confirmed registration has the attributes it was made with`() async throws {
        let world = try Self.world { $0.registersSafely = true }
        var call = Register(email: try EmailAddress(ada), password: Secret(goodPassword))
        call.attributes = ["biography": .string(String(repeating: "x", count: 2000))]
        await #expect(throws: AuthError.invalidAttribute("biography", .tooLong(maximum: 1024))) {
            try await world.engine.perform(call)
        }
        #expect(world.notificationSealer.messages.isEmpty)
        call.attributes = ["theme": "dark", "tags": ["a"]]
        await #expect(throws: AuthError.confirmationRequired) { try await world.engine.perform(call) }
        guard case .registrationConfirmation(let token, _)? = world.notificationSealer.messages.last?.notice else {
            throw World.NothingCame()
        }
        // The declaration changes before the owner of the address confirms.
        let changed = try AttributeDefinitions([
            AttributeDefinition("theme", .string, access: .owner, allowed: ["dark"])
        ])
        let later = try World("vici", .vici, sharing: world) { app in
            app.registersSafely = true
            app.attributes = changed
        }
        let signedIn = try await later.engine.perform(ConfirmRegistration(token: token, password: Secret(goodPassword)))
        #expect(signedIn.user?.attributes == ["theme": "dark"])
        #expect(try await world.account()?.attributes == ["theme": "dark"])
    }

    // MARK: Changed declarations

    @Test func `values whose declaration was removed or changed are kept and not shown`() async throws {
        let world = try Self.world()
        let tokens = try await world.registered().tokens
        _ = try await world.engine.perform(
            UpdateProfile(accessToken: tokens.accessToken, attributes: ["theme": "dark", "seats": 3, "rating": 1.5]))
        let changed = try AttributeDefinitions([
            AttributeDefinition("seats", .string, access: .owner),
            AttributeDefinition("rating", .number, access: .owner),
        ])
        let later = try World("vici", .vici, sharing: world) { $0.attributes = changed }
        #expect(try await later.use(tokens).attributes == ["rating": 1.5])
        let updated = try await later.engine.perform(
            UpdateProfile(accessToken: tokens.accessToken, attributes: ["rating": 2.0]))
        #expect(updated.attributes == ["rating": 2.0])
        #expect(try await world.use(tokens).attributes == ["theme": "dark", "seats": 3, "rating": 2.0])
    }

    // MARK: Administration

    @Test func `administrators set both kinds, as texts`() async throws {
        let world = try Self.world()
        try await world.registered()
        let administration = world.administration
        let texts = [
            "plan": "pro", "internal_note": "a=b", "seats": "3", "rating": "4", "wants_news": "true", "tags": "a,b",
            "born_at": "2000-01-01T00:00:00Z",
        ]
        let account = try await administration.changeProfile(of: ada, fullName: "Ada", attributes: texts, removing: [])
        #expect(
            account.attributes == [
                "plan": "pro", "internal_note": "a=b", "seats": 3, "rating": 4.0, "wants_news": true,
                "tags": ["a", "b"], "born_at": "2000-01-01T00:00:00Z",
            ])
        #expect(account.fullName?.text == "Ada")
        let without = try await administration.changeProfile(
            of: ada, fullName: nil, attributes: ["seats": "5"], removing: ["plan", "tags", "rating", "wants_news"])
        #expect(without.attributes.keys.sorted() == ["born_at", "internal_note", "seats"])
        #expect(without.fullName?.text == "Ada")
        #expect(try await world.signIn().user?.attributes["internal_note"] == nil)
        let updates = try await world.events().filter { $0.action == "cli.users.update" }
        #expect(updates.count == 2)
        let removed = ["plan", "rating", "seats", "tags", "wants_news"].map { "attributes.\($0)" }
        #expect(updates.last?.details == ["fields": removed.joined(separator: ", ")])
    }

    @Test(arguments: [
        ["other": "x"], ["plan": "gold"], ["seats": "three"], ["seats": "1.5"], ["wants_news": "yes"],
        ["born_at": "yesterday"], ["avatar_url": "longer than ten"], ["rating": "nan"],
    ]) func `a refused text changes nothing and is not audited`(texts: [String: String]) async throws {
        let world = try Self.world()
        try await world.registered()
        let before = try await world.events().count
        await #expect(throws: AdministrationProblem.self) {
            try await world.administration.changeProfile(
                of: ada, fullName: nil, attributes: texts.merging(["theme": "dark"]) { $1 }, removing: [])
        }
        #expect(try await world.account()?.attributes == [:])
        #expect(try await world.events().count == before)
    }

    @Test func `an account is created with attributes`() async throws {
        let world = try Self.world()
        var record = AccountRecord()
        record.email = ada
        let account = try await world.administration.create(record, attributes: ["plan": "pro"], password: nil)
        #expect(account.attributes == ["plan": "pro"])
        record.email = "other@example.com"
        await #expect(throws: AdministrationProblem.self) {
            try await world.administration.create(record, attributes: ["plan": "gold"], password: nil)
        }
    }

    // MARK: Import and export

    @Test func `an export has the declared attributes, and its import makes the same account`() async throws {
        let world = try Self.world()
        try await world.registered()
        _ = try await world.administration.changeProfile(
            of: ada, fullName: nil, attributes: ["plan": "pro", "rating": "4", "tags": "a,b"], removing: [])
        let page = try await world.administration.exportAccounts(after: nil, limit: 10).page
        let line = try #require(page.first).line()
        #expect(
            String(decoding: line, as: UTF8.self).contains(#""attributes":{"plan":"pro","rating":4,"tags":["a","b"]}"#))
        let other = try Self.world()
        #expect(try await other.administration.importAccounts([AccountRecord(line: line)]) == [.added])
        #expect(try await other.account()?.attributes == world.account()?.attributes)
        let fewer = try World.vici { app in
            app.attributes = (try? AttributeDefinitions([AttributeDefinition("plan", .string)])) ?? .none
        }
        guard case .refused(let problem) = try await fewer.administration.importAccounts([AccountRecord(line: line)])[0]
        else { throw World.NothingCame() }
        #expect(problem.description == "attributes: rating_unknown")
    }

    @Test(arguments: [
        #"{"email":"a@b.cc","attributes":{"plan":"gold"}}"#, #"{"email":"a@b.cc","attributes":{"other":"x"}}"#,
        #"{"email":"a@b.cc","attributes":{"plan":{"a":1}}}"#, #"{"email":"a@b.cc","attributes":{"plan":null}}"#,
        #"{"email":"a@b.cc","attributes":["plan"]}"#, #"{"email":"a@b.cc","attributes":{"seats":1e400}}"#,
    ]) func `an import refuses a record whose attributes are not acceptable`(line: String) async throws {
        let world = try Self.world()
        do {
            let outcomes = try await world.administration.importAccounts([AccountRecord(line: Array(line.utf8))])
            guard case .refused = outcomes.first else {
                Issue.record("imported: \(line)")
                return
            }
        } catch {
            #expect(error is AdministrationProblem)
        }
        #expect(try await world.account("a@b.cc") == nil)
    }
}
