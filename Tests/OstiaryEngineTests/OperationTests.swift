import OstiaryCore
import Testing

@testable import OstiaryEngine

/// The engine and the list of operations.
struct OperationTests {
    @Test(arguments: OperationKind.allCases) func `every operation has a handler in the engine`(kind: OperationKind) {
        #expect(kind.operation is any EngineOperation.Type)
    }

    @Test(arguments: OperationKind.allCases) func `every kind names the type that describes it`(kind: OperationKind) {
        #expect(kind.operation.kind == kind)
    }

    @Test func `refuses an operation that the engine does not have`() async throws {
        let world = try World.vici()
        await #expect(throws: AuthError.notConfigured) { try await world.engine.perform(Unknown()) }
    }
}

/// An operation that no engine has a handler for.
private struct Unknown: AuthOperation {
    typealias Answer = Done
    static let description = SignOut.description
    var fields: Fields { Fields() }
    init() {}
    init(_ fields: Fields) throws(AuthError) {}
}
