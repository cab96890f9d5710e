import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

struct ScriptedTransportTests {
    private let behind = ScriptedTransport { call in
        WireResponse(status: 200, body: Array("\"answer \(call.number)\"".utf8))
    }
    private let network: ScriptedTransport

    init() { network = ScriptedTransport(behind) }

    private func send(_ request: WireRequest = WireRequest(method: "GET", path: "/projects")) async throws
        -> WireResponse
    {
        try await network.send(request, to: BaseURL("https://api.example.com"), within: .seconds(30))
    }

    @Test func `passes on what no rule is for, and remembers it`() async throws {
        let request = WireRequest(method: "GET", path: "/projects", headers: ["authorization": "Bearer t1"])
        #expect(try await send(request).body == Array("\"answer 1\"".utf8))
        let call = try #require(network.calls.first)
        #expect(call.request == request)
        #expect(call.bearer == "t1")
        #expect(call.deadline == .seconds(30))
        #expect(call.number == 1)
    }

    @Test func `uses a rule as often as it may, then the next`() async throws {
        network.on(.get("/projects"), .status(503), times: 2)
        network.on(.any, .status(429, headers: ["retry-after": "7"]), times: 1)
        var statuses: [Int] = []
        for _ in 1...4 { statuses.append(try await send().status) }
        #expect(statuses == [503, 503, 429, 200])
    }

    @Test func `drops a request before the server has it`() async throws {
        network.on(.any, .dropped)
        await #expect(throws: TransportError.connectionLost) { try await send() }
        #expect(behind.calls.isEmpty)
    }

    @Test func `loses the answer after the server has done what was asked`() async throws {
        network.on(.any, .pass.lost)
        await #expect(throws: TransportError.connectionLost) { try await send() }
        #expect(behind.calls.count == 1)
    }

    @Test func `cuts an answer in half`() async throws {
        network.on(.any, .pass.corrupted)
        #expect(try await send().body == Array("\"answ".utf8))
    }

    @Test func `holds a request until it is let go`() async throws {
        let point = HoldingPoint()
        network.on(.any, .pass.held(at: point))
        async let answer = send()
        try await point.arrivals(1)
        #expect(behind.calls.isEmpty)
        point.open()
        #expect(try await answer.status == 200)
    }

    @Test func `holds an answer until it is let go`() async throws {
        let point = HoldingPoint()
        network.on(.any, .pass.answerHeld(at: point))
        async let answer = send()
        try await point.arrivals(1)
        #expect(behind.calls.count == 1)
        point.open()
        #expect(try await answer.status == 200)
    }

    @Test func `ends a held request whose task is cancelled`() async throws {
        let point = HoldingPoint()
        network.on(.any, .pass.held(at: point))
        let task = Task { try await send() }
        try await point.arrivals(1)
        task.cancel()
        await #expect(throws: TransportError.cancelled) { try await task.value }
        #expect(behind.calls.isEmpty)
    }

    @Test func `tells when so many requests have begun`() async throws {
        let point = HoldingPoint()
        network.on(.any, .pass.held(at: point))
        async let first = send()
        async let second = send()
        try await network.calls(2, .get("/projects"))
        point.open()
        _ = try await (first, second)
    }

    @Test(arguments: Contract.presets.map(\.name))
    func `knows every operation of a contract by its request, and no other`(_ name: String) throws {
        let contract = try #require(Contract.preset(name))
        let baseURL = try BaseURL("https://api.example.com")
        for (kind, endpoint) in contract.operations {
            let path =
                contract.prefix
                + endpoint.path.split(separator: "/").map { "/" + ($0.hasPrefix("{") ? "x" : $0) }.joined()
            let call = ScriptedTransport.Call(
                number: 1, request: WireRequest(method: endpoint.method.rawValue, path: path), baseURL: baseURL,
                deadline: .seconds(1))
            let matching = OperationKind.allCases.filter { RequestMatcher.operation($0, of: contract).matches(call) }
            #expect(matching == [kind])
            #expect(!RequestMatcher.own(of: contract).matches(call))
        }
    }

    @Test func `enforces the pins that what is behind it enforces`() throws {
        #expect(network.enforces(.none))
    }
}
