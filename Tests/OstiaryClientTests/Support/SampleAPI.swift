import Foundation
import OstiaryContracts
import OstiaryCore

@testable import OstiaryClient

/// The app's own API in front of a scripted server and scripted tokens.
struct SampleAPI {
    let time = TestTime()
    let transport: ScriptedTransport
    let tokens: ScriptedTokens
    let events = Broadcast<ClientEvent>()
    let requests: AuthorizedRequests
    var api: OwnAPI { OwnAPI(requests) }

    init(
        contract: Contract = .clarity, tokens: ScriptedTokens = ScriptedTokens(),
        options: RequestOptions = RequestOptions(limit: nil),
        _ answer: @escaping @Sendable (ScriptedTransport.Call, TestTime) async throws(TransportError) -> WireResponse
    ) throws {
        let time = time
        transport = ScriptedTransport { call throws(TransportError) in try await answer(call, time) }
        self.tokens = tokens
        requests = AuthorizedRequests(
            auth: try RemoteAuth(contract: contract, baseURL: try BaseURL.sample, transport: transport), tokens: tokens,
            surroundings: time.surroundings, options: options, events: events)
    }

    /// A server that gives the same answer to everything.
    init(contract: Contract = .clarity, options: RequestOptions = RequestOptions(limit: nil), answer: WireResponse)
        throws
    {
        try self.init(contract: contract, options: options) { _, _ in answer }
    }

    var bearers: [String] { transport.calls.map { $0.bearer ?? "" } }
}

extension BaseURL {
    static var sample: BaseURL { get throws { try BaseURL("https://api.example.com/app") } }
}

extension WireResponse {
    static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> WireResponse {
        WireResponse(status: status, headers: headers, body: Array(text.utf8))
    }
}
