import Foundation
import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import Testing

@Suite struct AdminValueTests {
    @Test func `every value has a golden file`() throws {
        #expect(try Golden.names(.answers) == Set(Golden.answers.map { $0.schemaName }))
        #expect(try Golden.names(.requests) == Set(Golden.requests.map { $0.schemaName }))
    }

    @Test(arguments: Golden.all) func `a value is read and written to the byte`(sample: Sample) throws {
        let json = try sample.json()
        #expect(try sample.rewritten(json) == json)
    }

    @Test(arguments: Golden.all) func `the golden file has every member, each with a value`(sample: Sample) throws {
        let json = try sample.json()
        #expect(json.members.map(\.name) == sample.type.memberNames)
        for member in json.members {
            let without = try? sample.rewritten(json.replacing(member.name, with: nil))
            #expect(without != json, "\(member.name)")
        }
    }

    @Test(arguments: Golden.all) func `an unknown member is refused in a request and ignored in an answer`(
        sample: Sample
    ) throws {
        let json = try sample.json()
        let extended = json.adding("un/known~", true)
        if sample.kind == .requests {
            #expect(sample.problems(extended) == [AdminFieldError(pointer: "/un~1known~0", code: "unknown_field")])
        } else {
            #expect(try sample.rewritten(extended) == json)
        }
    }

    @Test(arguments: Golden.all) func `a member of another type is a problem at its pointer`(sample: Sample) throws {
        let json = try sample.json()
        let values: [JSON] = [true, 1, .number(1e300), "x", [], [["x": 1]], [:], ["items": "x"], .null]
        for member in json.members {
            for value in values {
                let changed = json.replacing(member.name, with: value)
                for problem in sample.problems(changed) {
                    #expect(problem.pointer == "/\(member.name)" || problem.pointer.hasPrefix("/\(member.name)/"))
                }
            }
            let wrong: JSON = if case .boolean = member.value { "x" } else { true }
            #expect(
                sample.problems(json.replacing(member.name, with: wrong))
                    == [AdminFieldError(pointer: "/\(member.name)", code: "mistyped")])
        }
    }

    @Test(arguments: Golden.all) func `bytes that end early are malformed`(sample: Sample) throws {
        let bytes = Array(try Golden.bytes(sample.kind, sample.type.schemaName).dropLast())
        for count in 0..<bytes.count {
            #expect(throws: AdminInputProblem.malformed) {
                try sample.type.check(Array(bytes.prefix(count)), sample.mode)
            }
        }
    }

    @Test func `members map to the properties of an account`() throws {
        let account = try AdminAccount.read(Golden.json(.answers, AdminAccount.self), as: .answer)
        #expect(account.id == "7" && account.app == "vici" && account.email == "jo@example.com")
        #expect(account.isEmailVerified && account.isPhoneNumberVerified && !account.isActive && account.hasPassword)
        #expect(
            account.attributes["seats"] == 3 && account.roles == [AdminRoleAssignment("editor", scope: "project:42")])
        #expect(account.createdAt < account.updatedAt && account.lastSignInAt.map { account.updatedAt < $0 } == true)
    }

    @Test func `a value without content is null, and left out where it exists at creation only`() {
        var endpoint = AdminEventEndpoint()
        endpoint.id = "ep_1"
        #expect(endpoint.json["description"] == .null && endpoint.json["last_success_at"] == .null)
        #expect(endpoint.json["secret"] == nil)
        #expect(AdminProblemDetails().json["errors"] == nil)
    }

    @Test func `a merge patch tells absent, null and a value apart`() throws {
        func patch(_ text: String) throws -> AdminAccountPatch {
            try AdminAccountPatch.read(Array(text.utf8), as: .request)
        }
        #expect(try patch("{}").email == .keep)
        #expect(try patch(#"{"email":null}"#).email == .remove)
        #expect(try patch(#"{"email":"jo@example.com"}"#).email == .set("jo@example.com"))
        #expect(try patch(#"{"email":null}"#).json.bytes == Array(#"{"email":null}"#.utf8))
        #expect(throws: AdminInputProblem.invalid([AdminFieldError(pointer: "/active", code: "missing")])) {
            try patch(#"{"active":null}"#)
        }
        #expect(AdminChange("a").applied(to: "b") == "a" && AdminChange<String>(nil).applied(to: "b") == nil)
        #expect(AdminChange<String>.keep.applied(to: "b") == "b")
    }

    @Test func `all problems are reported at once, each with its pointer`() {
        let body = #"{"roles":[{"role":""},{"role":"editor","scope":"a b"},{"scope":null,"x/y":1},7]}"#
        #expect(
            throws: AdminInputProblem.invalid([
                AdminFieldError(pointer: "/roles/0/role", code: "missing"),
                AdminFieldError(pointer: "/roles/1/scope", code: "malformed"),
                AdminFieldError(pointer: "/roles/2/x~1y", code: "unknown_field"),
                AdminFieldError(pointer: "/roles/2/role", code: "missing"),
                AdminFieldError(pointer: "/roles/3", code: "mistyped"),
            ])
        ) { try AdminRoleAssignments.read(Array(body.utf8), as: .request) }
    }

    @Test func `a newer server's state is kept, and refused in a request`() throws {
        let json = try Golden.json(.answers, AdminMessage.self).replacing("state", with: "bounced")
        #expect(try AdminMessage.read(json, as: .answer).state == AdminMessageState(rawValue: "bounced"))
        #expect(throws: AdminInputProblem.invalid([AdminFieldError(pointer: "/state", code: "not_supported")])) {
            try AdminMessageQuery.read(query: "state=bounced")
        }
    }

    @Test func `a position of a nested member is escaped`() {
        #expect(AdminFieldError(path: ["attributes", "a/b~c"], code: "malformed").pointer == "/attributes/a~1b~0c")
    }
}

extension AdminValue {
    fileprivate static var memberNames: [String] { members.map(\.name) }
    fileprivate static func check(_ bytes: [UInt8], _ mode: AdminReader.Mode) throws { _ = try read(bytes, as: mode) }
}
