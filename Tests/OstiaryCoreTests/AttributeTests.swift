import Foundation
import OstiaryCore
import Testing

@Suite struct AttributeTests {
    @Test(arguments: ["a", "plan", "avatar_url", "line2", "a1_b2", String(repeating: "a", count: 64)])
    func `accepts a name of lower-case words`(name: String) { #expect(AttributeDefinition.isName(name)) }

    @Test(arguments: [
        "", "_", "Plan", "avatarUrl", "avatar-url", "avatar__url", "_plan", "plan_", "1plan", "line_2", "pl an", "plän",
        "plan\u{0}", String(repeating: "a", count: 65), "e\u{301}",
    ]) func `rejects any other name`(name: String) { #expect(!AttributeDefinition.isName(name)) }

    @Test func `definitions are found by their names`() throws {
        let definitions = try AttributeDefinitions([
            AttributeDefinition("plan", .string, allowed: ["free", "pro"]), AttributeDefinition("seats", .integer),
        ])
        #expect(definitions["plan"]?.allowed == ["free", "pro"])
        #expect(definitions["seats"]?.type == .integer)
        #expect(definitions["other"] == nil && definitions["Plan"] == nil && definitions[""] == nil)
        #expect(definitions.all.map(\.name) == ["plan", "seats"])
        #expect(AttributeDefinitions.none.isEmpty && !definitions.isEmpty)
    }

    @Test func `an attribute that its owner writes is visible`() {
        #expect(AttributeDefinition("bio", .string, access: .owner).isVisible)
        #expect(!AttributeDefinition("score", .integer).isVisible)
        #expect(AttributeDefinition("plan", .string, isVisible: true).isVisible)
    }

    @Test(arguments: [
        AttributeDefinition("Plan", .string), AttributeDefinition("plan", .string, maximum: 0),
        AttributeDefinition("plan", .string, maximum: 8193), AttributeDefinition("tags", .stringList, maximum: 101),
        AttributeDefinition("seats", .integer, maximum: 5), AttributeDefinition("seats", .integer, allowed: ["1"]),
        AttributeDefinition("plan", .string, allowed: []), AttributeDefinition("plan", .string, allowed: ["a", "a"]),
        AttributeDefinition("plan", .string, allowed: [""]),
        AttributeDefinition("plan", .string, maximum: 3, allowed: ["long"]),
        AttributeDefinition("plan", .string, allowed: [String(repeating: "x", count: 201)]),
        AttributeDefinition("plan", .string, allowed: (0...100).map { "\($0)" }),
    ]) func `rejects a definition that contradicts itself`(definition: AttributeDefinition) {
        #expect(throws: AttributeDefinitionProblem.self) { try AttributeDefinitions([definition]) }
    }

    @Test func `rejects a name twice, and too many`() throws {
        let plan = AttributeDefinition("plan", .string)
        #expect(throws: AttributeDefinitionProblem.self) { try AttributeDefinitions([plan, plan]) }
        let many = (0...AttributeDefinitions.maximumCount).map { AttributeDefinition("a\($0)", .string) }
        _ = try AttributeDefinitions(Array(many.dropLast()))
        #expect(throws: AttributeDefinitionProblem.self) { try AttributeDefinitions(many) }
    }

    static let values: [AttributeValue] = [
        "text", "", "e\u{301}", 7, -9_007_199_254_740_991, 1.5, true, false, ["a", "b"], .stringList([]),
    ]

    @Test(arguments: values) func `a value is read from the JSON that it writes`(value: AttributeValue) throws {
        let written = try JSONEncoder().encode(["x": value])
        #expect(try JSONDecoder().decode([String: AttributeValue].self, from: written) == ["x": value])
    }

    @Test(arguments: ["null", "{}", "[1]", "[[\"a\"]]", "{\"a\":1}"])
    func `other JSON is no value`(text: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([AttributeValue].self, from: Data("[\(text)]".utf8))
        }
    }

    @Test func `a value is returned as its type only`() {
        let values: [AttributeValue] = ["2026-11-25T12:30:15Z", 7, 1.5, true, ["a"]]
        #expect(values.map { $0.string != nil } == [true, false, false, false, false])
        #expect(values.map { $0.integer != nil } == [false, true, false, false, false])
        #expect(values.map { $0.number } == [nil, 7, 1.5, nil, nil])
        #expect(values.map { $0.boolean } == [nil, nil, nil, true, nil])
        #expect(values.map { $0.stringList } == [nil, nil, nil, nil, ["a"]])
        #expect(values.map { $0.date != nil } == [true, false, false, false, false])
    }
}
