import OstiaryContracts
import OstiaryTesting
import Testing

/// The scenarios on the test server alone. The Server package's tests compare their records with the real server's.
struct ScenarioTests {
    struct Course: CustomTestStringConvertible {
        let contract: Contract
        let scenario: AuthScenario
        var testDescription: String { "\(contract.name): \(scenario)" }

        static let all = Contract.presets.flatMap { contract in
            AuthScenario.all.filter { $0.fits(contract) }.map { Course(contract: contract, scenario: $0) }
        }
    }

    @Test(arguments: Course.all) func `comes to its end`(_ course: Course) async throws {
        let world = try TestServerWorld(course.contract, for: course.scenario)
        #expect(try await !course.scenario.play(in: world).isEmpty)
    }

    @Test(arguments: Course.all) func `goes the same way with other tokens and codes`(_ course: Course) async throws {
        let first = try await course.scenario.play(in: TestServerWorld(course.contract, for: course.scenario, seed: 1))
        let second = try await course.scenario.play(in: TestServerWorld(course.contract, for: course.scenario, seed: 2))
        #expect(first == second)
    }

    /// A figure of the rules that is off by a second or by one.
    enum Slip: String, CaseIterable {
        case accessTokens, session, replayLonger, replayShorter, strict, code, tries, cooldown, reset, silence, browser
        case confirmation, safety

        func change(_ rules: inout TestServerRules) {
            switch self {
            case .accessTokens: rules.accessTokenSeconds = 3601
            case .session: rules.sessionSeconds += 1
            case .replayLonger: rules.replaySeconds += 1
            case .replayShorter: rules.replaySeconds -= 1
            case .strict: rules.isStrict.toggle()
            case .code: rules.codeSeconds += 1
            case .tries: rules.codeTries += 1
            case .cooldown: rules.codeCooldownSeconds += 1
            case .reset: rules.resetSeconds += 1
            case .silence: rules.resetCooldownSeconds += 1
            case .browser: rules.browserSeconds += 1
            case .confirmation: rules.registrationSeconds += 1
            case .safety: rules.registersSafely.toggle()
            }
        }
    }

    /// Else the comparison with the real server would show nothing.
    @Test(arguments: Slip.allCases) func `tells a server whose rules are off`(_ slip: Slip) async throws {
        for course in Course.all {
            var rules = course.scenario.rules
            slip.change(&rules)
            let right = try await record(course, course.scenario.rules)
            if try await record(course, rules) != right { return }
        }
        Issue.record("every scenario goes the same way")
    }

    /// Nil where the scenario could not go on.
    private func record(_ course: Course, _ rules: TestServerRules) async throws -> [String]? {
        let world = try TestServerWorld(TestServer(course.contract, rules: rules, seed: 1))
        do {
            return try await course.scenario.play(in: world)
        } catch let stopped as ScenarioStopped {
            return stopped.record
        } catch is TestServerWorld.NothingSent {
            return nil
        }
    }
}
