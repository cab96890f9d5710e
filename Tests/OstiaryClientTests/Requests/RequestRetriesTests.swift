import Foundation
import OstiaryContracts
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct RequestRetriesTests {
    @Test func `repeats a GET three times, waiting longer each time, and then hands over the last answer`() async throws
    {
        let sample = try SampleAPI(answers: .status(502), .status(500), .failure(.connectionLost), .status(503, "last"))
        let answer = try await sample.send()
        #expect(answer.status == 503 && answer.body == Array("last".utf8))
        #expect(sample.time.sleeps == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test(arguments: [nil, "5"]) func `PT-35: does not repeat what is not configured`(retryAfter: String?) async throws
    {
        let headers = retryAfter.map { ["retry-after": $0] } ?? [:]
        let sample = try SampleAPI(
            answers: .status(503, #"{"error":"","code":"not_configured"}"#, headers: headers))
        #expect(try await sample.send().status == 503)
        #expect(sample.transport.calls.count == 1)
        let other = try SampleAPI(
            answers: .status(503, #"{"error":"","code":"busy"}"#, headers: headers), .status(200))
        #expect(try await other.send().status == 200)
    }

    @Test(arguments: ["POST", "PATCH"])
    func `does not repeat what may have been done`(_ method: String) async throws {
        let answered = try SampleAPI(answers: .status(503))
        #expect(try await answered.send(method).status == 503)
        let lost = try SampleAPI(answers: .failure(.connectionLost))
        await #expect(throws: ClientError.network(.connectionLost)) { try await lost.send(method) }
        #expect(answered.transport.calls.count == 1 && lost.transport.calls.count == 1)
    }

    @Test func `repeats a POST with an idempotency key, byte for byte`() async throws {
        let sample = try SampleAPI(answers: .failure(.connectionLost), .status(201))
        let request = WireRequest(
            method: "POST", path: "/notes", query: "a=b", headers: ["Idempotency-Key": "k"], body: Array("{}".utf8))
        #expect(try await sample.requests.send(request).status == 201)
        let sent = sample.transport.calls.map(\.request)
        #expect(sent.count == 2 && sent[0] == sent[1] && sent[0].headers["idempotency-key"] == "k")
    }

    @Test func `repeats a POST that never left`() async throws {
        let sample = try SampleAPI(answers: .failure(.offline), .failure(.offline), .status(201))
        #expect(try await sample.send("POST").status == 201)
    }

    @Test func `takes a fresh token for each attempt`() async throws {
        let numbers = Script([1, 2, 3])
        let tokens = ScriptedTokens(current: { () throws(ClientError) in try .number((try? numbers.next()) ?? 0) })
        let sample = try SampleAPI(tokens: tokens, answers: .status(503), .status(503), .status(200))
        _ = try await sample.send()
        #expect(sample.bearers == ["access-1", "access-2", "access-3"])
    }

    @Test func `cuts one attempt short where the options say so, but none that may not be repeated`() async throws {
        let options = RequestOptions(retries: RetryPolicy(attemptDeadline: .seconds(10)), limit: nil)
        let sample = try SampleAPI(options: options, answers: .status(200))
        _ = try await sample.send("GET")
        _ = try await sample.send("GET", within: .seconds(5))
        _ = try await sample.send("POST")
        #expect(sample.transport.calls.map(\.deadline) == [.seconds(10), .seconds(5), .seconds(60)])
    }

    @Test func `does not wait beyond its deadline`() async throws {
        let sample = try SampleAPI(answers: .failure(.offline))
        await #expect(throws: ClientError.offline) { try await sample.send(within: .seconds(1)) }
        #expect(sample.time.sleeps == [.milliseconds(500)])
    }

    @Test func `ends a wait when the task is cancelled`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { _ throws(TransportError) in throw .offline }
        let requests = AuthorizedRequests(
            auth: try RemoteAuth(contract: .clarity, baseURL: try .sample, transport: transport),
            tokens: ScriptedTokens(), system: clock.system, options: RequestOptions(), events: Broadcast())
        let task = Task { try await requests.send(WireRequest(method: "GET", path: "/x")) }
        try await clock.sleepers(1)
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        #expect(transport.calls.count == 1)
    }

    // MARK: Retry-After

    @Test(arguments: [(429, "GET"), (429, "POST"), (503, "GET"), (503, "POST")])
    func `comes again when the server says so`(_ status: Int, _ method: String) async throws {
        let sample = try SampleAPI(answers: .status(status, headers: ["retry-after": "7"]), .status(200))
        let events = try await sample.events {
            let answer = try await sample.send(method)
            #expect(answer.status == 200)
        }
        #expect(sample.time.sleeps == [.seconds(7)])
        #expect(events == [.heldBack(.seconds(7)), .request(status: 200, failure: nil)])
    }

    @Test func `reads a date by the server's clock`() async throws {
        let headers = ["retry-after": "Sun, 06 Nov 1994 08:49:47 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let sample = try SampleAPI(answers: .status(429, headers: headers), .status(200))
        #expect(try await sample.send().status == 200)
        #expect(sample.time.sleeps == [.seconds(10)])
    }

    @Test(arguments: ["60", "86400", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func `hands over the answer when the wait does not fit`(_ text: String) async throws {
        let sample = try SampleAPI(answers: .status(429, headers: ["retry-after": text]))
        #expect(try await sample.send().status == 429)
        #expect(sample.time.sleeps.isEmpty && sample.transport.calls.count == 1)
    }

    @Test(arguments: ["-5", "0", "Thu, 01 Jan 1970 00:00:00 GMT"])
    func `comes again at once when the time is over`(_ text: String) async throws {
        let sample = try SampleAPI(answers: .status(503, headers: ["retry-after": text]), .status(200))
        #expect(try await sample.send("POST").status == 200)
        #expect(sample.time.sleeps == [.zero])
    }

    @Test(arguments: [RequestLimit.standard, nil])
    func `keeps every request back while the server wants a pause`(_ limit: RequestLimit?) async throws {
        let sample = try SampleAPI(
            options: RequestOptions(limit: limit), answers: .status(429, headers: ["retry-after": "90"]), .status(200))
        _ = try await sample.send()
        await #expect(throws: ClientError.rateLimited(until: TestClock.start + 90)) {
            try await sample.send("POST", "/other")
        }
        #expect(sample.transport.calls.count == 1)
        sample.time.advance(by: .seconds(50))
        let events = try await sample.events {
            let answer = try await sample.send("POST", "/other")
            #expect(answer.status == 200)
        }
        #expect(events.first == .heldBack(.seconds(40)) && sample.time.sleeps == [.seconds(40)])
    }

    @Test func `pauses for no other status`() async throws {
        let sample = try SampleAPI(answers: .status(404, headers: ["retry-after": "90"]), .status(200))
        _ = try await sample.send()
        #expect(try await sample.send().status == 200 && sample.time.sleeps.isEmpty)
    }

    // MARK: The client's own limit

    @Test func `spares the server the requests of a loop`() async throws {
        let options = RequestOptions(limit: RequestLimit(atOnce: 2, perSecond: 4))
        let sample = try SampleAPI(options: options, answers: .status(200))
        let events = try await sample.events {
            for _ in 0..<4 { _ = try await sample.send() }
        }
        #expect(sample.time.sleeps == [.milliseconds(250), .milliseconds(250)])
        #expect(events.filter { $0 == .heldBack(.milliseconds(250)) }.count == 2)
    }

    @Test func `refuses at once what would wait too long`() async throws {
        let options = RequestOptions(limit: RequestLimit(atOnce: 1, perSecond: 0.1))
        let sample = try SampleAPI(options: options, answers: .status(200))
        _ = try await sample.send()
        await #expect(throws: ClientError.rateLimited(until: TestClock.start + 10)) {
            try await sample.send(within: .seconds(9))
        }
        #expect(sample.transport.calls.count == 1 && sample.time.sleeps.isEmpty)
    }

    @Test func `lets a request that waits for its share wait for a pause as well`() async throws {
        let clock = TestClock()
        let gate = RequestThrottle(
            RequestLimit(atOnce: 1, perSecond: 1), system: clock.system, events: Broadcast())
        try await gate.pass(by: .seconds(60), isReplay: false)
        let task = Task { try await gate.pass(by: .seconds(60), isReplay: false) }
        try await clock.sleepers(1)
        gate.close(for: .seconds(10))
        clock.advance(by: .seconds(1))
        try await clock.sleepers(1)
        try #require(clock.sleepers == [.seconds(9)])
        clock.advance(by: .seconds(9))
        try await task.value
    }

    @Test func `gives the share of a cancelled request to the next`() async throws {
        let clock = TestClock()
        let gate = RequestThrottle(
            RequestLimit(atOnce: 1, perSecond: 0.1), system: clock.system, events: Broadcast())
        try await gate.pass(by: .seconds(60), isReplay: false)
        let task = Task { try await gate.pass(by: .seconds(60), isReplay: false) }
        try await clock.sleepers(1)
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        let next = Task { try await gate.pass(by: .seconds(60), isReplay: false) }
        try await clock.sleepers(1)
        try #require(clock.sleepers == [.seconds(10)])
        clock.advance(by: .seconds(10))
        try await next.value
    }
}
