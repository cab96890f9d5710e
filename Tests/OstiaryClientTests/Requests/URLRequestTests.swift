import Foundation
import OstiaryContracts
import OstiaryTesting
import Testing

@testable import OstiaryClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct URLRequestTests {
    private func request(_ text: String) throws -> URLRequest { URLRequest(url: try #require(URL(string: text))) }

    @Test func `sends a request of the app's own making, and answers as URLSession does`() async throws {
        let sample = try SampleAPI(
            answers: .status(201, "{\"id\":1}", headers: ["content-type": "application/json", "x-own": "2"]))
        var request = try request("https://api.example.com/app/notes%20x?a=b%26c&d")
        request.httpMethod = "PATCH"
        request.httpBody = Data("{\"t\":1}".utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Accept")
        request.setValue("Bearer old", forHTTPHeaderField: "Authorization")
        let (data, response) = try await sample.api.data(for: request, within: nil)
        #expect(data == Data("{\"id\":1}".utf8) && response.statusCode == 201 && response.url == request.url)
        #expect(response.value(forHTTPHeaderField: "X-Own") == "2")
        let sent = try #require(sample.transport.calls.first)
        #expect(
            sent.request.method == "PATCH" && sent.request.path == "/notes%20x" && sent.request.query == "a=b%26c&d")
        #expect(sent.request.body == Array("{\"t\":1}".utf8) && sent.request.headers["accept"] == "text/plain")
        #expect(sent.bearer == "access-1" && sent.deadline == .seconds(60))
    }

    @Test(arguments: [
        ("https://api.example.com/app", ""), ("https://api.example.com/app/", "/"),
        ("https://API.Example.com/app/x", "/x"), ("HTTPS://api.example.com:443/app/x", "/x"),
        ("https://api.example.com/app/x#part", "/x"), ("https://api.example.com/app//x", "//x"),
    ])
    func `knows other spellings of its own address`(_ url: String, _ path: String) throws {
        #expect(try WireRequest(request(url), below: .sample).path == path)
    }

    @Test(arguments: [
        "https://evil.example.com/app/x", "http://api.example.com/app/x", "https://api.example.com:8443/app/x",
        "https://api.example.com/application/x", "https://api.example.com/", "https://api.example.com/App/x",
        "https://api.example.com/%61pp/x", "https://api.example.com.evil.com/app/x",
        "https://api.example.com@evil.example.com/app/x", "https://user@api.example.com/app/x",
        "https://:pw@api.example.com/app/x", "/app/x", "app/x", "file:///app/x", "wss://api.example.com/app/x",
        "https://api.example.com/app/../x", "https://api.example.com/app/%2e%2e/x", "https://api.example.com./app/x",
        "https:///app/x", "data:text/plain,x",
    ])
    func `signs for no other place`(_ url: String) async throws {
        let sample = try SampleAPI(answers: .status(200))
        let request = try request(url)
        let error = await #expect(throws: ClientError.self) { try await sample.api.data(for: request, within: nil) }
        #expect(error?.name == "invalid_request" && sample.transport.calls.isEmpty)
    }

    @Test(arguments: ["http://[::1]:8080/v1/x", "http://[::1]:8080/v1"])
    func `knows an address of version 6`(_ url: String) throws {
        let base = try BaseURL("http://[::1]:8080/v1")
        #expect(try WireRequest(request(url), below: base).path == (url.hasSuffix("x") ? "/x" : ""))
        #expect(throws: ClientError.self) { try WireRequest(request("http://[::2]:8080/v1/x"), below: base) }
    }

    @Test(arguments: [404, 429, 500, 503, 302])
    func `returns any status but 401`(_ status: Int) async throws {
        let sample = try SampleAPI(answers: .status(status, "x"))
        let request = try request("https://api.example.com/app/x")
        let (data, response) = try await sample.api.data(for: request, within: nil)
        #expect(response.statusCode == status && data == Data("x".utf8))
    }

    @Test func `throws a 401 that another token did not help`() async throws {
        let tokens = ScriptedTokens(replace: { _, _ throws(ClientError) in try .number(2) })
        let sample = try SampleAPI(tokens: tokens, answers: .status(401))
        let request = try request("https://api.example.com/app/x")
        await #expect(throws: ClientError.unauthorized) { try await sample.api.data(for: request, within: nil) }
    }

    @Test func `refuses a body that cannot be sent twice`() throws {
        var request = try request("https://api.example.com/app/x")
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect(throws: ClientError.self) { try WireRequest(request, below: .sample) }
    }

    @Test(arguments: [
        (5.0, Duration.seconds(5)), (60, nil), (0, nil), (-1, nil), (.nan, nil), (.infinity, nil),
        (.greatestFiniteMagnitude, .seconds(86_400)),
    ])
    func `takes the request's own timeout for the deadline`(_ timeout: TimeInterval, _ deadline: Duration?) throws {
        var request = try request("https://api.example.com/app/x")
        request.timeoutInterval = timeout
        #expect(request.ownDeadline == deadline)
    }
}
