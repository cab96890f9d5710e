import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct AuthClientRequestsTests {
    struct Project: Codable, Hashable, Sendable {
        var name: String
    }

    /// Answers with the request's own method and body, as a project.
    private let echo = ScriptedTransport { call throws(TransportError) in
        let name = call.request.method + String(decoding: call.request.body, as: UTF8.self).replacing("\"", with: "")
        return WireResponse(status: 200, body: Array("{\"name\":\"\(name)\"}".utf8))
    }

    @Test func `has a call for each method, with and without an answer`() async throws {
        let auth = try AuthClient.signedIn(over: echo)
        let new = Project(name: "new")
        let gotten: Project = try await auth.get("/projects", query: [URLQueryItem(name: "page", value: "2")])
        let posted: Project = try await auth.post("/projects", body: new)
        let put: Project = try await auth.put("/projects/1", body: new)
        let patched: Project = try await auth.patch("/projects/1", body: new)
        let deleted: Project = try await auth.delete("/projects/1")
        #expect(
            [gotten, posted, put, patched, deleted].map(\.name) == [
                "GET", "POST{name:new}", "PUT{name:new}", "PATCH{name:new}", "DELETE",
            ])
        try await auth.post("/projects", body: new)
        try await auth.post("/projects/1/archive")
        try await auth.put("/projects/1", body: new, headers: ["If-Match": "1"])
        try await auth.patch("/projects/1", body: new, within: .seconds(5))
        try await auth.delete("/projects/1")
        #expect(echo.calls.map(\.request.method).suffix(5) == ["POST", "POST", "PUT", "PATCH", "DELETE"])
        #expect(echo.calls.allSatisfy { $0.bearer == "access-1" })
    }

    @Test func `takes a request that the app has made itself`() async throws {
        let auth = try AuthClient.signedIn(over: echo)
        let request = URLRequest(url: try #require(URL(string: "https://api.example.com/app/projects")))
        let (data, response) = try await auth.data(for: request)
        #expect(response.statusCode == 200 && data == Data("{\"name\":\"GET\"}".utf8))
    }

    @Test func `sends nothing while nobody is signed in`() async throws {
        let auth = try AuthClient(
            contract: .clarity, baseURL: try #require(URL(string: "https://api.example.com/app")),
            options: ClientOptions(store: MemorySessionStore(), transport: .custom(echo)))
        await #expect(throws: ClientError.notSignedIn) { try await auth.get("/projects") as Project }
        await #expect(throws: ClientError.notSignedIn) { try await auth.delete("/projects/1") }
        #expect(echo.calls.isEmpty)
    }

    @Test func `tells what it does with the client's other events`() async throws {
        let auth = try AuthClient.signedIn(over: echo)
        let events = auth.events
        try await auth.delete("/projects/1")
        for await event in events where event == .request(status: 200, failure: nil) { break }
    }

    // MARK: Completion handlers

    @MainActor
    private func result<Value: Sendable>(
        of begin: (@escaping AuthClient.Completion<Value>) -> RunningCall
    ) async -> Result<Value, ClientError> {
        await withCheckedContinuation { continuation in
            _ = begin { result in
                MainActor.assertIsolated()
                continuation.resume(returning: result)
            }
        }
    }

    @MainActor
    @Test func `calls a handler on the main actor`() async throws {
        let auth = try AuthClient.signedIn(over: echo)
        let gotten: Result<Project, ClientError> = await result { auth.get("/projects", completion: $0) }
        #expect(gotten == .success(Project(name: "GET")))
        let posted: Result<Project, ClientError> = await result {
            auth.post("/projects", body: Project(name: "x"), completion: $0)
        }
        #expect(posted == .success(Project(name: "POST{name:x}")))
        let empty: Result<EmptyBody, ClientError> = await result { auth.post("/projects", completion: $0) }
        #expect(empty == .success(EmptyBody()))
        let missing: Result<[Project], ClientError> = await result { auth.get("/projects", completion: $0) }
        #expect(missing == .failure(.decoding("its top level")))
    }

    @MainActor
    @Test func `has completion handlers for an account's calls`() async throws {
        let transport = ScriptedTransport { call throws(TransportError) in
            let path = call.request.path
            let data =
                path.hasSuffix("otp")
                ? "{\"session_id\":\"s\",\"verification_token\":\"v\"}"
                : "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":3600,"
                    + "\"user\":{\"id\":\"7\",\"phone_number\":\"+15551234567\"}}"
            return WireResponse(status: 200, body: Array("{\"success\":true,\"data\":\(data)}".utf8))
        }
        let auth = try AuthClient(
            contract: .barqnet, baseURL: try #require(URL(string: "https://api.example.com/app")),
            options: ClientOptions(store: MemorySessionStore(), transport: .custom(transport)))
        let code = try await result { auth.requestCode(for: "+15551234567", completion: $0) }.get()
        try await result { auth.verify(code, digits: "123456", completion: $0) }.get()
        let registered = try await result {
            auth.register(code: code, digits: "123456", password: "hunter2 hunter2", completion: $0)
        }.get()
        #expect(registered.accountID?.text == "7" && auth.isAuthenticated)
        _ = try await result { auth.signOut(completion: $0) }.get()
        #expect(!auth.isAuthenticated)
        let signedIn = try await result {
            auth.signIn(phoneNumber: "+15551234567", password: "hunter2 hunter2", completion: $0)
        }.get()
        #expect(signedIn.accountID?.text == "7" && auth.isAuthenticated)
        #expect(
            transport.calls.map { $0.request.path.split(separator: "/").last ?? "" } == [
                "send-otp", "verify-otp", "register", "logout", "login",
            ])
        let wrong = await result { auth.requestCode(for: "no number", completion: $0) }
        #expect(wrong == .failure(.refused(.invalid(.phoneNumber, .malformed))))
    }

    @MainActor
    @Test func `tells the handler of a cancelled call`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { _ throws(TransportError) in throw .offline }
        let auth = try AuthClient.signedIn(over: transport, at: clock.system)
        let result: Result<Project, ClientError> = await withCheckedContinuation { continuation in
            let call = auth.get("/projects") { continuation.resume(returning: $0) }
            Task {
                try await clock.sleepers(1)
                call.cancel()
            }
        }
        #expect(result == .failure(.cancelled))
    }
}
