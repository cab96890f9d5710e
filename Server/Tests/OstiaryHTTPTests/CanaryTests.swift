import Logging
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryHTTP
import OstiaryServerTestSupport
import OstiaryStore
import Testing

/// No password, code or token, no whole phone number and no whole address is in a log record of any level, in the
/// metrics or in the audit log. Successful operations are checked in ``OperationWalkTests``.
@Suite(.timeLimit(.minutes(5)))
struct CanaryTests {
    @Test(arguments: Contract.withPasswords)
    func `is silent about what is refused`(contract: Contract) async throws {
        try await Canary.watch(contract) { client, server in
            let jo = try await client.register()
            let endpoint = try #require(contract.endpoint(for: .signIn))
            let path = "/\(contract.name)\(contract.prefix)\(endpoint.path)"
            let secrets = "\(AppClient.password.reveal()) \(jo.tokens.accessToken.reveal()) \(try AppClient.email.text)"
            let escaped = secrets.replacing(" ", with: "%20")
            // In a malformed body, a field of the wrong type, a query, a path, headers, and with a method that is not
            // accepted.
            _ = try await server.post(path, "{\"\(secrets)", method: endpoint.method.rawValue)
            _ = try await server.post(path, "{\"\(secrets)\": [\"\(secrets)\"]}", method: endpoint.method.rawValue)
            _ = try await server.ask("GET", "\(path)?\(escaped)", [:])
            _ = try await server.ask("GET", "\(path)/\(escaped)", [:])
            _ = try await server.ask("GET", "/\(escaped)", [:])
            _ = try await server.ask("GET", path, ["Authorization": "Basic \(secrets)", "Cookie": secrets])
            _ = try await server.ask("GET", path, ["X-Forwarded-For": secrets, "X-Request-Id": secrets])
            _ = try await server.ask("GET", path, ["Bad Header": secrets])
            _ = try await server.ask("GET", "/\(contract.name)/verify", ["Authorization": "Bearer \(secrets)"])
        }
    }

    @Test(arguments: Contract.withPasswords)
    func `is silent while the store is away`(contract: Contract) async throws {
        let world = try await World([contract])
        let recorder = SecretRecorder(URLSessionTransport(), speaking: contract)
        try await LiveServer.run(world) { server in
            let client = try AppClient(contract, in: world, at: server.origin, over: recorder)
            let jo = try await client.register()
            try await world.store.close()
            await #expect(throws: AuthError.self) { try await client.signIn() }
            if let token = jo.tokens.refreshToken {
                await #expect(throws: AuthError.self) { try await client.refresh(token) }
            }
            await #expect(throws: AuthError.self) { try await client.register(password: AppClient.newPassword) }
        }
        #expect(world.log.records.contains { $0.contains("unexpected failure") })
        #expect(try Canary(recorder.secrets, in: world).findings(in: world.log.records) == [])
    }

    @Test func `would find each of them`() async throws {
        let world = try await World([.barqnet])
        let recorder = SecretRecorder(InProcessTransport(server: world.apps[0].server), speaking: .barqnet)
        let client = try AppClient(.barqnet, in: world, over: recorder)
        let jo = try await client.register()
        let secrets = [
            jo.tokens.accessToken.reveal(), try #require(jo.tokens.refreshToken).reveal(), AppClient.password.reveal(),
            try world.notificationSealer.code().reveal(), try AppClient.phoneNumber.e164, try AppClient.email.text,
        ]
        for secret in secrets { world.log.logger.trace("x", metadata: ["planted": "[\(secret)]"]) }
        let findings = try Canary(recorder.secrets, in: world).findings(in: world.log.records)
        for secret in secrets { #expect(findings.contains { $0.hasPrefix("\(secret) in:") }) }
    }
}
