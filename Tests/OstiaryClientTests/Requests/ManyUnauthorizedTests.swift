import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

struct ManyUnauthorizedTests {
    @Test func `asks the keeper for one refresh after 100 concurrent 401s`() async throws {
        let arrived = Mutex(0)
        let refreshes = Mutex(0)
        let transport = ScriptedTransport { call throws(TransportError) in
            if RequestMatcher.refresh(of: .clarity).matches(call) {
                refreshes.withLock { $0 += 1 }
                return .tokens(2, in: .clarity)
            }
            guard call.bearer == "access-1" else { return .ok }
            // None is answered before all have come with the first token.
            arrived.withLock { $0 += 1 }
            while arrived.withLock({ $0 < 100 }) { await Task.yield() }
            return .unauthorized
        }
        let client = try AuthClient.signedIn(over: transport)
        let succeeded = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask { (try? await client.get("/projects") as EmptyBody) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(succeeded == 100 && refreshes.withLock { $0 } == 1)
        #expect(transport.calls(.bearer("access-1")).count == 100)
        #expect(transport.calls.count { $0.bearer == "access-2" } == 100)
    }

    /// Any number of requests, tokens that run out and people who change, in any order: the seed decides how often each step
    /// gives way to others.
    @Test(arguments: 0..<60)
    func `refreshes no token that is good, and sends no request more than twice or for two people`(_ seed: UInt64)
        async throws
    {
        let world = World(seed: seed)
        let sample = try SampleAPI(tokens: world.tokens) { call, _ in await world.answer(call) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    await world.stumble()
                    await world.disturb()
                    let request = WireRequest(method: "POST", path: "/\(number)")
                    _ = try? await sample.requests.send(request)
                }
            }
        }
        #expect(world.wasted.isEmpty, "seed \(seed)")
        let byRequest = Dictionary(grouping: sample.transport.calls, by: \.request.path)
        for (path, calls) in byRequest {
            let bearers = calls.map { $0.bearer ?? "" }
            #expect(bearers.count <= 2 && Set(bearers).count == bearers.count, "seed \(seed), \(path): \(bearers)")
            #expect(Set(bearers.map { $0.split(separator: "-")[0] }).count == 1, "seed \(seed), \(path): \(bearers)")
        }
        #expect(byRequest.count == 40, "seed \(seed)")
    }
}

/// People whose tokens run out, and who sign in one after another. Tokens are `PERSON-NUMBER`.
private final class World: Sendable {
    private struct State {
        var random: SeededRandom
        var person = 0
        /// The last token that was given out, and the first that is accepted.
        var given = 1
        var accepted = 1
        /// Tokens that were refreshed although they were good.
        var wasted: [String] = []
        var flight: Task<Void, Never>?
    }

    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed: seed))) }

    var wasted: [String] { state.withLock { $0.wasted } }

    /// Gives way to others, as often as the seed says.
    func stumble() async {
        for _ in 0..<state.withLock({ Int.random(in: 0...5, using: &$0.random) }) { await Task.yield() }
    }

    /// Sometimes a token runs out, and sometimes another person signs in.
    func disturb() async {
        state.withLock { state in
            switch Int.random(in: 0..<10, using: &state.random) {
            case 0...2: state.accepted = state.given + 1
            case 3:
                state.person += 1
                state.given += 1
                state.accepted = state.given
            default: break
            }
        }
    }

    func answer(_ call: ScriptedTransport.Call) async -> WireResponse {
        await stumble()
        let number = call.bearer.flatMap { $0.split(separator: "-").last }.flatMap { Int($0) } ?? 0
        let isAccepted = state.withLock { number >= $0.accepted }
        await stumble()
        return WireResponse(status: isAccepted ? 200 : 401)
    }

    var tokens: ScriptedTokens {
        ScriptedTokens(
            current: { () throws(ClientError) in
                await self.stumble()
                return try self.current
            },
            replace: { used, _ throws(ClientError) in
                await self.stumble()
                guard try self.current.session == used.session else { throw .notSignedIn }
                while try self.current.token == used.token { await self.refresh(used) }
                await self.stumble()
                return try self.current
            })
    }

    private var current: IssuedToken {
        get throws(ClientError) {
            let (person, given) = state.withLock { ($0.person, $0.given) }
            return try .token("\(person)-\(given)", of: "\(person)")
        }
    }

    private func refresh(_ used: IssuedToken) async {
        let flight = state.withLock { state in
            if let flight = state.flight { return flight }
            let flight = Task { await self.fly(used.token.reveal()) }
            state.flight = flight
            return flight
        }
        await flight.value
    }

    private func fly(_ token: String) async {
        await stumble()
        state.withLock { state in
            state.flight = nil
            guard "\(state.person)-\(state.given)" == token else { return }
            if state.given >= state.accepted { state.wasted.append(token) }
            state.given += 1
        }
    }
}
