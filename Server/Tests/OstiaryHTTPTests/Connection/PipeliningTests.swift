import OstiaryHTTP
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PipeliningTests {
    private func echo(_ number: Int, _ header: String = "") -> String {
        let body = "body \(number)"
        return "POST /echo HTTP/1.1\r\nHost: a\r\nAuthorization: user \(number)\r\n\(header)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private func echoes(_ answer: String) -> [String] {
        answer.split(separator: "[").dropFirst().map { String($0.prefix { $0 != "]" }) }
    }

    @Test func `answers a hundred requests in order, each with its own user and body`() async throws {
        try await TestServer.run { server in
            let requests = (0..<100).map { echo($0, $0 == 99 ? "Connection: close\r\n" : "") }.joined()
            let answer = try await RawConnection.exchange(port: server.port, requests)
            #expect(echoes(answer) == (0..<100).map { "user \($0):body \($0)" })
        }
    }

    @Test func `answers those before a bad one, then refuses it and sees none after it`() async throws {
        try await TestServer.run { server in
            let before = (0..<50).map { echo($0) }.joined()
            let after = (51..<100).map { echo($0) }.joined()
            let answer = try await RawConnection.exchange(
                port: server.port, before + "GET / HTTP/1.1\r\nHost : a\r\n\r\n" + after)
            #expect(statuses(answer) == Array(repeating: 200, count: 50) + [400])
            #expect(echoes(answer) == (0..<50).map { "user \($0):body \($0)" })
            #expect(server.record.seen.count == 50)
        }
    }

    @Test func `refuses a request whose body turns out bad after those before it are answered`() async throws {
        try await TestServer.run { server in
            let bad = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n"
            let answer = try await RawConnection.exchange(port: server.port, echo(0) + echo(1) + bad + echo(2))
            #expect(statuses(answer) == [200, 200, 400])
            #expect(echoes(answer) == ["user 0:body 0", "user 1:body 1"])
        }
    }

    @Test(arguments: ["close", "Close", "keep-alive, CLOSE", "x,close"])
    func `sees no request after one that says close`(option: String) async throws {
        try await TestServer.run { server in
            let answer = try await RawConnection.exchange(
                port: server.port, echo(0, "Connection: \(option)\r\n") + echo(1))
            #expect(statuses(answer) == [200])
            #expect(server.record.seen.count == 1)
        }
    }

    @Test func `ends a connection of HTTP/1.0 after its answer`() async throws {
        try await TestServer.run { server in
            let answer = try await RawConnection.exchange(port: server.port, "GET /healthz HTTP/1.0\r\n\r\n")
            #expect(answer.hasSuffix("\r\n\r\nok"))
        }
    }

    @Test func `goes on after an answer that did not read the body`() async throws {
        try await TestServer.run { server in
            let ignored = "POST /ignore HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
            let answer = try await RawConnection.exchange(
                port: server.port, ignored + echo(1, "Connection: close\r\n"))
            #expect(statuses(answer) == [200, 200])
            #expect(echoes(answer) == ["user 1:body 1"])
        }
    }

    @Test func `sends no body in answer to HEAD, so that the next answer begins where it should`() async throws {
        try await TestServer.run { server in
            let head = "HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"
            let last = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let answer = try await RawConnection.exchange(port: server.port, head + last)
            #expect(statuses(answer) == [404, 200])
            #expect(answer.contains("\r\n\r\nHTTP/1.1 200"))
        }
    }

    @Test func `asks a client that waits for its body`() async throws {
        try await TestServer.run { server in
            let answer = try await RawConnection.exchange(
                port: server.port,
                "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"
            )
            #expect(statuses(answer) == [100, 200])
        }
    }
}
