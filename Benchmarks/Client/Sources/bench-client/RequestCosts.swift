import Foundation
import OstiaryClient
import OstiaryContracts

/// The cost of an authenticated request beside that of the same request on the bare transport, with its answer decoded by
/// the same decoder and without. They take turns in rounds.
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
        let bare: @Sendable () async throws -> [UInt8] = { [transport, client] in
            try await transport.send(request, to: client.baseURL, within: .seconds(9)).body
        }
        let turns: [@Sendable () async throws -> Void] = [
            { _ = try await bare() },
            { _ = try JSONDecoder().decode(Me.self, from: Data(try await bare())) },
            { [client] in let _: Me = try await client.get(Self.path) },
        ]
        var rounds: [[Stopwatch.Reading]] = []
        for round in -5..<Self.rounds {
            var readings: [Int: Stopwatch.Reading] = [:]
            for offset in turns.indices {
                let turn = (offset + round + turns.count * 2) % turns.count
                readings[turn] = try await Self.reading(turns[turn])
            }
            // The first rounds fill caches and open the connection.
            if round >= 0 { rounds.append(turns.indices.compactMap { readings[$0] }) }
        }
        report("a request, time", rounds.map { $0.map(\.seconds) })
        report("a request, CPU time", rounds.map { $0.map(\.processorSeconds) })
    }

    private static func reading(_ body: () async throws -> Void) async throws -> Stopwatch.Reading {
        let watch = Stopwatch()
        for _ in 0..<requests { try await body() }
        return watch.reading
    }

    private func report(_ name: String, _ rounds: [[Double]]) {
        func microseconds(_ turn: Int) -> Int { Int(median(rounds.map { $0[turn] }) / Double(Self.requests) * 1e6) }
        func more(than turn: Int) -> Double { ((median(rounds.map { $0[2] / $0[turn] }) - 1) * 1000).rounded() / 10 }
        print(
            "\(name): \(microseconds(0)) µs bare, \(microseconds(1)) µs decoded, \(microseconds(2)) µs by the client: "
                + "\(more(than: 0)) % more than bare, \(more(than: 1)) % more than decoded "
                + "(medians of \(rounds.count) rounds of \(Self.requests))")
    }
}
