import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct UnauthorizedTests {
    /// A server that accepts tokens from that number on.
    private func sample(
        accepting first: Int, contract: Contract = .clarity, tokens: ScriptedTokens, refusal: String = "{}"
    ) throws -> SampleAPI {
        try SampleAPI(contract: contract, tokens: tokens) { call, _ in
            let number = call.bearer.flatMap { Int($0.dropFirst("access-".count)) } ?? 0
            return number >= first
                ? WireResponse(status: 200) : WireResponse(status: 401, body: Array(refusal.utf8))
        }
    }

    private func replacing(with number: Int) -> ScriptedTokens {
        ScriptedTokens(replace: { _, _ throws(ClientError) in try .number(number) })
    }

    @Test(arguments: ["GET", "POST", "PATCH", "DELETE"])
    func `repeats a request once with another token`(_ method: String) async throws {
        let sample = try sample(accepting: 2, tokens: replacing(with: 2))
        let events = try await sample.events {
            let answer = try await sample.send(method)
            #expect(answer.status == 200)
        }
        #expect(sample.bearers == ["access-1", "access-2"] && sample.tokens.replaced == ["access-1"])
        #expect(events == [.replayed, .request(status: 200, failure: nil)])
        #expect(sample.time.sleeps.isEmpty)
    }

    @Test func `hands a second 401 to the caller, and does not go round in circles`() async throws {
        let sample = try sample(accepting: 100, tokens: replacing(with: 2))
        let events = await sample.events {
            await #expect(throws: ClientError.unauthorized) { try await sample.send() }
        }
        #expect(sample.bearers == ["access-1", "access-2"] && sample.tokens.replaced == ["access-1"])
        #expect(events.last == .request(status: 401, failure: "unauthorized"))
    }

    @Test(arguments: [ClientError.offline, .temporarilyUnavailable, .sessionEnded(.refreshTokenReused), .unauthorized])
    func `says why there is no other token`(_ error: ClientError) async throws {
        let tokens = ScriptedTokens(replace: { _, _ throws(ClientError) in throw error })
        let sample = try sample(accepting: 2, tokens: tokens)
        await #expect(throws: error) { try await sample.send() }
        #expect(sample.bearers == ["access-1"])
    }

    @Test(arguments: [Contract.timetracker, .viewvault])
    func `ends the session over a 401 where there is no refresh`(_ contract: Contract) async throws {
        let sample = try sample(accepting: 2, contract: contract, tokens: ScriptedTokens())
        await #expect(throws: ClientError.sessionEnded(.invalidAccessToken)) { try await sample.send() }
        #expect(sample.bearers == ["access-1"])
    }

    @Test(arguments: [Contract.timetracker, .viewvault])
    func `ends the session over a second 401 where there is no refresh`(_ contract: Contract) async throws {
        let tokens = ScriptedTokens(replace: { used, refusal throws(ClientError) in
            guard try used == .number(1) else { throw .sessionEnded(refusal) }
            return try .number(2)
        })
        let sample = try sample(accepting: 3, contract: contract, tokens: tokens)
        await #expect(throws: ClientError.sessionEnded(.invalidAccessToken)) { try await sample.send() }
        #expect(sample.bearers == ["access-1", "access-2"] && tokens.replaced == ["access-1", "access-2"])
    }

    @Test(arguments: [AuthError.sessionRevoked, .accountDisabled, .invalidAccessToken])
    func `passes on why the token was refused`(_ refusal: AuthError) async throws {
        let body = String(decoding: WireResponse.refusal(refusal).body, as: UTF8.self)
        let sample = try sample(accepting: 2, tokens: ScriptedTokens(), refusal: body)
        await #expect(throws: ClientError.sessionEnded(refusal)) { try await sample.send() }
    }

    @Test(arguments: ["", "no", "<html>", "[]", "{\"detail\":\"x\",\"code\":\"unheard_of\"}"])
    func `takes any 401 for one about the token`(_ body: String) async throws {
        let sample = try sample(accepting: 2, tokens: ScriptedTokens(), refusal: body)
        await #expect(throws: ClientError.sessionEnded(.invalidAccessToken)) { try await sample.send() }
    }

    @Test func `does not try a wrong password twice`() async throws {
        let body = String(decoding: WireResponse.refusal(.wrongCredentials).body, as: UTF8.self)
        let sample = try sample(accepting: 2, tokens: replacing(with: 2), refusal: body)
        await #expect(throws: ClientError.refused(.wrongCredentials)) { try await sample.send("POST") }
        #expect(sample.bearers.count == 1 && sample.tokens.replaced.isEmpty)
    }

    @Test func `does not repeat a request with a token of another person`() async throws {
        let tokens = ScriptedTokens(replace: { _, _ throws(ClientError) in try .number(2, of: "another") })
        let sample = try sample(accepting: 2, tokens: tokens)
        await #expect(throws: ClientError.notSignedIn) { try await sample.send() }
        #expect(sample.bearers == ["access-1"])
    }

    @Test func `has one other token for all repetitions together`() async throws {
        let tokens = replacing(with: 2)
        let sample = try SampleAPI(
            tokens: tokens, answers: .status(503), .status(401), .status(503), .status(401), .status(200))
        await #expect(throws: ClientError.unauthorized) { try await sample.send() }
        #expect(sample.transport.calls.count == 4 && tokens.replaced.count == 1)
    }

    @Test func `counts a repetition with another token as none of the retries`() async throws {
        let sample = try SampleAPI(
            tokens: replacing(with: 2), answers: .status(503), .status(503), .status(401), .status(503), .status(200))
        #expect(try await sample.send().status == 200)
        #expect(sample.time.sleeps == [.milliseconds(500), .seconds(1), .seconds(2)])
    }
}
