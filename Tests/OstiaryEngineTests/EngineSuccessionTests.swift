import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// Engines that succeed one another while a server runs, because its configuration changed.
@Suite struct EngineSuccessionTests {
    private func successor(of engine: AuthEngine, _ change: (inout AppSettings) -> Void = { _ in }) -> AuthEngine {
        var app = engine.app
        change(&app)
        return AuthEngine(app: app, ports: engine.ports, after: engine)
    }

    @Test func `a proof that the earlier engine accepted is refused by its successor`() async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        let call = CurrentUser(accessToken: tokens.accessToken)
        let first = try binding.engine(method: "GET", accessToken: tokens.accessToken)
        _ = try await first.perform(call)
        let successor = successor(of: binding.world.engine)
        await #expect(throws: AuthError.invalidDPoPProof) {
            _ = try await successor.serving(first.caller).perform(call)
        }
        // The control: an engine that knows nothing of the first accepts it.
        let other = AuthEngine(app: binding.world.engine.app, ports: binding.world.engine.ports)
        _ = try await other.serving(first.caller).perform(call)
    }

    @Test(arguments: [29, 30]) func `an attack goes on being counted, with another limit too`(limit: Int) async throws {
        let world = try World.vici { $0.limits = .generous }
        func signIn(_ engine: AuthEngine, _ email: String, from network: String) async -> AuthError? {
            await refusal {
                try await engine.serving(Caller(address: network, network: network)).perform(
                    SignIn(identifier: .email(EmailAddress(email)), password: Secret(goodPassword)))
            }
        }
        _ = try await world.engine.perform(Register(email: EmailAddress(ada), password: Secret(goodPassword)))
        for index in 0..<30 {
            _ = await signIn(world.engine, "person-\(index)@example.com", from: "198.51.\(index).1")
        }
        let successor = successor(of: world.engine) { $0.spraying.accounts = limit }
        #expect(await signIn(successor, ada, from: "203.0.113.1") == .wrongCredentials)
    }
}
