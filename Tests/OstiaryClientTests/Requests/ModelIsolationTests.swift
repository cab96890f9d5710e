import Foundation
import OstiaryContracts
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// Models as a new project's settings make them: isolated to the main actor, classes among them, none `Sendable`.
@MainActor
struct ModelIsolationTests {
    @MainActor
    struct Project: @MainActor Decodable {
        let title: String

        private enum CodingKeys: String, CodingKey { case title }

        init(from decoder: any Decoder) throws {
            MainActor.assertIsolated()
            title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        }
    }

    @MainActor
    final class Draft: @MainActor Encodable {
        var title = "Autumn"

        func encode(to encoder: any Encoder) throws {
            MainActor.assertIsolated()
            var container = encoder.singleValueContainer()
            try container.encode(["title": title])
        }
    }

    /// Answers every request with its own body, or with a project.
    private let echo = ScriptedTransport { call throws(TransportError) in
        WireResponse(
            status: 200, body: call.request.body.isEmpty ? Array("{\"title\":\"Ostiary\"}".utf8) : call.request.body)
    }

    @Test func `models isolated to the main actor are encoded and decoded on the main actor`() async throws {
        let auth = try AuthClient.signedIn(over: echo)
        let loaded: Project = try await auth.get("/projects/1")
        let added: Project = try await auth.post("/projects", body: Draft())
        let replaced: Project = try await auth.put("/projects/1", body: Draft())
        let changed: Project = try await auth.patch("/projects/1", body: Draft())
        let deleted: Project = try await auth.delete("/projects/1", body: Draft())
        #expect(
            [loaded, added, replaced, changed, deleted].map(\.title) == [
                "Ostiary", "Autumn", "Autumn", "Autumn", "Autumn",
            ])
        try await auth.post("/projects", body: Draft())
    }

    @Test func `a completion handler receives a model isolated to the main actor`() async throws {
        let auth = try AuthClient.signedIn(over: echo)
        let title = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<String, any Error>) in
            auth.post("/projects", body: Draft()) { (result: Result<Project, ClientError>) in
                continuation.resume(with: result.map(\.title).mapError { $0 })
            }
        }
        #expect(title == "Autumn")
    }

    @Test func `a queued body is written by the encoder of the options`() async throws {
        let options = RequestOptions(encoder: {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .prettyPrinted
            return encoder
        })
        let auth = try AuthClient.signedIn(over: echo, requests: options)
        try await auth.enqueue("POST", "/projects", json: Draft())
        await auth.retryQueue()
        let body = try #require(echo.calls.last).request.body
        #expect(String(decoding: body, as: UTF8.self).contains("\n"))
    }
}
