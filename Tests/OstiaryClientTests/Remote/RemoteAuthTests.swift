import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

struct RemoteAuthTests {
    private func remote(_ contract: Contract, _ transport: any Transport) throws -> RemoteAuth {
        try RemoteAuth(contract: contract, baseURL: BaseURL("https://api.example.com/base"), transport: transport)
    }

    @Test(arguments: Contract.presets.map(\.name))
    func `reaches every operation of a contract and brings back its answer`(_ name: String) async throws {
        let contract = try #require(Contract.preset(name))
        let asked = Mutex<[OperationKind]>([])
        let script = ScriptedAuth { call throws(AuthError) in
            let kind = type(of: call).kind
            asked.withLock { $0.append(kind) }
            do { return try SampleCall.answer(to: kind, in: contract) } catch { throw .malformedRequest }
        }
        let remote = try remote(contract, InProcessTransport(codec: Codec(contract), service: script))
        for (kind, _) in contract.operations {
            try await SampleCall(kind, in: contract).check(against: remote)
        }
        #expect(asked.withLock { $0 } == contract.operations.map(\.kind))
    }

    @Test func `refuses a contract that contradicts itself`() throws {
        let contract = Contract(name: "Not A Name", rules: AppRules(identifier: .email), prefix: "/api")
        #expect(throws: ContractProblem.self) {
            try remote(contract, ScriptedTransport { _ in WireResponse(status: 200) })
        }
    }

    @Test func `passes on what the server refuses`() async throws {
        let script = ScriptedAuth { _ throws(AuthError) in throw .tooManyAttempts(retryAfterSeconds: 7) }
        let remote = try remote(.vici, InProcessTransport(codec: Codec(.vici), service: script))
        await #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 7)) {
            try await remote.perform(Refresh(refreshToken: Secret("r")))
        }
    }

    @Test func `tells silence from refusal`() async throws {
        let remote = try remote(.vici, ScriptedTransport { _ throws(TransportError) in throw .offline })
        await #expect(throws: RemoteFailure.unreachable(.offline)) {
            try await remote.call(Refresh(refreshToken: Secret("r")))
        }
        await #expect(throws: AuthError.unavailable(incident: nil)) {
            try await remote.perform(Refresh(refreshToken: Secret("r")))
        }
    }

    @Test func `sends nothing for an operation the app does not have`() async throws {
        let transport = ScriptedTransport { _ in WireResponse(status: 200) }
        let remote = try remote(.timetracker, transport)
        await #expect(throws: RemoteFailure.refused(.notFound)) {
            try await remote.call(Refresh(refreshToken: Secret("r")))
        }
        #expect(transport.calls.isEmpty)
    }

    @Test(arguments: [
        (200, "<html>Welcome to the hotel</html>"), (200, ""), (200, "{}"), (200, "{\"accessToken\":1}"), (204, ""),
        (200, "{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expires_in\":1}"), (302, ""), (404, "<html>"),
        (200, "\u{FEFF}{}"),
    ])
    func `does not take for tokens what holds none`(_ status: Int, _ body: String) async throws {
        let remote = try remote(.vici, ScriptedTransport { _ in WireResponse(status: status, body: Array(body.utf8)) })
        await #expect(
            throws: AuthError.rejected(status: status, message: "The server's answer could not be understood.")
        ) {
            try await remote.perform(Refresh(refreshToken: Secret("r")))
        }
    }
}
