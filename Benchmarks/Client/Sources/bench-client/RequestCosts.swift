import OstiaryClient
import OstiaryContracts

/// The cost of an authenticated request beside that of the same request on the bare transport, which does not read the
/// answer. They take turns in rounds.
struct RequestCosts {
    let client: AuthClient
    let transport: any Transport

    private static let rounds = 60
    private static let requests = 50
    private static let path = "/api/auth/me"

    func measure() async throws {
        let token = try await client.accessToken().reveal()
        let request = WireRequest(
            method: "GET", path: Self.path,
            headers: [
                "authorization": "Bearer \(token)", "accept": "application/json", "content-type": "application/json",
            ])
        var times: [(bare: Double, whole: Double)] = []
        var processorTimes: [(bare: Double, whole: Double)] = []
        for round in -5..<Self.rounds {
            var bare: Stopwatch.Reading?
            var whole: Stopwatch.Reading?
            for turn in 0..<2 {
                if (turn + round) % 2 == 0 {
                    bare = try await Self.reading {
                        _ = try await transport.send(request, to: client.baseURL, within: .seconds(9))
                    }
                } else {
                    whole = try await Self.reading { let _: Me = try await client.get(Self.path) }
                }
            }
            // The first rounds fill caches and open the connection.
            guard round >= 0, let bare, let whole else { continue }
            times.append((bare.seconds, whole.seconds))
            processorTimes.append((bare.processorSeconds, whole.processorSeconds))
        }
        report("a request, time", times)
        report("a request, CPU time", processorTimes)
    }

    private static func reading(_ body: () async throws -> Void) async throws -> Stopwatch.Reading {
        let watch = Stopwatch()
        for _ in 0..<requests { try await body() }
        return watch.reading
    }

    private func report(_ name: String, _ pairs: [(bare: Double, whole: Double)]) {
        func microseconds(_ seconds: [Double]) -> Int { Int(median(seconds) / Double(Self.requests) * 1e6) }
        let ratio = median(pairs.map { $0.whole / $0.bare })
        print(
            "\(name): \(microseconds(pairs.map(\.bare))) µs bare, \(microseconds(pairs.map(\.whole))) µs by the client, "
                + "\(((ratio - 1) * 1000).rounded() / 10) % more (medians of \(pairs.count) rounds of \(Self.requests))"
        )
    }
}
