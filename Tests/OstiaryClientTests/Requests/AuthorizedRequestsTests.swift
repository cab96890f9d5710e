import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct AuthorizedRequestsTests {
    @Test(arguments: ["GET", "POST"])
    func `carries the token and says JSON, with or without a body`(_ method: String) async throws {
        let sample = try SampleAPI(answers: .status(200))
        _ = try await sample.send(method)
        #expect(
            sample.transport.calls.map(\.request.headers) == [
                [
                    "authorization": "Bearer access-1", "content-type": "application/json",
                    "accept": "application/json",
                ]
            ])
    }

    @Test func `leaves the caller's own types, and replaces a token that is the caller's`() async throws {
        let sample = try SampleAPI(answers: .status(200))
        let own = [
            "Accept": "image/png", "Content-Type": "text/csv", "X-Own": "1", "Authorization": "Bearer old",
            "Content-Length": "99",
        ]
        _ = try await sample.requests.send(WireRequest(method: "PUT", path: "/x", headers: own))
        #expect(
            sample.transport.calls.first?.request.headers == [
                "authorization": "Bearer access-1", "content-type": "text/csv", "accept": "image/png", "x-own": "1",
            ])
    }

    @Test(arguments: [
        "projects", "https://evil.example.com/", "/../x", "/a/../../x", "/%2e%2e/x", "/a/%2E./x", "/a b", "/a?b",
        "/a#b",
        "/ä", "/a\r\nb", "/a\u{0}", "@evil.example.com/x", ".evil.example.com/x", ":8443/x",
    ])
    func `never signs for anything that is not below the base URL`(_ path: String) async throws {
        let sample = try SampleAPI(answers: .status(200))
        let error = await #expect(throws: ClientError.self) { try await sample.send("GET", path) }
        guard case .invalidRequest(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(sample.transport.calls.isEmpty && !reason.contains("evil"))
    }

    @Test(arguments: [
        ["Host": "evil.example.com"], ["transfer-encoding": "chunked"], ["Connection": "close"], ["upgrade": "h2c"],
        ["Accept": "a", "accept": "b"],
    ])
    func `refuses headers that are the connection's, and two of one name`(_ headers: [String: String]) async throws {
        let sample = try SampleAPI(answers: .status(200))
        let error = await #expect(throws: ClientError.self) {
            try await sample.requests.send(WireRequest(method: "GET", path: "/x", headers: headers))
        }
        #expect(error?.name == "invalid_request" && sample.transport.calls.isEmpty)
    }

    @Test(arguments: ["a b", "a#b", "ä", "a\r\nb"])
    func `refuses a query that is not encoded`(_ query: String) async throws {
        let sample = try SampleAPI(answers: .status(200))
        let error = await #expect(throws: ClientError.self) {
            try await sample.requests.send(WireRequest(method: "GET", path: "/x", query: query))
        }
        #expect(error?.name == "invalid_request" && sample.transport.calls.isEmpty)
    }

    @Test(arguments: [200, 204, 302, 400, 403, 404, 409, 429, 500, 503])
    func `returns the answer whatever its status`(_ status: Int) async throws {
        let sample = try SampleAPI(options: RequestOptions(retries: .none), answers: .status(status, "x"))
        let events = try await sample.events {
            let answer = try await sample.send()
            #expect(answer == WireResponse(status: status, body: Array("x".utf8)))
        }
        #expect(events == [.request(status: status, failure: nil)])
    }

    @Test(arguments: [
        (TransportError.offline, ClientError.offline), (.connectionLost, .network(.connectionLost)),
        (.timedOut, .network(.timedOut)), (.untrusted, .network(.untrusted)),
        (.pinMismatch, .certificatePinningFailed),
        (.tooLarge(maximumBytes: 1), .network(.tooLarge(maximumBytes: 1))), (.notHTTP, .invalidResponse),
        (.cancelled, .cancelled),
    ])
    func `says why there is no answer`(_ error: TransportError, _ expected: ClientError) async throws {
        let sample = try SampleAPI(options: RequestOptions(retries: .none), answers: .failure(error))
        let events = await sample.events {
            await #expect(throws: expected) { try await sample.send() }
        }
        let pin: [ClientEvent] = error == .pinMismatch ? [.pinMismatch] : []
        #expect(events == pin + [.request(status: nil, failure: FailureCode(expected))])
    }

    @Test(arguments: [ClientError.notSignedIn, .locked, .offline, .sessionEnded(.refreshTokenExpired)])
    func `sends nothing without a token`(_ error: ClientError) async throws {
        let tokens = ScriptedTokens(current: { () throws(ClientError) in throw error })
        let sample = try SampleAPI(tokens: tokens, answers: .status(200))
        await #expect(throws: error) { try await sample.send() }
        #expect(sample.transport.calls.isEmpty)
    }

    @Test func `gives the transport what is left of the deadline`() async throws {
        let sample = try SampleAPI { _, time in
            time.advance(by: .seconds(4))
            return WireResponse(status: 500)
        }
        _ = try await sample.send(within: .seconds(20))
        // Waits of 0.5, 1 and 2 seconds between answers that take 4 each.
        #expect(
            sample.transport.calls.map(\.deadline) == [
                .seconds(20), .milliseconds(15_500), .milliseconds(10_500), .milliseconds(4500),
            ])
    }

    @Test func `has a deadline of a minute where nobody says`() async throws {
        let sample = try SampleAPI(answers: .status(200))
        _ = try await sample.send()
        #expect(sample.transport.calls.map(\.deadline) == [.seconds(60)])
    }

    @Test func `sends nothing when the deadline passed while the token was waited for`() async throws {
        let reference = Reference<TestClock>()
        let tokens = ScriptedTokens(current: { () throws(ClientError) in
            reference.value?.advance(by: .seconds(3))
            return try .number(1)
        })
        let sample = try SampleAPI(tokens: tokens, answers: .status(200))
        reference.value = sample.time
        await #expect(throws: ClientError.network(.timedOut)) { try await sample.send(within: .seconds(3)) }
        #expect(sample.transport.calls.isEmpty)
    }

    @Test func `does not begin after its deadline`() async throws {
        let sample = try SampleAPI(answers: .status(200))
        for deadline in [Duration.zero, .seconds(-1)] {
            await #expect(throws: ClientError.network(.timedOut)) { try await sample.send(within: deadline) }
        }
        #expect(sample.transport.calls.isEmpty)
    }

    // MARK: In whose name

    @Test func `never finishes one person's request in another's name`() async throws {
        let people = Script(["a", "b"])
        let tokens = ScriptedTokens(current: { () throws(ClientError) in
            try .number(1, of: (try? people.next()) ?? "", account: nil)
        })
        let sample = try SampleAPI(tokens: tokens, answers: .status(503))
        await #expect(throws: ClientError.notSignedIn) { try await sample.send() }
        #expect(sample.transport.calls.count == 1)
    }

    @Test func `sends nothing for an owner who is not signed in`() async throws {
        let sample = try SampleAPI(answers: .status(200))
        let request = WireRequest(method: "POST", path: "/notes")
        let other = try IssuedToken.number(7, of: "other")
        await #expect(throws: ClientError.notSignedIn) {
            try await sample.requests.send(request, of: other)
        }
        #expect(sample.transport.calls.isEmpty)
        #expect(try await sample.requests.send(request, of: .number(0)).status == 200)
    }

    @Test func `goes on with another session of the same account`() async throws {
        let sessions = Script(["a", "b"])
        let tokens = ScriptedTokens(current: { () throws(ClientError) in
            try .number(1, of: (try? sessions.next()) ?? "", account: "7")
        })
        let sample = try SampleAPI(tokens: tokens, answers: .status(503), .status(200))
        #expect(try await sample.send().status == 200)
    }

    @Test func `stops when the person signs out between two attempts`() async throws {
        let states = Script([true, false])
        let tokens = ScriptedTokens(current: { () throws(ClientError) in
            guard (try? states.next()) == true else { throw .notSignedIn }
            return try .number(1)
        })
        let sample = try SampleAPI(tokens: tokens, answers: .failure(.offline))
        await #expect(throws: ClientError.notSignedIn) { try await sample.send("POST") }
        #expect(sample.transport.calls.count == 1)
    }
}
