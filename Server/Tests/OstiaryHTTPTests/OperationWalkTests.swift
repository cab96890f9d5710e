import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

/// Client, contract and engine together: the engine performs the operation that a client requests in its app's wire
/// format.
@Suite(.timeLimit(.minutes(5)))
struct OperationWalkTests {
    /// One operation of one contract.
    struct Route: CustomTestStringConvertible {
        let contract: Contract
        let kind: OperationKind

        var testDescription: String { "\(contract.name) \(kind.rawValue)" }

        /// A registration is confirmed only where it answers alike for new and taken identifiers.
        func adjust(_ settings: inout AppSettings) { settings.registersSafely = kind == .confirmRegistration }

        static let all = Contract.all.flatMap { contract in
            contract.operations.map { Route(contract: contract, kind: $0.kind) }
        }
    }

    @Test(arguments: Route.all) func `does without a socket what a client asks for`(route: Route) async throws {
        try await AppClient.run(route.contract, over: .inProcess, adjust: route.adjust) { client in
            try await OperationWalk(client: client).exercise(route.kind)
        }
    }

    @Test(arguments: Route.all) func `does over a socket what a client asks for, and leaves no secret in a log`(
        route: Route
    ) async throws {
        try await Canary.watch(route.contract, adjust: route.adjust) { client, _ in
            try await OperationWalk(client: client).exercise(route.kind)
        }
    }

    @Test(arguments: Contract.all, Link.allCases)
    func `refuses an operation that the contract lacks as an unknown path`(
        contract: Contract, link: Link
    ) async throws {
        try await AppClient.run(contract, over: link) { client in
            let response = try await client.auth.send(WireRequest(method: "POST", path: "\(contract.prefix)/nothing"))
            #expect(response.status == 404)
            #expect(try JSON.read(response.body)["code"] == "not_found")
        }
    }
}
