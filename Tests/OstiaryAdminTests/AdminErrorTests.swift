import OstiaryAdmin
import OstiaryTesting
import Testing

@Suite struct AdminErrorTests {
    private func error(_ answer: Reaction) async throws -> AdminError? {
        let sample = try Sample(answer)
        do throws(AdminError) {
            _ = try await sample.admin.account("7", in: "vici")
            return nil
        } catch { return error }
    }

    @Test func `a refusal has its status, code, pointers, scope and incident`() async throws {
        let more =
            #","detail":"An address is malformed.","scope":"accounts:write","incident":"9f","errors":[{"pointer":"/email","code":"malformed"}]"#
        let error = try #require(try await error(.problem(400, "invalid", more)))
        #expect(error.status == 400 && error.code == "invalid" && error.retryAfter == nil && !error.isRetryable)
        #expect(error.errors == [AdminFieldError(pointer: "/email", code: "malformed")])
        #expect(error.problem?.scope == "accounts:write" && error.problem?.incident == "9f")
        #expect("\(error)".contains("An address is malformed. (invalid)") && "\(error)".contains("/email: malformed"))
    }

    @Test func `a refusal names the missing scope once`() async throws {
        let detailed = #","detail":"The key lacks the scope accounts:read.","scope":"accounts:read""#
        let error = try #require(try await error(.problem(403, "missing_scope", detailed)))
        #expect("\(error)" == "The key lacks the scope accounts:read. (missing_scope)")
        let bare = try #require(try await self.error(.problem(403, "missing_scope", #","scope":"accounts:read""#)))
        #expect("\(bare)".hasSuffix("(missing_scope) The key needs the scope accounts:read."))
    }

    @Test func `the time to wait is the body's, else the header's`() async throws {
        let inBody = try await error(
            .problem(429, "too_many_requests", headers: ["retry-after": "90"], #","retry_after":40"#))
        #expect(inBody?.retryAfter == .seconds(40) && inBody?.isRetryable == true)
        let inHeader = try await error(.problem(429, "too_many_requests", headers: ["retry-after": "90"]))
        #expect(inHeader?.retryAfter == .seconds(90))
    }

    @Test func `the status is that of the answer, whatever its body says`() async throws {
        let error = try await error(.json(#"{"type":"","title":"","status":200,"code":"x"}"#, status: 404))
        #expect(error?.status == 404 && error?.code == "x")
    }

    @Test(arguments: ["", "<html>no</html>", "{}", "[]", #"{"code":7}"#, String(repeating: "[", count: 100_000)])
    func `a refusal of another form has the status as its code`(body: String) async throws {
        let error = try await error(.status(403, body: body))
        #expect(error?.status == 403 && error?.code == "http_403")
    }

    @Test(arguments: [301, 302, 307, 308]) func `a redirect is a refusal, and not followed`(status: Int) async throws {
        let sample = try Sample(.status(status, headers: ["location": "https://evil.example.com/"]))
        await #expect(throws: AdminError.self) { _ = try await sample.admin.account("7", in: "vici") }
        #expect(sample.network.calls.count == 1)
    }

    @Test(arguments: [
        "", "null", "[]", "{", #"{"id":7}"#, #"{"id":"7"}"#, String(repeating: #"{"a":"#, count: 10_000), "\u{FEFF}{}",
        #"{"id":"7","id":"8"}"#,
    ])
    func `an answer of another form is an error, and no crash`(body: String) async throws {
        #expect(try await error(.json(body)) == .invalidAnswer)
    }

    @Test func `a success with another status is no answer`() async throws {
        #expect(try await error(.value(AdminAccount(), status: 204)) == .invalidAnswer)
    }

    @Test func `every cut of an answer is an error, and no crash`() async throws {
        let bytes = AdminAccount().json.bytes
        for count in 0..<bytes.count {
            #expect(
                try await error(.answer(WireResponse(status: 200, body: Array(bytes.prefix(count))))) == .invalidAnswer)
        }
    }

    @Test func `a huge answer of a newer server is read`() async throws {
        var account = AdminAccount()
        account.fullName = String(repeating: "a", count: 1 << 20)
        let body = account.json.bytes.dropLast() + Array(#","future":[1,{"x":null}]}"#.utf8)
        let sample = try Sample(.answer(WireResponse(status: 200, body: Array(body))))
        #expect(try await sample.admin.account("7", in: "vici") == account)
    }

    @Test func `a text of the server that is not for people is not repeated`() async throws {
        let error = try #require(
            try await error(.problem(400, "in\\nvalid", #","detail":"\u001b[2J","incident":"a b""#)))
        #expect("\(error)".unicodeScalars.allSatisfy { $0.value >= 0x20 } && !"\(error)".contains("a b"))
    }

    @Test(arguments: ["", "..", "."]) func `an identifier that no path carries is refused before it is sent`(
        id: String
    ) async throws {
        let sample = try Sample(.status(500))
        await #expect(throws: AdminError.self) { _ = try await sample.admin.account(id, in: "vici") }
        #expect(sample.network.calls.isEmpty)
    }
}
