import Foundation
@testable import OstiaryContracts
import OstiaryCore
import Testing

/// `Documentation/contracts.md` tells what the code does.
@Suite struct DocumentationTests {
    private func page() throws -> String {
        try String(contentsOf: Tested.root.appending(path: "Documentation/contracts.md"), encoding: .utf8)
    }

    @Test func `names every field and every operation`() throws {
        let page = try page()
        for field in Field.allCases { #expect(page.contains("`\(field.rawValue)`"), "\(field)") }
        for kind in OperationKind.allCases { #expect(page.contains("| `\(kind.rawValue)` |"), "\(kind)") }
    }

    @Test func `names every key of a contract`() throws {
        let page = try page()
        for contract in Tested.contracts {
            guard case .object(let members) = try contract.json() else { continue }
            for member in members { #expect(page.contains("| `\(member.name)` |"), "\(member.name)") }
        }
    }

    @Test func `names every rule and its default`() throws {
        let page = try page()
        let contract = Contract(name: "mine", rules: AppRules(identifier: .email), prefix: "")
        guard case .object(let rules)? = try contract.json()["rules"],
            case .object(let variables)? = try contract.json()["rules"]?["environment"]
        else {
            Issue.record("no rules")
            return
        }
        for member in rules { #expect(page.contains("| `\(member.name)` |"), "\(member.name)") }
        for member in variables {
            let line = page.split(separator: "\n").first { $0.hasPrefix("| `environment.\(member.name)` |") }
            let value = if case .string(let name) = member.value { name } else { "false" }
            #expect(line?.hasSuffix("| `\(value)` |") == true, "\(member.name)")
        }
    }

    @Test(arguments: AppRules.IdentifierKind.tested) func `tells the derived endpoints`(
        identifier: AppRules.IdentifierKind
    ) throws {
        let page = try page()
        let contract = Contract(
            name: "mine", rules: AppRules(identifier: identifier, refresh: RefreshRules()), prefix: "")
        for (kind, endpoint) in contract.operations {
            let line = page.split(separator: "\n").last { $0.hasPrefix("| `\(kind.rawValue)` |") }
            #expect(line?.contains("`\(endpoint.method.rawValue) \(endpoint.path)`") == true, "\(kind)")
            for use in endpoint.takes ?? [] where use.field != contract.rules.identifierField {
                #expect(line?.contains("`\(use.field.rawValue)\(use.isOptional ? "?" : "")`") == true, "\(kind)")
            }
        }
    }

    @Test func `its smallest contract is one`() throws {
        let page = try page()
        let start = try #require(page.range(of: "```json\n"))
        let end = try #require(page.range(of: "```", range: start.upperBound..<page.endIndex))
        let contract = try Contract.read(Array(page[start.upperBound..<end.lowerBound].utf8))
        #expect(contract.operations.count >= 10)
    }
}

extension AppRules.IdentifierKind {
    fileprivate static let tested: [Self] = [.email, .phoneNumber, .username, .subject]
}
