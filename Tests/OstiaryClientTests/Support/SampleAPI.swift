import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization

@testable import OstiaryClient

/// The app's own API in front of a scripted server and scripted tokens.
struct SampleAPI {
    let time = TestClock(skippingSleeps: .seconds(86_400))
    let transport: ScriptedTransport
    let tokens: ScriptedTokens
    let events = Broadcast<ClientEvent>()
    let requests: AuthorizedRequests
    var api: APIClient { APIClient(requests) }

    init(
        contract: Contract = .clarity, tokens: ScriptedTokens = ScriptedTokens(),
        options: RequestOptions = RequestOptions(limit: nil),
        _ answer: @escaping @Sendable (ScriptedTransport.Call, TestClock) async throws(TransportError) -> WireResponse
    ) throws {
        let time = time
        transport = ScriptedTransport { call throws(TransportError) in try await answer(call, time) }
        self.tokens = tokens
        requests = AuthorizedRequests(
            auth: try RemoteAuth(contract: contract, baseURL: try .sample, transport: transport), tokens: tokens,
            system: time.system, options: options, events: events)
    }

    /// A server that gives these answers one after another, and the last one from then on.
    init(
        contract: Contract = .clarity, tokens: ScriptedTokens = ScriptedTokens(),
        options: RequestOptions = RequestOptions(limit: nil), answers: Result<WireResponse, TransportError>...
    ) throws {
        let script = Script(answers)
        try self.init(contract: contract, tokens: tokens, options: options) { _, _ throws(TransportError) in
            try script.next().get()
        }
    }

    /// What the app gets for a server's answer.
    static func value<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, of text: String, status: Int = 200, contract: Contract = .clarity,
        options: RequestOptions = RequestOptions(retries: .none)
    ) async throws -> Value {
        let sample = try SampleAPI(contract: contract, options: options, answers: .status(status, text))
        return try await sample.api.value(APIClient.Call(method: "GET", path: "/x"))
    }

    var bearers: [String] { transport.calls.map { $0.bearer ?? "" } }

    func send(_ method: String = "GET", _ path: String = "/projects", within deadline: Duration? = nil) async throws
        -> WireResponse
    {
        try await requests.send(WireRequest(method: method, path: path), within: deadline)
    }

    /// What the client says of itself during an action.
    func events(during action: () async throws -> Void) async rethrows -> [ClientEvent] {
        let stream = events.stream(buffering: .unbounded)
        try await action()
        let last = ClientEvent.accountSwitched
        events.send(last)
        var heard: [ClientEvent] = []
        for await event in stream {
            if event == last { break }
            heard.append(event)
        }
        return heard
    }
}

/// Elements one after another, and the last one for ever.
final class Script<Element: Sendable>: Sendable {
    private let left: Mutex<ArraySlice<Element>>
    private let last: Element?

    init(_ elements: [Element]) {
        left = Mutex(elements[...])
        last = elements.last
    }

    func next() throws(TransportError) -> Element {
        guard let element = left.withLock({ $0.popFirst() }) ?? last else { throw .offline }
        return element
    }
}

extension Result where Success == WireResponse, Failure == TransportError {
    static func status(_ status: Int, _ text: String = "", headers: [String: String] = [:]) -> Self {
        .success(WireResponse(status: status, headers: headers, body: Array(text.utf8)))
    }
}
