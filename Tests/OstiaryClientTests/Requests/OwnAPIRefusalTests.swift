import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// Envelopes, and what is made of an answer that is no success.
struct OwnAPIRefusalTests {
    private typealias Project = APIClientTests.Project

    // MARK: Envelopes

    @Test(arguments: [
        "{\"success\":true,\"data\":{\"id\":1,\"name\":\"n\"}}", "{\"id\":1,\"name\":\"n\"}",
        "{\"data\":{\"id\":1,\"name\":\"n\"},\"success\":true,\"page\":2}",
        "{\"success\":\"yes\",\"id\":1,\"name\":\"n\"}", "{\"data\":5,\"id\":1,\"name\":\"n\"}",
    ])
    func `takes a value out of its envelope, where it has one`(_ body: String) async throws {
        #expect(try await SampleAPI.value(Project.self, of: body, contract: .barqnet) == Project(id: 1, name: "n"))
    }

    @Test func `reads other values with and without their envelope`() async throws {
        #expect(try await SampleAPI.value([Int].self, of: "{\"success\":true,\"data\":[1]}", contract: .barqnet) == [1])
        #expect(try await SampleAPI.value([Int].self, of: "[1]", contract: .barqnet) == [1])
        #expect(try await SampleAPI.value(Int.self, of: "{\"success\":true,\"data\":1}", contract: .barqnet) == 1)
        #expect(try await SampleAPI.value(Int?.self, of: "{\"success\":true,\"data\":null}", contract: .barqnet) == nil)
        #expect(try await SampleAPI.value(EmptyBody.self, of: "{\"success\":true}", contract: .barqnet) == EmptyBody())
        await #expect(throws: ClientError.decoding("*.name")) {
            try await SampleAPI.value(Project.self, of: "{\"success\":true,\"data\":{\"id\":1}}", contract: .barqnet)
        }
    }

    @Test func `leaves alone what only looks like an envelope`() async throws {
        struct Report: Codable, Hashable, Sendable {
            var success: Bool
            var data: Int
        }
        let report = try await SampleAPI.value(Report.self, of: "{\"success\":false,\"data\":1}", contract: .vici)
        #expect(report == Report(success: false, data: 1))
    }

    @Test func `believes an envelope that says no, whatever the status`() async throws {
        let body = "{\"success\":false,\"error\":\"Not today.\"}"
        let expected = ClientError.http(status: 200, message: "Not today.")
        await #expect(throws: expected) { try await SampleAPI.value(Project.self, of: body, contract: .barqnet) }
        let sample = try SampleAPI(contract: .barqnet, answers: .status(200, body))
        await #expect(throws: expected) { try await sample.api.perform(APIClient.Call(method: "POST", path: "/x")) }
    }

    // MARK: Refusals

    @Test(arguments: Contract.presets)
    func `shows the text that the contract's failures have`(_ contract: Contract) async {
        let body = "{\"success\":false,\"\(contract.failureKey)\":\"The name is taken.\",\"code\":\"x\"}"
        for status in [400, 403, 404, 409, 422, 500] {
            await #expect(throws: ClientError.http(status: status, message: "The name is taken.")) {
                try await SampleAPI.value(Project.self, of: body, status: status, contract: contract)
            }
        }
    }

    @Test(arguments: [
        "", "no", "<html><h1>404</h1></html>", "{}", "{\"detail\":[{\"loc\":[\"body\"]}]}", "{\"detail\":null}",
        "{\"detail\":\"\"}", "{\"detail\":\"  \"}", "{\"detail\":\" <html>\"}", "{\"detail\":\"a\\u0000b\"}",
        "{\"error\":\"another contract's\"}", "{\"detail\":\"\(String(repeating: "x", count: 501))\"}",
    ])
    func `has its own words where the server has none for people`(_ body: String) async {
        await #expect(throws: ClientError.http(status: 404, message: "There is nothing here.")) {
            try await SampleAPI.value(Project.self, of: body, status: 404)
        }
    }

    @Test(arguments: [408, 425, 502, 503, 504])
    func `says that the server is not available`(_ status: Int) async {
        await #expect(throws: ClientError.temporarilyUnavailable) {
            try await SampleAPI.value(Project.self, of: "{\"detail\":\"x\"}", status: status)
        }
    }

    @Test(arguments: [("30", 30), ("-1", 0), ("soon", 1), ("99999999999", 86_400)])
    func `says until when the server wants to hear nothing`(_ text: String, _ seconds: Int) async throws {
        let sample = try SampleAPI(
            options: RequestOptions(retries: .none), answers: .status(429, headers: ["retry-after": text]))
        await #expect(throws: ClientError.rateLimited(until: TestClock.start + TimeInterval(seconds))) {
            try await sample.api.perform(APIClient.Call(method: "GET", path: "/x"))
        }
    }

    @Test(arguments: [301, 302, 307])
    func `takes a redirect for no success`(_ status: Int) async {
        let error = await #expect(throws: ClientError.self) {
            try await SampleAPI.value(Project.self, of: "", status: status)
        }
        #expect(error?.name == "http_\(status)")
    }
}
