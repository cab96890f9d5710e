import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

/// A preset that is written to a JSON file under another name is served as the preset itself is.
@Suite(.timeLimit(.minutes(5)))
struct RenamedContractTests {
    @Test(arguments: OperationWalkTests.Route.presets)
    func `exchanges the same over a socket`(route: OperationWalkTests.Route) async throws {
        var renamed = route.contract
        renamed.name = "company"
        let file = try Contract.read(renamed.json().bytes)
        let expected = try await exchanges(of: route.contract, route)
        #expect(!expected.isEmpty)
        #expect(try await exchanges(of: file, route) == expected)
    }

    private func exchanges(of contract: Contract, _ route: OperationWalkTests.Route) async throws -> [String] {
        let world = try await World([contract], adjust: route.adjust)
        let recorder = ExchangeRecorder(URLSessionTransport(), speaking: contract)
        try await LiveServer.run(world) { server in
            let client = try AppClient(contract, in: world, at: server.origin, over: recorder)
            try await OperationWalk(client: client).exercise(route.kind)
        }
        return recorder.exchanges
    }

    @Test(arguments: Contract.presets)
    func `tells tokens apart by their algorithm and their lifetime`(contract: Contract) async throws {
        let world = try await World([contract])
        let recorder = ExchangeRecorder(InProcessTransport(server: try world.app(contract).server), speaking: contract)
        let client = try AppClient(contract, in: world, over: recorder)
        _ = try await client.user(client.register())
        let algorithm = contract.rules.accessTokenSigning == .hs256 ? "HS256" : "ES256"
        #expect(recorder.exchanges.last?.contains("authorization: <\(algorithm) [") == true)
        #expect(recorder.exchanges.last?.contains("] \(contract.rules.accessTokenSeconds) s>") == true)
    }
}

extension OperationWalkTests.Route {
    static let presets = all.filter { Contract.presets.contains($0.contract) }
}
