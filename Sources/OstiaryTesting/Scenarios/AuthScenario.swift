public import OstiaryContracts
public import OstiaryCore

/// A course of events between an app and its server, for any contract that has the operations.
///
/// Played against a server it gives a record: what was asked and what was answered, with tokens and ids replaced by names
/// (`access 1`, `refresh 2`), so that the records of two servers can be compared. Ostiary's own tests play every scenario
/// against a ``TestServer`` and against the real engine behind real HTTP, and expect the same record. Play them against a
/// backend of your own to see where it differs.
public struct AuthScenario: Sendable, CustomStringConvertible {
    public let name: String
    /// What the server has to be set up with.
    public let rules: TestServerRules
    /// The operations that a contract must have for it.
    public let needs: [OperationKind]
    let isFor: @Sendable (Contract) -> Bool
    let steps: @Sendable (inout ScenarioPlay) async throws -> Void

    init(
        _ name: String, needs: [OperationKind] = [], rules: TestServerRules = .standard,
        where isFor: @escaping @Sendable (Contract) -> Bool = { _ in true },
        _ steps: @escaping @Sendable (inout ScenarioPlay) async throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.rules = rules
        self.isFor = isFor
        self.steps = steps
    }

    public var description: String { name }

    public func fits(_ contract: Contract) -> Bool {
        needs.allSatisfy { contract.endpoint(for: $0) != nil } && isFor(contract)
    }

    /// Plays it on a server where nobody has an account yet.
    ///
    /// - Returns: The record, a line for each thing asked.
    /// - Throws: What the world throws, and ``ScenarioStopped``.
    public func play(in world: some ScenarioWorld) async throws -> [String] {
        var play = ScenarioPlay(world)
        try await steps(&play)
        return play.record
    }

    /// Every scenario.
    public static let all: [AuthScenario] =
        registration + passwords + sessions + refreshing + codes + accounts + browser + wire
}

/// A step on which the others depend was refused.
public struct ScenarioStopped: Error, CustomStringConvertible {
    public let record: [String]
    public var description: String { "stopped after:\n" + record.joined(separator: "\n") }
}
