import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct APIClientTests {
    struct Project: Codable, Hashable, Sendable {
        var id: Int
        var name: String
    }

    private func request(_ call: APIClient.Call, options: RequestOptions = RequestOptions()) async throws -> WireRequest
    {
        let sample = try SampleAPI(options: options, answers: .status(200))
        try await sample.api.perform(call)
        return try #require(sample.transport.calls.first?.request)
    }

    // MARK: Requests

    @Test func `writes path, query, headers and body`() async throws {
        let sent = try await request(
            APIClient.Call(
                method: "PUT", path: "/a%20b",
                query: [
                    URLQueryItem(name: "q", value: "a b&c=d+e/ä"), URLQueryItem(name: "none", value: nil),
                    URLQueryItem(name: "empty", value: ""),
                ], headers: ["X-Own": "1"], body: Project(id: 1, name: "n")))
        #expect(sent.method == "PUT" && sent.path == "/a%20b" && sent.headers["x-own"] == "1")
        #expect(sent.query == "q=a%20b%26c%3Dd%2Be%2F%C3%A4&none&empty=")
        #expect(try JSON.read(sent.body) == ["id": 1, "name": "n"] || JSON.read(sent.body) == ["name": "n", "id": 1])
    }

    @Test(arguments: [("/x?a=1", "a=1&b=2"), ("/x?", "b=2"), ("/x", "b=2"), ("/x?a=1?c", "a=1?c&b=2")])
    func `takes a query in the path as well`(_ path: String, _ query: String) async throws {
        let items = [URLQueryItem(name: "b", value: "2")]
        let sent = try await request(APIClient.Call(method: "GET", path: path, query: items))
        #expect(sent.path == "/x" && sent.query == query && sent.body.isEmpty)
    }

    @Test func `refuses a query that begins with a combining mark`() async throws {
        let sample = try SampleAPI(answers: .status(200))
        await #expect(throws: ClientError.invalidRequest("the query must be percent-encoded")) {
            try await sample.api.perform(APIClient.Call(method: "GET", path: "/x?\u{301}a=1"))
        }
        #expect(sample.transport.calls.isEmpty)
    }

    @Test func `writes names and dates as the app's encoder does`() async throws {
        struct Entry: Codable, Sendable { var startedAt: Date }
        let entry = Entry(startedAt: TestClock.start)
        let plain = try await request(APIClient.Call(method: "POST", path: "/x", body: entry))
        #expect(String(decoding: plain.body, as: UTF8.self).contains("startedAt"))
        let options = RequestOptions(
            encoder: {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                encoder.dateEncodingStrategy = .iso8601
                return encoder
            })
        let own = try await request(APIClient.Call(method: "POST", path: "/x", body: entry), options: options)
        #expect(String(decoding: own.body, as: UTF8.self) == "{\"started_at\":\"2027-01-15T08:00:00Z\"}")
    }

    @Test func `says where a body cannot be written, and not what it holds`() async throws {
        struct Entry: Codable, Sendable { var amount: Double }
        let sample = try SampleAPI(answers: .status(200))
        await #expect(
            throws: ClientError.invalidRequest("the body cannot be written as JSON, at amount")
        ) {
            try await sample.api.perform(APIClient.Call(method: "POST", path: "/x", body: Entry(amount: .nan)))
        }
        #expect(sample.transport.calls.isEmpty)
    }

    // MARK: Answers

    @Test func `reads values of the app's own types`() async throws {
        let projects: [Project] = try await SampleAPI.value(of: "[{\"id\":1,\"name\":\"n\",\"more\":null}]")
        #expect(projects == [Project(id: 1, name: "n")])
        #expect(try await SampleAPI.value(Int.self, of: "7") == 7)
        #expect(try await SampleAPI.value(String?.self, of: "null") == nil)
    }

    @Test func `reads with the app's decoder`() async throws {
        struct Entry: Codable, Sendable { var startedAt: Date }
        let options = RequestOptions(
            decoder: {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                decoder.dateDecodingStrategy = .iso8601
                return decoder
            })
        for contract in [Contract.clarity, .barqnet] {
            let text = "{\"started_at\":\"2027-01-15T08:00:00Z\"}"
            let body = contract.envelope == nil ? text : "{\"success\":true,\"data\":\(text)}"
            let entry: Entry = try await SampleAPI.value(of: body, contract: contract, options: options)
            #expect(entry.startedAt == TestClock.start, "\(contract.name)")
        }
    }

    @Test(arguments: [200, 201, 202, 204])
    func `is content with a body that is empty`(_ status: Int) async throws {
        for body in ["", " \r\n\t"] {
            let sample = try SampleAPI(contract: .timetracker, answers: .status(status, body))
            try await sample.api.perform(APIClient.Call(method: "POST", path: "/auth/x"))
            #expect(try await SampleAPI.value(EmptyBody.self, of: body, status: status) == EmptyBody())
            #expect(try await SampleAPI.value(Project?.self, of: body, status: status) == nil)
            #expect(try await SampleAPI.value([String: Int].self, of: body, status: status).isEmpty)
            await #expect(throws: ClientError.invalidResponse) {
                try await SampleAPI.value([Project].self, of: body, status: status)
            }
        }
    }

    @Test func `does not read an answer that nobody wants`() async throws {
        for body in ["", "OK", "<html>", "{", "{\"any\":1}"] {
            for contract in [Contract.vici, .barqnet] {
                let sample = try SampleAPI(contract: contract, answers: .status(200, body))
                try await sample.api.perform(APIClient.Call(method: "POST", path: "/x"))
            }
        }
    }

    @Test(arguments: ["<html>Sign in</html>", "{", "no", "\u{FEFF}{\"id\":1", "{\"id\":1}}"])
    func `says when an answer is no JSON`(_ body: String) async throws {
        for contract in [Contract.vici, .barqnet] {
            await #expect(throws: ClientError.invalidResponse) {
                try await SampleAPI.value(Project.self, of: body, contract: contract)
            }
        }
    }

    @Test(arguments: [
        ("[]", "its top level"), ("{}", "projects"), ("{\"projects\":[]}", "byOwner"),
        (
            "{\"projects\":[{\"id\":1,\"name\":\"a\"},{\"id\":\"canary\",\"name\":\"b\"}],\"byOwner\":{}}",
            "projects[1].id"
        ),
        ("{\"projects\":[{\"id\":1}],\"byOwner\":{}}", "projects[0].name"),
        ("{\"projects\":[],\"byOwner\":{\"canary@example.com\":{\"id\":null,\"name\":\"\"}}}", "byOwner.*.id"),
        ("{\"projects\":[],\"byOwner\":{\"15551234567\":{\"id\":1}}}", "byOwner.*.name"),
    ])
    func `says where an answer is not as expected, and nothing of what it holds`(_ body: String, _ path: String) async {
        struct Page: Codable, Sendable {
            var projects: [Project]
            var byOwner: [String: Project]
        }
        await #expect(throws: ClientError.decoding(path)) { try await SampleAPI.value(Page.self, of: body) }
    }

    @Test func `repeats nothing of what a type's own reading throws`() async {
        struct Complaint: Error { let text: String }
        struct Picky: Decodable, Sendable {
            init(from decoder: any Decoder) throws { throw Complaint(text: "canary") }
        }
        await #expect(throws: ClientError.invalidResponse) { try await SampleAPI.value(Picky.self, of: "{}") }
    }
}
