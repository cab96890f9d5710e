import OstiaryContracts
import OstiaryTesting
import Testing

/// The server that apps test against, and the one they will meet: in every course of events the same answers.
@Suite(.timeLimit(.minutes(10)))
struct ScenarioTests {
    /// One scenario in one contract.
    struct Course: CustomTestStringConvertible {
        let contract: Contract
        let scenario: AuthScenario

        var testDescription: String { "\(contract.name): \(scenario)" }

        static let all = Contract.all.flatMap { contract in
            AuthScenario.all.filter { $0.fits(contract) }.map { Course(contract: contract, scenario: $0) }
        }
    }

    @Test(arguments: Course.all, Link.allCases)
    func `the test kit's server answers as the engine does`(course: Course, link: Link) async throws {
        let (contract, scenario) = (course.contract, course.scenario)
        let kit = try await scenario.play(in: try TestServerWorld(contract, for: scenario))
        let real = try await EngineWorld.run(contract, scenario.rules, over: link) { world in
            try await scenario.play(in: world)
        }
        #expect(!real.isEmpty)
        for (line, (real, kit)) in zip(real, kit).enumerated() where real != kit {
            Issue.record("line \(line + 1)\nengine: \(real)\nkit:    \(kit)")
        }
        #expect(real.count == kit.count)
    }
}
