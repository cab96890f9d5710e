import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import Testing

/// Two processes of one app that share a store in the file system: an app and its extension, or a program run twice.
struct TwoProcessTests {
    @Test func `two processes sharing one store for 100 rounds: no caller sees a refusal`() async throws {
        try await rounds(100, of: .vici) { _, _ in nil }
    }

    @Test func `one of them killed in the middle of a refresh, again and again: no caller sees a refusal`() async throws
    {
        try await rounds(30, of: .barqnet) { round, point in round % 2 == 0 ? point : nil }
    }

    /// In each round the access token has expired, one refresh in five loses its response, and both processes send
    /// requests at once.
    ///
    /// - Parameter killing: The point at which the first process's refresh is held and the process killed; nil for a
    /// round without.
    private func rounds(
        _ count: Int, of contract: Contract, killing: (Int, HoldingPoint) -> HoldingPoint?
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "ostiary-two-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await FaultyWorld.run(contract) { world in
            let base = "\(world.proxy.origin)/\(contract.name)"
            let path = "\(contract.prefix)/me"
            let store = FileSessionStore(
                directory: directory.path, contract: contract.name, baseURL: try BaseURL(base),
                keys: .keyFile(directory: directory.path))
            // Released after the sign-in, so that no third process refreshes.
            try await world.register(on: world.device(store))
            func start() throws -> PeerProcess {
                try PeerProcess(contract: contract.name, baseURL: base, directory: directory.path)
            }
            var peers = [try start(), try start()]
            var advanced = 0
            var (held, wanted) = (0, 0)
            for round in 0..<count {
                world.pass(.seconds(4000))
                advanced += 4000
                for peer in peers { _ = try await peer.ask("advance 4000") }
                if let point = killing(round, HoldingPoint()) {
                    wanted += 1
                    world.proxy.set { $0.isRefresh ? .answerHeld(point) : .none }
                    let first = peers[0]
                    let arrival = Task { try await point.arrivals(1) }
                    let answer = Task {
                        // A response without a refresh: the token of the other process's earlier refresh is adopted.
                        // Nothing is held then.
                        defer { arrival.cancel() }
                        return try await first.ask("ask \(path)")
                    }
                    let isHeld = await Self.succeeds(arrival)
                    await first.kill()
                    if isHeld {
                        held += 1
                        await #expect(throws: PeerProcess.Ended.self) { try await answer.value }
                    } else {
                        #expect(try await answer.value == "200", "round \(round)")
                    }
                    point.open()
                    peers[0] = try start()
                    _ = try await peers[0].ask("advance \(advanced)")
                }
                world.proxy.set { $0.isRefresh && $0.number % 5 == 0 ? .dropAfterCommit : .none }
                let (one, other) = (peers[0], peers[1])
                async let first = one.ask("ask \(path)")
                async let second = other.ask("ask \(path)")
                #expect(try await [first, second] == ["200", "200"], "round \(round)")
            }
            for peer in peers { #expect(try await peer.ask("state") == "signed in") }
            #expect(held * 2 >= wanted, "\(held) of \(wanted) refreshes were held")
        }
    }

    private static func succeeds(_ task: Task<Void, any Error>) async -> Bool {
        if case .success = await task.result { true } else { false }
    }
}
