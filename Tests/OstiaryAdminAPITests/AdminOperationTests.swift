import Foundation
import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import Testing

@Suite struct AdminOperationTests {
    @Test func `the operations are those of the documentation`() throws {
        let text = try String(contentsOf: Golden.folder.appending(path: "operations.txt"), encoding: .utf8)
        let lines = AdminAPI.operations.map { operation in
            [
                operation.name, operation.method.rawValue, operation.path, operation.scope?.rawValue ?? "-",
                name(operation.query), name(operation.body), name(operation.answer), String(operation.status),
            ].joined(separator: " ")
        }
        #expect(Set(lines) == Set(text.split(separator: "\n").map { String($0) }))
        #expect(lines.count == Set(AdminAPI.operations.map(\.name)).count)
    }

    private func name(_ type: any AdminValue.Type) -> String { type == AdminEmpty.self ? "-" : type.schemaName }

    @Test func `every scope is needed by an operation`() {
        #expect(Set(AdminAPI.operations.compactMap(\.scope)) == Set(AdminScope.allCases))
    }

    @Test(arguments: AdminAPI.operations.indices) func `an operation is found by the path it is written to`(
        index: Int
    ) throws {
        let operation = AdminAPI.operations[index]
        let values = operation.pathParameters.map { "\($0) /ü%" }
        let path = try #require(operation.path(values))
        let below = String(path.dropFirst(AdminAPI.basePath.count))
        guard case .found(let found, let read) = AdminAPI.match(method: operation.method.rawValue, path: below) else {
            Issue.record("not found: \(path)")
            return
        }
        #expect(found.name == operation.name && read == values)
    }

    @Test func `a path of another method names the allowed ones`() {
        guard case .wrongMethod(let allowed) = AdminAPI.match(method: "PUT", path: "/apps/vici/accounts/7") else {
            Issue.record("found")
            return
        }
        #expect(allowed == [.get, .patch, .delete])
    }

    @Test(arguments: [
        "", "/", "/app", "/apps/", "/apps//accounts", "/apps/vici/accounts/7/", "/apps/vici/accounts/7/unknown",
        "/apps/%zz/accounts", "apps", "/apps/%ff/accounts",
    ])
    func `another path belongs to no operation`(path: String) {
        guard case .unknownPath = AdminAPI.match(method: "GET", path: path) else {
            Issue.record("found")
            return
        }
    }

    @Test(arguments: ["", ".", ".."]) func `a path carries no value that a URL parser would remove`(value: String) {
        #expect(AdminAPI.getAccount.operation.path(["vici", value]) == nil)
        #expect(AdminAPI.getAccount.operation.path(["vici"]) == nil)
        #expect(AdminAPI.getAccount.operation.path(["vici", "7", "8"]) == nil)
    }

    @Test(arguments: [
        ("application/json", true), ("application/json; charset=utf-8", true), ("Application/JSON", true),
        ("application/json; charset=latin1", false), ("text/plain", false), ("application/merge-patch+json", false),
    ])
    func `a body is JSON in UTF-8`(mediaType: String, isAccepted: Bool) {
        #expect(AdminAPI.createAccount.operation.accepts(mediaType: mediaType) == isAccepted)
    }

    @Test func `a patch may also be a merge patch`() {
        #expect(AdminAPI.updateAccount.operation.accepts(mediaType: "application/merge-patch+json"))
        #expect(AdminAPI.updateAccount.operation.accepts(mediaType: "application/json"))
        #expect(!AdminAPI.updateAccount.operation.accepts(mediaType: nil))
    }

    @Test func `an operation without a body accepts no bytes and an empty object`() throws {
        #expect(try AdminAPI.disableAccount.readBody([]) == AdminEmpty())
        #expect(try AdminAPI.disableAccount.readBody(Array("{}".utf8)) == AdminEmpty())
        #expect(throws: AdminInputProblem.self) { try AdminAPI.disableAccount.readBody(Array(#"{"x":1}"#.utf8)) }
        #expect(throws: AdminInputProblem.malformed) { try AdminAPI.createAccount.readBody([]) }
    }
}

@Suite struct AdminOpenAPITests {
    private let document = AdminAPI.openAPI(version: "1.2.3")

    @Test func `describes every operation once, and itself`() throws {
        var names: [String] = []
        for path in document["paths"]?.members ?? [] {
            for method in path.value.members {
                guard case .string(let name) = method.value["operationId"] else { continue }
                names.append(name)
            }
        }
        #expect(names.sorted() == (AdminAPI.operations.map(\.name) + ["openAPI"]).sorted())
    }

    @Test func `every reference leads to a component`() {
        var found: Set<String> = []
        func look(_ json: JSON) {
            switch json {
            case .object(let members):
                for member in members {
                    if member.name == "$ref", case .string(let text) = member.value { found.insert(text) }
                    look(member.value)
                }
            case .array(let elements): elements.forEach(look)
            default: break
            }
        }
        look(document)
        #expect(found.count > 40)
        for reference in found {
            let parts = reference.split(separator: "/")
            #expect(
                parts.count == 4 && document["components"]?[String(parts[2])]?[String(parts[3])] != nil, "\(reference)")
        }
    }

    @Test func `an answer has all its members, a request those that it must have`() {
        let schemas = document["components"]?["schemas"]
        #expect(schemas?["Role"]?["required"] == ["name", "permissions", "source"])
        #expect(schemas?["RoleAssignment"]?["required"] == ["role"])
        #expect(schemas?["AccountPatch"]?["required"] == nil)
        #expect(schemas?["Account"]?["additionalProperties"] == false)
        #expect(schemas?["Account"]?["properties"]?["email"]?["type"] == ["string", "null"])
    }

    @Test func `names the scope, and the key of a repetition`() {
        let operation = document["paths"]?["/admin/v1/apps/{app}/accounts"]?["post"]
        #expect(operation?["x-scope"] == "accounts:write")
        guard case .array(let parameters) = operation?["parameters"] else {
            Issue.record("no parameters")
            return
        }
        #expect(parameters.compactMap { $0["name"] } == ["app", "Idempotency-Key"])
    }
}
