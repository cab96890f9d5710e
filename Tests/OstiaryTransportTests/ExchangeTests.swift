import OstiaryClient
import OstiaryContracts
import OstiaryTestSupport
import Testing

/// What goes out, and what comes back.
struct ExchangeTests {
    @Test(arguments: TestedTransport.allCases)
    func `carries method, path, query, headers and body, and brings back status, headers and body`(
        _ tested: TestedTransport
    ) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 201 Created\r\nX-Thing: a\r\nX-Thing: b\r\nContent-Length: 2\r\n\r\n{}")
        }
        defer { peer.stop() }
        let answer = try await tested.made().send(
            WireRequest(
                method: "PATCH", path: "/a%20b", query: "c=d%26e", headers: ["content-type": "application/json"],
                body: Array("{\"x\":1}".utf8)), to: peer)
        #expect(answer.status == 201 && answer.headers["x-thing"] == "a, b" && answer.body == Array("{}".utf8))
        let sent = try #require(peer.requests.first)
        #expect(sent.hasPrefix("PATCH /base/a%20b?c=d%26e HTTP/1.1\r\n") && sent.hasSuffix("\r\n\r\n{\"x\":1}"))
        for header in ["host: 127.0.0.1:\(peer.port)", "content-type: application/json", "content-length: 7"] {
            #expect(sent.lowercased().contains("\r\n\(header)\r\n"))
        }
    }

    @Test(
        arguments: TestedTransport.allCases,
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "REPORT"])
    func `sends no body where there is none, whatever the method`(_ tested: TestedTransport, _ method: String)
        async throws
    {
        let peer = try LoopbackPeer { _ in .ok }
        defer { peer.stop() }
        #expect(try await tested.made().send(WireRequest(method: method, path: "/"), to: peer).status == 200)
        let sent = try #require(peer.requests.last).lowercased()
        #expect(!sent.contains("transfer-encoding") && sent.hasSuffix("\r\n\r\n"))
    }

    @Test(
        arguments: TestedTransport.allCases, ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "REPORT"])
    func `says where a body ends, whatever the method`(_ tested: TestedTransport, _ method: String) async throws {
        let peer = try LoopbackPeer { _ in .ok }
        defer { peer.stop() }
        let request = WireRequest(method: method, path: "/", body: Array("12345".utf8))
        #expect(try await tested.made().send(request, to: peer).status == 200)
        let sent = try #require(peer.requests.last).lowercased()
        #expect(!sent.contains("transfer-encoding") && sent.contains("content-length: 5\r\n"))
        #expect(sent.hasSuffix("\r\n\r\n12345"))
    }

    @Test(arguments: TestedTransport.allCases)
    func `asks for the root where the path is empty`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in .ok }
        defer { peer.stop() }
        let url = try BaseURL("http://127.0.0.1:\(peer.port)")
        let request = WireRequest(method: "GET", path: "", query: "a")
        _ = try await tested.made().send(request, to: url, within: .seconds(20))
        #expect(peer.requests.first?.hasPrefix("GET /?a HTTP/1.1\r\n") == true)
    }

    @Test(arguments: TestedTransport.allCases)
    func `reads a body in chunks, one that ends with its connection, and none`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { request in
            if request.contains("/chunks") {
                return .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n")
            }
            if request.contains("/end") { return .last("HTTP/1.1 200 OK\r\n\r\n{}") }
            return .text("HTTP/1.1 \(request.hasPrefix("HEAD") ? 200 : 204) OK\r\nContent-Length: 2\r\n\r\n")
        }
        defer { peer.stop() }
        let transport = try tested.made()
        for path in ["/chunks", "/end"] {
            let answer = try await transport.send(WireRequest(method: "GET", path: path), to: peer)
            #expect(answer.body == Array("{}".utf8))
        }
        #expect(try await transport.send(WireRequest(method: "HEAD", path: "/"), to: peer).body.isEmpty)
        #expect(try await transport.send(WireRequest(method: "GET", path: "/"), to: peer).status == 204)
    }

    @Test(arguments: TestedTransport.allCases)
    func `brings back a page of HTML as it is`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>")
        }
        defer { peer.stop() }
        #expect(try await tested.made().send(to: peer).body == Array("<html></html>".utf8))
    }

    @Test(arguments: TestedTransport.allCases)
    func `passes over informational answers`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let answer = try await tested.made().send(to: peer)
        #expect(answer.status == 200 && answer.headers["link"] == nil)
    }

    // MARK: What it does not do by itself

    @Test(arguments: TestedTransport.allCases, [301, 302, 303, 307, 308])
    func `returns a redirect instead of taking the token to another host`(_ tested: TestedTransport, _ status: Int)
        async throws
    {
        let other = try LoopbackPeer { _ in .ok }
        defer { other.stop() }
        let location = "http://localhost:\(other.port)/steal"
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let answer = try await tested.made().send(to: peer)
        #expect(answer.status == status && answer.headers["location"] == location)
        #expect(other.requests.isEmpty && peer.requests.count == 1)
    }

    @Test(
        arguments: TestedTransport.allCases,
        ["/x", "timetracker://oauth/callback?code=1&state=2", "http://[bad", ""])
    func `returns any redirect`(_ tested: TestedTransport, _ location: String) async throws {
        let header = location.isEmpty ? "" : "Location: \(location)\r\n"
        let peer = try LoopbackPeer { _ in .text("HTTP/1.1 302 Found\r\n\(header)Content-Length: 0\r\n\r\n") }
        defer { peer.stop() }
        #expect(try await tested.made().send(to: peer).status == 302)
        #expect(peer.requests.count == 1)
    }

    @Test(
        arguments: TestedTransport.allCases,
        ["Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"y\"", "Bearer", "Negotiate", "NTLM"])
    func `answers no challenge and hangs on none`(_ tested: TestedTransport, _ challenge: String) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno")
        }
        defer { peer.stop() }
        let answer = try await tested.made().send(to: peer)
        #expect(answer.status == 401 && answer.body == Array("no".utf8) && peer.requests.count == 1)
    }

    @Test(arguments: TestedTransport.allCases)
    func `sends no cookie back`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let transport = try tested.made()
        for _ in 0..<2 { _ = try await transport.send(to: peer) }
        #expect(peer.requests.count == 2 && !peer.requests.contains { $0.lowercased().contains("\r\ncookie:") })
    }

    @Test(arguments: TestedTransport.allCases)
    func `asks again although the answer said it could be kept`(_ tested: TestedTransport) async throws {
        let peer = try LoopbackPeer { _ in
            .text("HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nETag: \"1\"\r\nContent-Length: 0\r\n\r\n")
        }
        defer { peer.stop() }
        let transport = try tested.made()
        for _ in 0..<2 { _ = try await transport.send(to: peer) }
        #expect(peer.requests.count == 2)
    }
}
