import Foundation
import OstiaryHTTP
import Testing

@Suite struct BindCheckTests {
    private func problem(_ host: String, _ port: Int) -> BindCheck.Problem? {
        do throws(BindCheck.Problem) {
            try BindCheck.run(host: host, port: port, address: "\(host):\(port)")
            return nil
        } catch {
            return error
        }
    }

    @Test func `PT-28: an address that another listens on is taken, until it is let go`() async throws {
        let port = try await TestServer.run { server in
            #expect(problem("127.0.0.1", server.port) == .isTaken(address: "127.0.0.1:\(server.port)"))
            return server.port
        }
        #expect(problem("127.0.0.1", port) == nil)
    }

    @Test func `PT-28: an address of another machine cannot be listened on`() {
        #expect(problem("192.0.2.1", 3001) == .isNotOfThisMachine(address: "192.0.2.1:3001"))
    }

    @Test func `PT-29: a name that does not resolve is said to be that`() {
        #expect(problem("nosuch.invalid", 3001) == .doesNotResolve(address: "nosuch.invalid:3001"))
    }

    @Test(arguments: ["127.0.0.1", "localhost"]) func `takes any free port`(host: String) {
        #expect(problem(host, 0) == nil)
    }
}
