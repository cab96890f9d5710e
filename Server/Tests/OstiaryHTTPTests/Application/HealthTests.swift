import OstiaryServerTestSupport
import OstiaryStore
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HealthTests {
    @Test func `is alive and ready`() async throws {
        try await LiveServer.run(World([])) { server in
            for path in ["/healthz", "/readyz"] {
                let answer = try await server.ask(path)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `is alive and not ready while the store is away`() async throws {
        let world = try await World([])
        try await world.store.close()
        try await LiveServer.run(world) { server in
            let answer = try await server.ask("/readyz")
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == "5")
            #expect(try await server.ask("/healthz").status == 200)
        }
        #expect(world.log.records.contains { $0.hasPrefix("error not ready") })
    }

    @Test func `says to a stranger nothing of why it is not ready`() async throws {
        let world = try await World([])
        try await world.store.close()
        try await LiveServer.run(world) { server in
            let answer = try await server.ask("/readyz")
            #expect(answer.body == #"{"error":"unavailable","code":"unavailable"}"#)
        }
    }

    @Test(arguments: ["/healthz", "/readyz", "/metrics"])
    func `can be asked for the header alone`(path: String) async throws {
        try await LiveServer.run(World([])) { server in
            let answer = try await server.ask("HEAD", path)
            #expect(answer.status == 200)
            #expect(answer.body == "")
        }
    }

    @Test(arguments: ["/healthz", "/readyz", "/metrics"])
    func `takes nothing but GET and HEAD`(path: String) async throws {
        try await LiveServer.run(World([])) { server in
            for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE"] {
                let answer = try await server.ask(method, path)
                #expect(answer.status == 405)
                #expect(answer["allow"] == "GET, HEAD")
            }
        }
    }
}
