import Foundation
import OstiaryHTTP
import OstiaryTesting
import Testing

@Suite(.timeLimit(.minutes(2)))
struct FuzzTests {
    private static let requests = [
        "POST /echo HTTP/1.1\r\nHost: a.example:80\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"a\":\"b c d\"}",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\na\r\n0123456789\r\n0\r\n\r\n",
        "GET /healthz?a=b&c=%20 HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nExpect: 100-continue\r\n\r\n",
    ]

    private static let pieces: [[UInt8]] = [
        "\r\n", "\n", "\r", "\0", " ", "\t", ":", "\r\n\r\n", "0\r\n\r\n", "Transfer-Encoding: chunked\r\n",
        "Content-Length: 4\r\n", "Host: b\r\n", "HTTP/1.1", "\u{FF}", "ffffffffffffffff", "-1", "+", ";", ",", "//",
    ].map { Array($0.utf8) }

    private func mutant(_ generator: inout SeededRandom) -> [UInt8] {
        var bytes = Array((Self.requests.randomElement(using: &generator) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let place = Int.random(in: 0..<max(bytes.count, 1), using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0 where !bytes.isEmpty: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1 where !bytes.isEmpty: bytes.remove(at: place)
            case 2: bytes.removeLast(bytes.count - min(place, bytes.count))
            case 3: bytes.insert(contentsOf: bytes[min(place, bytes.count)...], at: min(place, bytes.count))
            default:
                bytes.insert(
                    contentsOf: Self.pieces.randomElement(using: &generator) ?? [], at: min(place, bytes.count))
            }
        }
        return bytes
    }

    @Test func `answers or closes whatever comes, and goes on serving`() async throws {
        // Set to reproduce a failed run, or to run for longer.
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? .random(in: .min ... .max)
        let mutants = environment["FUZZ_MUTANTS"].flatMap { Int($0) } ?? 300
        print("fuzz seed: \(seed)")
        var generator = SeededRandom(seed: seed)
        try await TestServer.run { server in
            for number in 0..<mutants {
                let bytes = mutant(&generator)
                let answer = try await RawConnection.exchange(port: server.port, bytes, thenEnd: true)
                let allowed: Set = [100, 200, 400, 404, 405, 413, 414, 417, 431]
                #expect(allowed.isSuperset(of: statuses(answer)), "seed \(seed), mutant \(number)")
            }
            let answer = try await RawConnection.exchange(
                port: server.port, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(statuses(answer) == [200])
            try await server.until { $0.open == 0 }
        }
    }
}
