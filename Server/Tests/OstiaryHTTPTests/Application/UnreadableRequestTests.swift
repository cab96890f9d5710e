import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryTesting
import Testing

/// Requests that cannot be read as an operation count against the rate limit of their network, since no operation
/// counts them.
@Suite(.timeLimit(.minutes(5))) struct UnreadableRequestTests {
    private func run(
        _ contract: Contract = .clarity,
        _ body: (_ world: World, _ send: (WireRequest, String) async -> ServerResponse) async throws -> Void
    ) async throws {
        let world = try await World([contract]) { settings in
            settings.limits = RateLimits(perAddress: [.other: RateLimit(attempts: 3, perSeconds: 60)])
        }
        let server = try world.app(contract).server
        try await body(world) { request, network in
            await server.answer(request, from: Caller(address: network, network: network)).response
        }
    }

    private func signIn(
        _ contract: Contract, body: String = "{", type: String = "application/json"
    ) throws -> WireRequest {
        let endpoint = try #require(contract.endpoint(for: .signIn))
        return WireRequest(
            method: "POST", path: contract.prefix + endpoint.path, headers: ["content-type": type],
            body: Array(body.utf8))
    }

    @Test(arguments: [Contract.clarity, .vici, .barqnet, .viewvault])
    func `PT-01: refuses a network's flood of unreadable requests in the contract's words`(
        contract: Contract
    ) async throws {
        try await run(contract) { world, send in
            let request = try signIn(contract)
            for _ in 0..<3 { #expect(await send(request, "192.0.2.1").status == 400) }
            let refused = await send(request, "192.0.2.1")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "20")
            let json = try JSON.read(refused.body)
            #expect(json["code"] == "too_many_attempts")
            guard case .string = json[contract.failureKey] else {
                Issue.record("no \(contract.failureKey)")
                return
            }
            #expect(await send(request, "192.0.2.2").status == 400)
            world.clock.advance(by: .seconds(20))
            #expect(await send(request, "192.0.2.1").status == 400)
        }
    }

    @Test func `PT-01: counts a wrong media type, a missing field and a missing token alike`() async throws {
        try await run { _, send in
            let currentUser = try #require(Contract.clarity.endpoint(for: .currentUser))
            let requests = [
                (try signIn(.clarity, type: "text/plain"), 415), (try signIn(.clarity, body: "{}"), 400),
                (WireRequest(method: "GET", path: Contract.clarity.prefix + currentUser.path), 401),
            ]
            for (request, status) in requests { #expect(await send(request, "192.0.2.1").status == status) }
            for (request, _) in requests { #expect(await send(request, "192.0.2.1").status == 429) }
        }
    }

    @Test func `counts no unknown path and no wrong method`() async throws {
        try await run { _, send in
            let request = try signIn(.clarity)
            for _ in 0..<10 {
                #expect(await send(WireRequest(method: "GET", path: "/nothing"), "192.0.2.1").status == 404)
            }
            #expect(await send(request, "192.0.2.1").status == 400)
        }
    }
}
