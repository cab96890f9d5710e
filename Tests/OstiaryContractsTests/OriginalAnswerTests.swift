import Foundation
import OstiaryContracts
import OstiaryCore
import Testing

/// How a client understands backends that are not ours, whose error bodies have no code.
@Suite struct OriginalAnswerTests {
    private func refusal<Call: AuthOperation>(
        _ status: Int, _ body: String, to call: Call.Type, _ contract: Contract, headers: [String: String] = [:]
    ) throws -> AuthError? {
        let codec = try Codec(contract)
        do {
            _ = try codec.read(WireResponse(status: status, headers: headers, body: body.bytes), to: call)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a bare 401 is what it means where it comes from`() throws {
        for body in ["", "{}", "{\"error\":\"no\"}", "<html>", "Unauthorized"] {
            #expect(try refusal(401, body, to: SignIn.self, .vici) == .wrongCredentials)
            #expect(try refusal(401, body, to: Refresh.self, .vici) == .refreshTokenInvalid)
            #expect(try refusal(401, body, to: CurrentUser.self, .vici) == .invalidAccessToken)
            #expect(try refusal(401, body, to: ResetPassword.self, .vici) == .resetTokenRefused)
            #expect(try refusal(401, body, to: VerifyCode.self, .barqnet) == .codeRefused)
            #expect(try refusal(401, body, to: AnswerChallenge.self, .clarity) == .wrongCredentials)
            #expect(try refusal(401, body, to: CompleteBrowserSignIn.self, .timetracker) == .authorizationRefused)
        }
    }

    @Test func `other statuses are understood without a code`() throws {
        #expect(try refusal(403, "", to: CurrentUser.self, .clarity) == .forbidden)
        #expect(try refusal(409, "", to: Register.self, .clarity) == .identifierTaken)
        #expect(try refusal(429, "", to: SignIn.self, .clarity) == .tooManyAttempts(retryAfterSeconds: 1))
        let told = ["retry-after": "17"]
        #expect(
            try refusal(429, "", to: SignIn.self, .clarity, headers: told) == .tooManyAttempts(retryAfterSeconds: 17))
        for status in [408, 425, 500, 502, 503, 504, 599] {
            #expect(try refusal(status, "<html>", to: Refresh.self, .clarity) == .unavailable(incident: nil))
        }
    }

    @Test func `an empty incident is none`() throws {
        let body = "{\"code\":\"unavailable\",\"incident\":\"\"}"
        #expect(try refusal(503, body, to: Refresh.self, .clarity) == .unavailable(incident: nil))
    }

    @Test func `the backend's own words reach the person`() throws {
        let error = try refusal(400, "{\"detail\":\"That will not do.\"}", to: Register.self, .clarity)
        #expect(error == .rejected(status: 400, message: "That will not do."))
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "{\"access_token\":1}",
        "{\"access_token\":null,\"refresh_token\":\"r\",\"expires_in\":1}",
        "<html>", "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":\"3600\"}",
        "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":1,\"user\":{\"id\":\"1\",\"email\":\"nonsense\"}}",
    ]) func `a success that is none of the contract's is told apart from a refusal`(body: String) throws {
        guard case .rejected(status: 200, _) = try refusal(200, body, to: SignIn.self, .clarity) else {
            Issue.record("understood as something else")
            return
        }
    }

    @Test func `members that the contract does not know are ignored`() throws {
        let body = "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":1,\"user\":null,\"scope\":\"x\"}"
        #expect(try refusal(200, body, to: SignIn.self, .clarity) == nil)
    }

    @Test(arguments: ["", " ", "a b", "a\r\nX-Evil: 1", "a\u{0}", "caf\u{E9}"], ["accessToken", "refreshToken"])
    func `a token that cannot be sent again is no token`(_ token: String, _ field: String) throws {
        var body: [String: String] = ["accessToken": "one", "refreshToken": "two"]
        body[field] = token
        let answer = WireResponse(status: 200, body: Array(try JSONEncoder().encode(body)))
        let codec = try Codec(.vici)
        #expect(throws: AuthError.self) { try codec.read(answer, to: Refresh.self) }
    }

    @Test func `an absent optional member is as good as null`() throws {
        let clarity = "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":1}"
        #expect(try refusal(200, clarity, to: SignIn.self, .clarity) == nil)
        #expect(try refusal(200, "{\"id\":\"1\",\"username\":\"j\"}", to: CurrentUser.self, .timetracker) == nil)
    }

    @Test(arguments: [200, 202, 204], ["", "{}", "OK", "<html>", "{\"x\":1}"])
    func `any success is one where nothing is told`(status: Int, body: String) throws {
        #expect(try refusal(status, body, to: SignOut.self, .timetracker) == nil)
        #expect(try refusal(status, body, to: RequestPasswordReset.self, .vici) == nil)
    }

    @Test func `an envelope that says failure is a failure whatever the status`() throws {
        let body = "{\"success\":false,\"error\":\"The number is not known.\"}"
        let error = AuthError.rejected(status: 200, message: "The number is not known.")
        #expect(try refusal(200, body, to: SignOut.self, .barqnet) == error)
        #expect(try refusal(200, body, to: SignIn.self, .barqnet) == error)
    }

    @Test func `an unknown code is told by its status`() throws {
        let body = "{\"error\":\"no\",\"code\":\"of_the_future\"}"
        #expect(try refusal(401, body, to: Refresh.self, .vici) == .refreshTokenInvalid)
        #expect(try refusal(418, body, to: Refresh.self, .vici) == .rejected(status: 418, message: "no"))
    }

    @Test func `a redirect without a place is no success`() throws {
        #expect(try refusal(302, "", to: BeginBrowserSignIn.self, .timetracker) != nil)
        #expect(try refusal(200, "{}", to: BeginBrowserSignIn.self, .timetracker) != nil)
    }

    @Test func `no message prints what it carries`() throws {
        let codec = try Codec(.vici)
        let request = try codec.write(Refresh(refreshToken: Secret("hush-hush")))
        let response = codec.write(
            Tokens(accessToken: Secret("hush-hush"), expiresIn: nil, refreshToken: nil), to: .refresh)
        let me = try codec.write(CurrentUser(accessToken: Secret("hush-hush")))
        let fields = Refresh(refreshToken: Secret("hush-hush")).fields
        let bytes = "\(Array("hush-hush".utf8))".dropFirst().dropLast()
        for value in [request, response, me, fields] as [any Sendable] {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), String(describing: [value]), dumped] {
                #expect(!text.contains("hush") && !text.contains(bytes))
            }
        }
    }
}
