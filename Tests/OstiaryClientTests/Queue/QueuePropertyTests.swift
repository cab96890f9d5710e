import OstiaryContracts
import OstiaryCore
import OstiaryTestSupport
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryClient

/// Random histories, each from a seed that a failure names.
struct QueuePropertyTests {
    @Test(arguments: 0..<20)
    func `never sends with another account's token, nor after a sign-out, nor out of order`(_ batch: Int) async throws {
        for seed in (batch * 50)..<(batch * 50 + 50) { try await History(seed: UInt64(seed)).run() }
    }

    @Test(arguments: 0..<10)
    func `delivers all that was acknowledged, in its order, whenever it is killed`(_ batch: Int) async throws {
        for seed in (batch * 10)..<(batch * 10 + 10) { try await Lives(seed: UInt64(seed)).run() }
    }
}

/// Two people on one device, who come, go and queue, while what they queued is sent.
private final class History: Sendable {
    private static let people = ["jo", "sam"]

    private let seed: UInt64
    private let dice: Dice
    private let tokens = ScriptedPeople()
    private let store = MemoryRequestQueueStore()
    /// Counts each person's sign-outs.
    private let departures = Mutex<[AccountID: Int]>([:])
    /// The same, as it was when a request was queued.
    private let stamps = Mutex<[String: [AccountID: Int]]>([:])
    /// Whose each request is, as the store had it.
    private let owners = Mutex<[String: AccountID]>([:])
    private let arrived = Mutex<[AccountID: [Int]]>([:])

    init(seed: UInt64) {
        self.seed = seed
        dice = Dice(seed: seed)
    }

    func run() async throws {
        let transport = ScriptedTransport { [self] call throws(TransportError) in try await answer(call) }
        let sending = try SignedInSending(of: tokens, over: transport)
        let queue = RequestQueue(
            sending: sending, options: QueueOptions(store: store), system: TestClock().system,
            events: Broadcast())
        for number in 0..<16 {
            switch dice.roll(8) {
            case 0, 1, 2: await put(number, into: queue)
            case 3, 4: try tokens.use(Self.people[dice.roll(2)])
            case 5: await signOut(queue)
            case 6: await queue.wake(.networkSeen)
            default: for _ in 0..<dice.roll(20) { await Task.yield() }
            }
        }
        for person in Self.people {
            try tokens.use(person)
            await queue.sendNow()
        }
    }

    private func put(_ number: Int, into queue: RequestQueue) async {
        let id = QueuedRequest.ID()
        let departures = departures.withLock { $0 }
        stamps.withLock { $0[id.text] = departures }
        // Nobody may be signed in.
        try? await queue.enqueue(.note("\(number)"), id: id)
    }

    private func signOut(_ queue: RequestQueue) async {
        guard case .signedIn(let session, _) = tokens.state, let account = session.accountID else { return }
        tokens.leave()
        if let owner = try? QueueOwner.account(account.text) { await queue.clear(owner) }
        departures.withLock { $0[account, default: 0] += 1 }
    }

    private func answer(_ call: ScriptedTransport.Call) async throws(TransportError) -> WireResponse {
        let departures = departures.withLock { $0 }
        // As real transports do, before they write a byte.
        guard !Task.isCancelled else { throw .cancelled }
        let key = call.request.headers["idempotency-key"] ?? ""
        for queued in await store.read().requests {
            guard case .account(let account) = queued.owner.person else { continue }
            owners.withLock { $0[queued.id.text] = account }
        }
        // One that was cleared in this moment may be unknown.
        guard let owner = owners.withLock({ $0[key] }) else { return .ok }
        #expect(call.bearer?.hasPrefix("access-\(owner)-") == true, "seed \(seed): \(call.request) as another")
        let stamp = stamps.withLock { $0[key] }
        #expect(stamp?[owner] == departures[owner], "seed \(seed): \(call.request) after a sign-out")
        let place = Int(call.request.path.dropFirst()) ?? -1
        let isInOrder = arrived.withLock { arrived in
            defer { arrived[owner, default: []].append(place) }
            return (arrived[owner]?.last ?? -1) <= place
        }
        #expect(isInOrder, "seed \(seed): \(call.request) out of order")
        for _ in 0..<dice.roll(6) { await Task.yield() }
        switch dice.roll(6) {
        case 0: throw .connectionLost
        case 1:
            do { try tokens.use(Self.people[dice.roll(2)]) } catch { throw .notHTTP }
            return WireResponse(status: 401)
        case 2: return WireResponse(status: 422)
        case 3: return WireResponse(status: 503)
        default: return .ok
        }
    }
}

/// One queue in a file, over several runs of a program, each killed at some step.
private struct Lives {
    let seed: UInt64

    func run() async throws {
        let dice = Dice(seed: seed)
        let home = try TemporaryDirectory()
        let file = FileRequestQueueStore(directory: "\(home.path)/queue")
        let arrived = Shared<[Int]>([])
        var acknowledged: [Int] = []
        var number = 0
        for life in 0..<4 {
            let store = life == 3 ? MortalStore(file, steps: .max) : MortalStore(file, steps: dice.roll(40))
            let rig = try QueueRig(store)
            rig.sending.answers { [arrived] call throws(ClientError) in
                guard store.isAlive else { throw .offline }
                let answer = life == 3 ? 9 : dice.roll(8)
                if answer == 0 { throw .offline }
                arrived.change { $0.append(Int(call.request.path.dropFirst()) ?? -1) }
                switch answer {
                case 1: throw .network(.connectionLost)
                case 2: return WireResponse(status: 503)
                case 3: return WireResponse(status: 422)
                default: return .ok
                }
            }
            for _ in 0..<6 where store.isAlive {
                number += 1
                if (try? await rig.put("\(number)")) != nil { acknowledged.append(number) }
                if dice.roll(3) == 0 { await rig.queue.sendNow() }
            }
            await rig.queue.sendNow()
            await rig.settle()
            store.kill()
        }
        let order = arrived.value
        #expect(order == order.sorted(), "seed \(seed)")
        #expect(Set(acknowledged).isSubset(of: order), "seed \(seed)")
    }
}

/// A store whose process dies at a given step: before a write, or after it, but before anybody hears of it.
private final class MortalStore: RequestQueueStore {
    private let store: FileRequestQueueStore
    private let left: Mutex<Int>
    private let turn = Mutex<(any SendLease)?>(nil)

    init(_ store: FileRequestQueueStore, steps: Int) {
        self.store = store
        left = Mutex(steps)
    }

    var isAlive: Bool { left.withLock { $0 > 0 } }

    func kill() {
        left.withLock { $0 = 0 }
        // As the system does.
        turn.withLock { $0.take() }?.end()
    }

    private func step() throws(StoreProblem) {
        let isOver = left.withLock { left in
            left = max(0, left - 1)
            return left == 0
        }
        guard !isOver else {
            kill()
            throw .busy
        }
    }

    func read() async throws(StoreProblem) -> SavedQueue {
        try step()
        return try await store.read()
    }

    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedQueue) -> Result
    ) async throws(StoreProblem) -> Result {
        try step()
        let result = try await store.change(change)
        try step()
        return result
    }

    func sendLease() async throws(StoreProblem) -> any SendLease {
        try step()
        let taken = try await store.sendLease()
        turn.withLock { $0 = taken }
        return taken
    }
}

private final class Dice: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    /// From 0 up to `sides`.
    func roll(_ sides: Int) -> Int { random.withLock { Int.random(in: 0..<sides, using: &$0) } }
}

private final class Shared<Value: Sendable>: Sendable {
    private let stored: Mutex<Value>
    init(_ value: Value) { stored = Mutex(value) }
    var value: Value { stored.withLock { $0 } }
    func change(_ change: (inout Value) -> Void) { stored.withLock { change(&$0) } }
}
