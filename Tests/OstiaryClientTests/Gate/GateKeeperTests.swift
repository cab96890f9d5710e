import OstiaryTesting
import Testing

@testable import OstiaryClient

@Suite struct GateKeeperTests {
    private let time = TestClock(skippingSleeps: .seconds(86_400))
    private let jo = GateEnrolment([1])
    private let joAndThief = GateEnrolment([1, 2])

    /// One whose prompts stay open until the point does.
    private func held() -> (ScriptedGate, HoldingPoint) {
        let (gate, point) = (ScriptedGate(), HoldingPoint())
        gate.hold(at: point)
        return (gate, point)
    }

    private func keeper(_ gate: ScriptedGate, _ policy: GatePolicy = .onForeground) -> GateKeeper {
        GateKeeper(gate: gate, policy: policy, system: time.system)
    }

    @Test func `opens to its owner, who is told why`() async {
        let gate = ScriptedGate(answers: [.passed(jo)])
        let keeper = keeper(gate)
        #expect(!keeper.mayUse)
        #expect(await keeper.unlock("Show your notes", knowing: jo) == .open(jo))
        #expect(keeper.mayUse && gate.reasons == ["Show your notes"])
    }

    @Test func `asks nobody while it is open`() async {
        let gate = ScriptedGate()
        let keeper = keeper(gate)
        keeper.signedIn()
        #expect(await keeper.enrolment() == jo)
        #expect(await keeper.unlock("r", knowing: jo) == .open(jo))
        #expect(gate.reasons.isEmpty)
    }

    @Test(arguments: [
        (GateAnswer.cancelled, GateProblem.cancelled), (.failed, .failed), (.lockedOut, .lockedOut),
        (.unavailable, .unavailable),
    ])
    func `stays closed, and can be asked again`(answer: GateAnswer, problem: GateProblem) async {
        let keeper = keeper(ScriptedGate(answers: [answer, .passed(jo)]))
        #expect(await keeper.unlock("r", knowing: jo) == .closed(problem))
        #expect(!keeper.mayUse)
        #expect(await keeper.unlock("r", knowing: jo) == .open(jo))
    }

    @Test(arguments: [(GateReadiness.lockedOut, GateProblem.lockedOut), (.unavailable, .unavailable)])
    func `does not ask a device that cannot`(readiness: GateReadiness, problem: GateProblem) async {
        let gate = ScriptedGate(readiness)
        #expect(await keeper(gate).unlock("r", knowing: jo) == .closed(problem))
        #expect(gate.reasons.isEmpty)
    }

    // MARK: Enrolment

    @Test(arguments: [GateReadiness.ready(GateEnrolment([1, 2])), .ready(nil), .nobodyEnrolled])
    func `asks for a sign-in, and not for a face, when the device knows others`(readiness: GateReadiness) async {
        let gate = ScriptedGate(readiness)
        let keeper = keeper(gate)
        for _ in 0..<2 {
            #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
        }
        #expect(!keeper.mayUse && gate.reasons.isEmpty)
    }

    @Test func `lets in who passes where the device cannot tell whom it knows, and goes on knowing the same`() async {
        let keeper = keeper(ScriptedGate(.ready(.unknown), answers: [.passed(.unknown)]))
        #expect(await keeper.enrolment() == nil)
        #expect(await keeper.unlock("r", knowing: jo) == .open(jo))
    }

    @Test func `another version of the system has its own form of the same faces, and one prompt renews it`() async {
        let renewed = GateEnrolment([9], system: 26)
        let gate = ScriptedGate(.ready(renewed), answers: [.passed(renewed)])
        #expect(await keeper(gate).unlock("r", knowing: GateEnrolment([1], system: 18)) == .open(renewed))
        #expect(gate.reasons.count == 1)
    }

    @Test func `a new version of the system lets nobody in who was enrolled while it asked`() async {
        let gate = ScriptedGate(
            .ready(GateEnrolment([9], system: 26)), answers: [.passed(GateEnrolment([9, 2], system: 26))])
        let keeper = keeper(gate)
        #expect(
            await keeper.unlock("r", knowing: GateEnrolment([1], system: 18)) == .signInNeeded(.enrolmentChanged))
    }

    @Test func `does not let in who was enrolled while it asked`() async {
        let gate = ScriptedGate(.ready(jo), answers: [.passed(joAndThief)])
        let keeper = keeper(gate)
        #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
        #expect(!keeper.mayUse)
    }

    @Test func `opens after the sign-in, and remembers whom the device knows then`() async {
        let gate = ScriptedGate(.ready(joAndThief), answers: [.passed(joAndThief)])
        let keeper = keeper(gate)
        #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
        keeper.signedIn()
        let known = await keeper.enrolment()
        #expect(known == joAndThief && keeper.mayUse)
        keeper.backgrounded()
        keeper.foregrounded()
        #expect(await keeper.unlock("r", knowing: known) == .open(joAndThief))
    }

    @Test func `remembers the first that passes where nobody was known`() async {
        #expect(await keeper(ScriptedGate(answers: [.passed(jo)])).unlock("r", knowing: nil) == .open(jo))
        #expect(
            await keeper(ScriptedGate(.ready(nil), answers: [.passed(nil)])).unlock("r", knowing: nil) == .open(nil))
    }

    @Test func `asks for a sign-in where the device knows nobody`() async {
        let keeper = keeper(ScriptedGate(.nobodyEnrolled))
        #expect(await keeper.unlock("r", knowing: nil) == .signInNeeded(.nobodyEnrolled))
        keeper.signedIn()
        #expect(await keeper.enrolment() == nil)
        #expect(keeper.mayUse)
    }

    // MARK: Time

    @Test func `closes after its time in the background, whatever the clock on the wall says`() async {
        let keeper = keeper(ScriptedGate(), .afterBackground(.seconds(60)))
        keeper.signedIn()
        keeper.backgrounded()
        time.advance(by: .seconds(59))
        #expect(keeper.mayUse)
        time.advance(by: .seconds(1))
        #expect(!keeper.mayUse)
        keeper.foregrounded()
        #expect(!keeper.mayUse)
    }

    @Test func `an answer that comes after the app left and came back opens nothing`() async throws {
        let (gate, point) = held()
        let keeper = keeper(gate)
        async let outcome = keeper.unlock("r", knowing: jo)
        try await point.arrivals(1)
        keeper.backgrounded()
        keeper.foregrounded()
        point.open()
        #expect(await outcome == .closed(.interrupted))
        #expect(!keeper.mayUse)
    }

    @Test func `a sign-in while it asks opens it, and the answer changes nothing`() async throws {
        let (gate, point) = held()
        let keeper = keeper(gate)
        async let outcome = keeper.unlock("r", knowing: jo)
        try await point.arrivals(1)
        keeper.signedIn()
        point.open()
        #expect(await outcome == .open(jo))
        #expect(keeper.mayUse)
    }

    @Test func `can be closed by hand`() async {
        let keeper = keeper(ScriptedGate())
        keeper.signedIn()
        keeper.close()
        #expect(!keeper.mayUse)
    }

    // MARK: Several who ask

    @Test func `asks the person once, however many want in`() async throws {
        let (gate, point) = held()
        let keeper = keeper(gate)
        try await withThrowingTaskGroup(of: GateOutcome.self) { group in
            group.addTask { await keeper.unlock("r", knowing: jo) }
            try await point.arrivals(1)
            for _ in 0..<20 { group.addTask { await keeper.unlock("r", knowing: jo) } }
            point.open()
            for try await outcome in group { #expect(outcome == .open(jo)) }
        }
        #expect(gate.reasons.count == 1)
    }

    @Test func `closes the prompt when nobody waits any more, and can ask again`() async throws {
        let (gate, point) = held()
        let keeper = keeper(gate)
        let task = Task { await keeper.unlock("first", knowing: jo) }
        try await point.arrivals(1)
        task.cancel()
        #expect(await task.value == .closed(.cancelled))
        async let second = keeper.unlock("second", knowing: jo)
        try await point.arrivals(2)
        point.open()
        #expect(await second == .open(jo))
        // The second prompt waited until the first was gone.
        #expect(gate.closings == 1 && gate.reasons == ["first", "second"])
    }

    @Test func `leaves the prompt to the others when one gives up`() async throws {
        let (gate, point) = held()
        let keeper = keeper(gate)
        let one = Task { await keeper.unlock("r", knowing: jo) }
        try await point.arrivals(1)
        let arrived = AsyncStream.makeStream(of: Void.self)
        let other = Task {
            arrived.continuation.yield()
            return await keeper.unlock("r", knowing: jo)
        }
        for await _ in arrived.stream { break }
        point.open()
        #expect(await other.value == .open(jo))
        one.cancel()
        _ = await one.value
        #expect(gate.closings == 0 && keeper.mayUse)
    }

    // MARK: What views hear

    @Test func `tells the latest first, then every change, without repeats`() async {
        let keeper = keeper(ScriptedGate())
        var openness = keeper.openness.makeAsyncIterator()
        #expect(await openness.next() == false)
        keeper.signedIn()
        #expect(await openness.next() == true)
        keeper.backgrounded()
        keeper.foregrounded()
        keeper.close()
        #expect(await openness.next() == false)
        keeper.signedIn()
        #expect(await openness.next() == true)
    }

    @Test func `tells an app why it stays closed`() {
        #expect(GateProblem.cancelled.error == .cancelledByUser)
        for problem in [GateProblem.failed, .lockedOut, .unavailable, .interrupted] {
            #expect(problem.error == .locked)
        }
    }
}
