import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct AttributeConfigurationTests {
    private func attributes(_ text: String, contract: String = "vici") throws -> AttributeDefinitions {
        try read("mode: development\napps:\n  app: {contract: \(contract), attributes: \(text)}\n").app("app")
            .settings()
            .attributes
    }

    private func refusal(_ text: String, contract: String = "vici") -> String? {
        OstiaryConfigurationTests.refusal(
            "mode: development\napps:\n  app:\n    contract: \(contract)\n    attributes: \(text)\n")
    }

    @Test func `reads every type with its bounds and defaults`() throws {
        let definitions = try attributes(
            """
            {avatar_url: {type: string, max: 500, access: owner},
             plan: {type: string, enum: [free, pro], access: admin, visible: true}, seats: {type: integer},
             rating: {type: number, visible: false}, wants_news: {type: boolean, access: owner, visible: true},
             tags: {type: string_list, max: 5, enum: [a, "true"]}, trial_ends_at: {type: date_time}}
            """)
        #expect(
            definitions.all == [
                AttributeDefinition("avatar_url", .string, access: .owner, maximum: 500),
                AttributeDefinition("plan", .string, isVisible: true, allowed: ["free", "pro"]),
                AttributeDefinition("seats", .integer), AttributeDefinition("rating", .number),
                AttributeDefinition("wants_news", .boolean, access: .owner, isVisible: true),
                AttributeDefinition("tags", .stringList, maximum: 5, allowed: ["a", "true"]),
                AttributeDefinition("trial_ends_at", .dateTime),
            ])
        #expect(definitions["avatar_url"]?.isVisible == true && definitions["rating"]?.isVisible == false)
        #expect(try attributes("{}").isEmpty)
        #expect(try read([:]).app("vici").settings().attributes.isEmpty)
    }

    @Test func `a value comes from the environment`() throws {
        let text = "mode: development\napps: {vici: {attributes: {plan: {type: string}}}}"
        let configuration = try read(text, ["OSTIARY_APPS_VICI_ATTRIBUTES_PLAN_ENUM": "free,pro"])
        #expect(try configuration.app("vici").attributes["plan"]?.allowed == ["free", "pro"])
    }

    static let refused: [(String, String)] = [
        ("[plan]", "attributes: needs keys below it (KEY: VALUE)"),
        ("{plan: string}", "attributes.plan: needs keys below it (KEY: VALUE)"),
        ("{plan: {}}", "attributes.plan.type: needs one of string, integer, number, boolean, string_list, date_time"),
        (
            "{plan: {type: text}}",
            "attributes.plan.type: needs one of string, integer, number, boolean, string_list, date_time"
        ),
        ("{plan: {type: string, access: user}}", "attributes.plan.access: needs one of owner, admin"),
        ("{plan: {type: string, default: x}}", "attributes.plan.default: is not a known key"),
        ("{plan: {type: string, max: 0}}", "attributes.plan.max: needs a whole number from 1 to 8192"),
        ("{plan: {type: string, max: 8193}}", "attributes.plan.max: needs a whole number from 1 to 8192"),
        ("{tags: {type: string_list, max: 101}}", "attributes.tags.max: needs a whole number from 1 to 100"),
        ("{seats: {type: integer, max: 5}}", "attributes.seats.max: must not be here: the type integer has no length"),
        ("{seats: {type: integer, enum: [\"1\"]}}", "attributes.seats: must not have an enum: its values are no texts"),
        ("{plan: {type: string, enum: []}}", "attributes.plan: needs an enum of 1 to 100 texts of 1 to 200 bytes"),
        (
            "{plan: {type: string, max: 3, enum: [long]}}",
            "attributes.plan: needs an enum of 1 to 100 texts of 1 to 3 bytes"
        ),
        ("{plan: {type: string, enum: [a, a]}}", "attributes.plan: needs an enum without duplicates"),
        (
            "{bio: {type: string, access: owner, visible: false}}",
            "attributes.bio.visible: must not be false: an attribute that its owner writes is visible"
        ),
        (
            "{avatarUrl: {type: string}}",
            "attributes.avatarUrl: needs a name of lower-case words of letters and digits, joined by _, each beginning with a letter, at most 64 bytes long"
        ),
        (
            "{line_2: {type: string}}",
            "attributes.line_2: needs a name of lower-case words of letters and digits, joined by _, each beginning with a letter, at most 64 bytes long"
        ),
        (
            "{\(String(repeating: "a", count: 65)): {type: string}}",
            "attributes.\(String(repeating: "a", count: 64)): needs a name of lower-case words of letters and digits, joined by _, each beginning with a letter, at most 64 bytes long"
        ),
        ("{email: {type: string}}", "attributes.email: needs another name: email is a name of the contract vici"),
        ("{name: {type: string}}", "attributes.name: needs another name: name is a name of the contract vici"),
        (
            "{full_name: {type: string}}",
            "attributes.full_name: needs another name: full_name is a name of the contract vici"
        ),
        (
            "{access_token: {type: string}}",
            "attributes.access_token: needs another name: access_token is a name of the contract vici"
        ),
        ("{code: {type: string}}", "attributes.code: needs another name: code is a name of the contract vici"),
    ]

    @Test(arguments: refused) func `refuses a declaration by its place`(text: String, line: String) {
        #expect(refusal(text) == "ostiary.yaml:5: apps.app.\(line)")
    }

    @Test func `refuses a name of the contract in every contract, and too many`() {
        for (contract, name) in [("barqnet", "success"), ("clarity", "detail"), ("timetracker", "username")] {
            #expect(
                refusal("{\(name): {type: string}}", contract: contract)?.contains("is a name of the contract") == true)
            #expect(refusal("{plan: {type: string}}", contract: contract) == nil)
        }
        let many = (0...50).map { "a\($0): {type: boolean}" }.joined(separator: ", ")
        #expect(refusal("{\(many)}")?.hasSuffix("attributes: needs at most 50 attributes") == true)
    }

    @Test func `shows what it reads again`() throws {
        let text = """
            mode: development
            apps:
              vici:
                attributes:
                  avatar_url: {type: string, access: owner}
                  plan: {type: string, enum: [free, "true"], visible: true}
                  seats: {type: integer}
            """
        let shown = try read(text).show()
        #expect(shown.contains("max: 1000") && shown.contains("type: integer"))
        #expect(try read(shown).show() == shown)
        #expect(try read(shown).app("vici").attributes == read(text).app("vici").attributes)
    }
}
