import OstiaryServerTestSupport
import Testing

@testable import OstiaryHTTP

@Suite(.timeLimit(.minutes(5)))
struct RequestIDTests {
    @Test func `keeps a proxy's id, and logs the request under it`() async throws {
        let world = try await World([])
        try await LiveServer.run(world) { server in
            let answer = try await server.ask(
                "GET", "/healthz", ["X-Request-Id": "3f2b7c9e-41d8-4d0a-9b1c-0d6a2b9f4e11"])
            #expect(answer["x-request-id"] == "3f2b7c9e-41d8-4d0a-9b1c-0d6a2b9f4e11")
        }
        #expect(world.log.records.contains { $0.contains("id=3f2b7c9e-41d8-4d0a-9b1c-0d6a2b9f4e11") })
    }

    @Test(arguments: [
        "", "short", String(repeating: "a", count: 65), "abc def ghi", "abcdefgh\"", "abcdefgh\r\nx: y",
        "abcdefgh\u{1B}[2J",
        "äbcdefghij", "abcdefgh\u{2028}", "abcdefgh_ijk", "../../../etc", "${jndi:ldap://x}",
    ])
    func `replaces an id that is not plain`(offered: String) {
        let id = RequestID.make(offered: offered)
        #expect(id != offered)
        #expect(id.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    }

    @Test func `gives every request an id of its own`() {
        let ids = (0..<1_000).map { _ in RequestID.make(offered: nil) }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.utf8.count == 16 })
    }

    @Test(arguments: ["short", "a b c d e f g h", "<script>alert(1)</script>"])
    func `answers with its own id where the offered one is not plain`(offered: String) async throws {
        try await LiveServer.run(World([])) { server in
            let answer = try await server.ask("GET", "/healthz", ["X-Request-Id": offered])
            #expect(answer["x-request-id"]?.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        }
    }
}
