import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// The scenarios in which other SDKs refresh too often, throw, or sign people out: each against the real server, over
/// sockets, through a fault-injecting proxy.
struct FiguresToBeatTests {
    static let contracts: [Contract] = [.vici, .clarity, .barqnet]

    @Test(arguments: contracts)
    func `10 concurrent calls, expired token: 1 refresh`(_ contract: Contract) async throws {
        try await FaultyWorld.run(contract) { world in
            let device = try world.device()
            try await world.register(on: device)
            world.pass(.seconds(4000))
            #expect(await world.ask(device, times: 10) == 10)
            #expect(world.proxy.refreshes == 1)
        }
    }

    @Test(arguments: contracts)
    func `10 concurrent 401s, rotating server: 1 refresh, 10 of 10 succeed`(_ contract: Contract) async throws {
        try await FaultyWorld.run(contract) { world in
            let device = try world.device()
            try await world.register(on: device)
            world.passOnServer(.seconds(4000))
            #expect(await world.ask(device, times: 10) == 10)
            #expect(world.proxy.refreshes == 1)
            #expect(device.isAuthenticated)
        }
    }

    @Test func `100 concurrent 401s: 1 refresh, 100 of 100 succeed`() async throws {
        try await FaultyWorld.run(.clarity) { world in
            let device = try world.device()
            try await world.register(on: device)
            world.passOnServer(.seconds(4000))
            #expect(await world.ask(device, times: 100) == 100)
            #expect(world.proxy.refreshes == 1)
        }
    }

    @Test(arguments: contracts)
    func `expired and offline, then online: kept, next call succeeds`(_ contract: Contract) async throws {
        try await FaultyWorld.run(contract) { world in
            let store = MemorySessionStore()
            let device = try world.device(store)
            try await world.register(on: device)
            world.pass(.seconds(4000))
            world.proxy.set { _ in .dropBeforeSend }
            #expect(await world.ask(device, times: 3) == 0)
            #expect(device.isAuthenticated)
            #expect(await store.read() != .absent)
            world.proxy.set { _ in .none }
            #expect(try await world.isSignedIn(on: device))
        }
    }

    @Test(arguments: contracts)
    func `30 s left, refresh answers 503: the token is returned`(_ contract: Contract) async throws {
        try await FaultyWorld.run(contract) { world in
            let device = try world.device()
            try await world.register(on: device)
            world.pass(.seconds(3570))
            world.proxy.set { $0.isRefresh ? .answer(status: 503, retryAfter: 5) : .none }
            #expect(try await world.isSignedIn(on: device))
            #expect(device.isAuthenticated)
        }
    }

    @Test(arguments: contracts)
    func `rotated answer lost, app killed, started again an hour later: recovered`(_ contract: Contract) async throws {
        try await FaultyWorld.run(contract) { world in
            let store = MemorySessionStore()
            let first = try world.device(store)
            try await world.register(on: first)
            world.pass(.seconds(4000))
            world.proxy.set { $0.isRefresh ? .dropAfterCommit : .none }
            #expect(await world.ask(first, times: 1) == 0)
            // The first client sends no further request.
            world.pass(.seconds(3600))
            world.proxy.set { _ in .none }
            let second = try world.device(store)
            #expect(try await world.isSignedIn(on: second))
            world.pass(.seconds(4000))
            #expect(try await world.isSignedIn(on: second))
        }
    }

    @Test(arguments: contracts)
    func `refresh in flight, sign out, sign in as B: B untouched`(_ contract: Contract) async throws {
        try await FaultyWorld.run(contract) { world in
            let store = MemorySessionStore()
            let device = try world.device(store)
            try await world.register("b", on: device)
            try await device.signOut()
            world.pass(.seconds(120))
            try await world.register("a", on: device)
            world.pass(.seconds(4000))
            let point = HoldingPoint()
            world.proxy.set { $0.isRefresh ? .answerHeld(point) : .none }
            let ofA = Task { try await world.ask(device) }
            try await point.arrivals(1)
            world.proxy.set { _ in .none }
            try await device.signOut()
            try await world.signIn("b", on: device)
            point.open()
            await #expect(throws: ClientError.notSignedIn) { try await ofA.value }
            #expect(try await world.isSignedIn("b", on: device))
            #expect(try await world.isSignedIn("b", on: world.device(store)))
        }
    }

    @Test func `1,000 token reads: no store read after the first`() async throws {
        try await FaultyWorld.run(.clarity) { world in
            let store = TestStore()
            let first = try world.device(store)
            try await world.register(on: first)
            let device = try world.device(store)
            _ = try await device.accessToken()
            let reads = store.counts.reads
            for _ in 0..<1000 { _ = try await device.accessToken() }
            #expect(store.counts.reads == reads)
        }
    }

    @Test(arguments: contracts)
    func `two processes of one app, kills and lost answers anywhere: never signed out`(
        _ contract: Contract
    ) async throws {
        try await FaultyWorld.run(contract) { world in
            let seed = UInt64.random(in: 0 ... .max)
            var random = SeededRandom(seed: seed)
            let store = MemorySessionStore()
            var processes = [try world.device(store), try world.device(store)]
            try await world.register(on: processes[0])
            for round in 0..<60 {
                world.pass(.seconds(Int.random(in: 1...2 * 3600, using: &random)))
                let faults = (0..<8).map { _ in Int.random(in: 0..<6, using: &random) }
                world.proxy.set { seen in
                    guard seen.isRefresh else { return .none }
                    return switch faults[seen.number % faults.count] {
                    case 0: .dropBeforeSend
                    case 1: .dropAfterCommit
                    case 2: .corrupt
                    default: .none
                    }
                }
                let running = processes
                let tasks = running.map { device in Task { _ = await world.ask(device, times: 2) } }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    // Killed: the request that it was about to send is lost.
                    let index = Int.random(in: 0..<2, using: &random)
                    processes[index] = try world.device(store)
                }
                for task in tasks { await task.value }
                world.proxy.set { _ in .none }
                for device in processes {
                    // It may join a refresh that has just failed for a transient reason.
                    _ = try? await world.ask(device)
                    #expect(try await world.isSignedIn(on: device), "round \(round), seed \(seed)")
                }
            }
        }
    }

    @Test func `10,000 refreshes with one answer in ten dropped: 0 involuntary sign-outs`() async throws {
        // Short-lived tokens, so that the session does not grow older than sessions may.
        var contract = Contract.clarity
        contract.rules.accessTokenSeconds = 30
        try await FaultyWorld.run(contract) { world in
            let device = try world.device()
            try await world.register(on: device)
            world.proxy.set { $0.isRefresh && $0.number % 10 == 0 ? .dropAfterCommit : .none }
            for _ in 0..<10_000 {
                world.pass(.seconds(30))
                _ = try await device.accessToken()
            }
            #expect(device.isAuthenticated)
            #expect(world.proxy.refreshes >= 11_000)
            #expect(try await world.isSignedIn(on: device))
        }
    }
}
