import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import Testing

/// Requests are bounded, and hostile ones cost no more than their length.
@Suite struct AdminLimitTests {
    private func codes(_ body: JSON) -> [String] {
        do throws(AdminInputProblem) {
            _ = try AdminAccountCreation.read(body, as: .request)
            return []
        } catch .invalid(let errors) {
            return errors.map { "\($0.pointer) \($0.code)" }
        } catch {
            return ["malformed"]
        }
    }

    @Test func `a text beyond its limit is refused in a request`() {
        let long = String(repeating: "a", count: 1025)
        #expect(codes(["full_name": .string(long)]) == ["/full_name too_long"])
        #expect(codes(["full_name": .string(String(long.dropLast()))]) == [])
        #expect(codes(["email": ""]) == ["/email missing"])
    }

    @Test func `an object without fixed members is bounded in members and names`() {
        let members = (0...128).map { JSON.Member("a\($0)", 1) }
        #expect(codes(["attributes": .object(members)]) == ["/attributes too_many"])
        let name = String(repeating: "n", count: 65)
        #expect(codes(["attributes": [name: 1]]) == ["/attributes unknown_field"])
    }

    @Test func `a list beyond its limit is refused`() {
        let roles = Array(repeating: AdminRoleAssignment("editor").json, count: 101)
        #expect(throws: AdminInputProblem.invalid([AdminFieldError(pointer: "/roles", code: "too_many")])) {
            try AdminRoleAssignments.read(["roles": .array(roles)], as: .request)
        }
    }

    @Test func `no more problems than the limit are collected, however many there are`() {
        let members = (0..<10_000).map { JSON.Member("x\($0)", 1) }
        guard
            case .invalid(let errors) = problem({ () throws(AdminInputProblem) in
                try AdminAccountCreation.read(.object(members), as: .request)
            })
        else {
            Issue.record("accepted")
            return
        }
        #expect(errors.count == AdminReader.maximumErrors)
    }

    @Test func `the pointer of an unknown member does not repeat a long name`() {
        let name = String(repeating: "n", count: 10_000)
        #expect(codes([name: 1]) == [" unknown_field"])
    }

    @Test(arguments: [
        String(repeating: "[", count: 100), #"{"email":"a","email":"b"}"#, "\u{FEFF}{}", "{} {}",
        #"{"email":"\ud800"}"#, "",
        #"{"email":"a\#(String(repeating: "\u{300}", count: 31))"}"#, "nan", "{'email':1}",
    ])
    func `what is not strict JSON is malformed`(text: String) {
        #expect(throws: AdminInputProblem.malformed) { try AdminAccountCreation.read(Array(text.utf8), as: .request) }
    }

    @Test(arguments: ["1", "200"]) func `a page has 1 to 200 items`(limit: String) throws {
        #expect(try AdminPageQuery.read(query: "limit=\(limit)").limit == Int(limit))
    }

    @Test(arguments: [
        ("limit=0", "/limit out_of_range"), ("limit=201", "/limit out_of_range"), ("limit=+1", "/limit mistyped"),
        ("limit=", "/limit mistyped"), ("limit=99999999999999999999", "/limit mistyped"),
        ("cursor=", "/cursor missing"),
        ("size=1", "/size unknown_field"),
    ])
    func `a parameter that is not acceptable is refused at its name`(query: String, expected: String) {
        let found = problem { () throws(AdminInputProblem) in try AdminPageQuery.read(query: query) }
        guard case .invalid(let errors) = found else {
            Issue.record("accepted")
            return
        }
        #expect(errors.map { "\($0.pointer) \($0.code)" } == [expected])
    }

    @Test(arguments: ["limit=1&limit=2", "limit=%zz", "q=%ff", "%00%ff=1"])
    func `a query that cannot be read, or names a parameter twice, is malformed`(query: String) {
        #expect(throws: AdminInputProblem.malformed) { try AdminAccountQuery.read(query: query) }
    }

    @Test(arguments: ["active=yes", "active=TRUE", "created_after=yesterday"])
    func `a parameter of another type is refused`(query: String) {
        #expect(throws: AdminInputProblem.self) { try AdminAccountQuery.read(query: query) }
    }

    @Test(arguments: Golden.requests.indices.filter { Golden.requests[$0].schemaName.hasSuffix("Query") })
    func `a query is written and read`(index: Int) throws {
        let json = try Golden.json(.requests, Golden.requests[index])
        #expect(try Golden.requests[index].queryRewritten(json) == json)
    }

    private func problem<Value>(_ read: () throws(AdminInputProblem) -> Value) -> AdminInputProblem? {
        do throws(AdminInputProblem) {
            _ = try read()
            return nil
        } catch { return error }
    }
}
