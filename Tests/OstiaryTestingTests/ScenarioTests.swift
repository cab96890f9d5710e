import OstiaryContracts
import OstiaryTesting
import Testing

/// Plays every scenario on the test server. The Server package's tests compare the records with the real server's.
struct ScenarioTests {
    static let pairs = Contract.presets.flatMap { contract in
        AuthScenario.all.filter { $0.fits(contract) }.map { (contract.name, $0) }
    }

    @Test(arguments: pairs)
    func `comes to its end`(_ name: String, _ scenario: AuthScenario) async throws {
        let contract = try #require(Contract.preset(name))
        let record = try await scenario.play(in: try TestServerWorld(contract, for: scenario, seed: 1))
        #expect(!record.isEmpty)
    }
}
