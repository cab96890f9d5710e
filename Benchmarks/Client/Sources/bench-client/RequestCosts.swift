import Foundation
import OstiaryClient
import OstiaryContracts

/// The cost of an authenticated request beside that of the same request on the bare transport, with its answer decoded by
/// the same decoder and without. They take turns in rounds.
struct RequestCosts {
    let client: AuthClient
    let transport: any Transport

    /// A way to make the request.
    private enum Way: CaseIterable { case bare, decoded, client }
    private typealias Round = [Way: Stopwatch.Reading]

    /// The first rounds, not counted, which fill caches and open the connection.
    private static let warmUps = 5
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
        var rounds: [Round] = []
        for round in 0..<Self.warmUps + Self.rounds {
            var readings = Round()
            for offset in Way.allCases.indices {
                let way = Way.allCases[(offset + round) % Way.allCases.count]
                readings[way] =
                    switch way {
                    case .bare: try await Self.reading { _ = try await bare() }
                    case .decoded:
                        try await Self.reading { _ = try JSONDecoder().decode(Me.self, from: Data(try await bare())) }
                    case .client: try await Self.reading { let _: Me = try await client.get(Self.path) }
                    }
            }
            if round >= Self.warmUps { rounds.append(readings) }
        }
        report("a request, time", rounds, \.seconds)
        report("a request, CPU time", rounds, \.processorSeconds)
    }

    private static func reading(_ body: () async throws -> Void) async throws -> Stopwatch.Reading {
        let watch = Stopwatch()
        for _ in 0..<requests { try await body() }
        return watch.reading
    }

    private func report(_ name: String, _ rounds: [Round], _ figure: (Stopwatch.Reading) -> Double) {
        func figures(_ way: Way) -> [Double] { rounds.compactMap { $0[way].map(figure) } }
        func microseconds(_ way: Way) -> Int { Int(median(figures(way)) / Double(Self.requests) * 1e6) }
        func more(than way: Way) -> Double {
            ((median(zip(figures(.client), figures(way)).map { $0 / $1 }) - 1) * 1000).rounded() / 10
        }
        print(
            "\(name): \(microseconds(.bare)) µs bare, \(microseconds(.decoded)) µs decoded, "
                + "\(microseconds(.client)) µs by the client: \(more(than: .bare)) % more than bare, "
                + "\(more(than: .decoded)) % more than decoded (medians of \(rounds.count) rounds of \(Self.requests))")
    }
}
