import OstiaryTesting
import Testing

@testable import OstiaryClient

@Suite struct AppLockTests {
    private let time = TestClock(skippingSleeps: .seconds(86_400))
    private let jo = BiometricEnrolment([1])
    private let joAndThief = BiometricEnrolment([1, 2])

    /// One whose prompts stay open until the point does.
    private func held() -> (ScriptedBiometricPrompt, HoldingPoint) {
        let (biometricPrompt, point) = (ScriptedBiometricPrompt(), HoldingPoint())
        biometricPrompt.hold(at: point)
        return (biometricPrompt, point)
    }

    private func keeper(_ biometricPrompt: ScriptedBiometricPrompt, _ policy: AppLockPolicy = .onForeground) -> AppLock
    {
        AppLock(biometricPrompt: biometricPrompt, policy: policy, system: time.system)
    }

    @Test func `opens to its owner, who is told why`() async {
        let biometricPrompt = ScriptedBiometricPrompt(answers: [.passed(jo)])
        let keeper = keeper(biometricPrompt)
        #expect(!keeper.mayUse)
        #expect(await keeper.unlock("Show your notes", knowing: jo) == .open(jo))
        #expect(keeper.mayUse && biometricPrompt.reasons == ["Show your notes"])
    }

    @Test func `asks nobody while it is open`() async {
        let biometricPrompt = ScriptedBiometricPrompt()
        let keeper = keeper(biometricPrompt)
        keeper.signedIn()
        #expect(await keeper.enrolment() == jo)
        #expect(await keeper.unlock("r", knowing: jo) == .open(jo))
        #expect(biometricPrompt.reasons.isEmpty)
    }

    @Test(arguments: [
        (BiometricPromptResult.cancelled, UnlockProblem.cancelled), (.failed, .failed), (.lockedOut, .lockedOut),
        (.unavailable, .unavailable),
    ])
    func `stays closed, and can be asked again`(answer: BiometricPromptResult, problem: UnlockProblem) async {
        let keeper = keeper(ScriptedBiometricPrompt(answers: [answer, .passed(jo)]))
        #expect(await keeper.unlock("r", knowing: jo) == .closed(problem))
        #expect(!keeper.mayUse)
        #expect(await keeper.unlock("r", knowing: jo) == .open(jo))
    }

    @Test(arguments: [(BiometricReadiness.lockedOut, UnlockProblem.lockedOut), (.unavailable, .unavailable)])
    func `does not ask a device that cannot`(readiness: BiometricReadiness, problem: UnlockProblem) async {
        let biometricPrompt = ScriptedBiometricPrompt(readiness)
        #expect(await keeper(biometricPrompt).unlock("r", knowing: jo) == .closed(problem))
        #expect(biometricPrompt.reasons.isEmpty)
    }

    // MARK: Enrolment

    @Test(arguments: [BiometricReadiness.ready(BiometricEnrolment([1, 2])), .ready(nil), .notEnrolled])
    func `asks for a sign-in, and not for a face, when the device knows others`(readiness: BiometricReadiness) async {
        let biometricPrompt = ScriptedBiometricPrompt(readiness)
        let keeper = keeper(biometricPrompt)
        for _ in 0..<2 {
            #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
        }
        #expect(!keeper.mayUse && biometricPrompt.reasons.isEmpty)
    }

    @Test func `lets in who passes where the device cannot tell whom it knows, and goes on knowing the same`() async {
        let keeper = keeper(ScriptedBiometricPrompt(.ready(.unknown), answers: [.passed(.unknown)]))
        #expect(await keeper.enrolment() == nil)
        #expect(await keeper.unlock("r", knowing: jo) == .open(jo))
    }

    @Test func `another version of the system has its own form of the same faces, and one prompt renews it`() async {
        let renewed = BiometricEnrolment([9], system: 26)
        let biometricPrompt = ScriptedBiometricPrompt(.ready(renewed), answers: [.passed(renewed)])
        #expect(
            await keeper(biometricPrompt).unlock("r", knowing: BiometricEnrolment([1], system: 18)) == .open(renewed))
        #expect(biometricPrompt.reasons.count == 1)
    }

    @Test func `a new version of the system lets nobody in who was enrolled while it asked`() async {
        let biometricPrompt = ScriptedBiometricPrompt(
            .ready(BiometricEnrolment([9], system: 26)), answers: [.passed(BiometricEnrolment([9, 2], system: 26))])
        let keeper = keeper(biometricPrompt)
        #expect(
            await keeper.unlock("r", knowing: BiometricEnrolment([1], system: 18)) == .signInNeeded(.enrolmentChanged))
    }

    @Test func `does not let in who was enrolled while it asked`() async {
        let biometricPrompt = ScriptedBiometricPrompt(.ready(jo), answers: [.passed(joAndThief)])
        let keeper = keeper(biometricPrompt)
        #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
        #expect(!keeper.mayUse)
    }

    @Test func `opens after the sign-in, and remembers whom the device knows then`() async {
        let biometricPrompt = ScriptedBiometricPrompt(.ready(joAndThief), answers: [.passed(joAndThief)])
        let keeper = keeper(biometricPrompt)
        #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
        keeper.signedIn()
        let known = await keeper.enrolment()
        #expect(known == joAndThief && keeper.mayUse)
        keeper.didEnterBackground()
        keeper.willEnterForeground()
        #expect(await keeper.unlock("r", knowing: known) == .open(joAndThief))
    }

    @Test func `remembers the first that passes where nobody was known`() async {
        #expect(await keeper(ScriptedBiometricPrompt(answers: [.passed(jo)])).unlock("r", knowing: nil) == .open(jo))
        #expect(
            await keeper(ScriptedBiometricPrompt(.ready(nil), answers: [.passed(nil)])).unlock("r", knowing: nil)
                == .open(nil))
    }

    @Test func `asks for a sign-in where the device knows nobody`() async {
        let keeper = keeper(ScriptedBiometricPrompt(.notEnrolled))
        #expect(await keeper.unlock("r", knowing: nil) == .signInNeeded(.notEnrolled))
        keeper.signedIn()
        #expect(await keeper.enrolment() == nil)
        #expect(keeper.mayUse)
    }

    // MARK: Time

    @Test func `closes after its time in the background, whatever the clock on the wall says`() async {
        let keeper = keeper(ScriptedBiometricPrompt(), .afterBackground(.seconds(60)))
        keeper.signedIn()
        keeper.didEnterBackground()
        time.advance(by: .seconds(59))
        #expect(keeper.mayUse)
        time.advance(by: .seconds(1))
        #expect(!keeper.mayUse)
        keeper.willEnterForeground()
        #expect(!keeper.mayUse)
    }

    @Test func `an answer that comes after the app left and came back opens nothing`() async throws {
        let (biometricPrompt, point) = held()
        let keeper = keeper(biometricPrompt)
        async let outcome = keeper.unlock("r", knowing: jo)
        try await point.arrivals(1)
        keeper.didEnterBackground()
        keeper.willEnterForeground()
        point.open()
        #expect(await outcome == .closed(.interrupted))
        #expect(!keeper.mayUse)
    }

    @Test func `a sign-in while it asks opens it, and the answer changes nothing`() async throws {
        let (biometricPrompt, point) = held()
        let keeper = keeper(biometricPrompt)
        async let outcome = keeper.unlock("r", knowing: jo)
        try await point.arrivals(1)
        keeper.signedIn()
        point.open()
        #expect(await outcome == .open(jo))
        #expect(keeper.mayUse)
    }

    @Test func `can be closed by hand`() async {
        let keeper = keeper(ScriptedBiometricPrompt())
        keeper.signedIn()
        keeper.close()
        #expect(!keeper.mayUse)
    }

    // MARK: Several who ask

    @Test func `asks the person once, however many want in`() async throws {
        let (biometricPrompt, point) = held()
        let keeper = keeper(biometricPrompt)
        try await withThrowingTaskGroup(of: UnlockOutcome.self) { group in
            group.addTask { await keeper.unlock("r", knowing: jo) }
            try await point.arrivals(1)
            for _ in 0..<20 { group.addTask { await keeper.unlock("r", knowing: jo) } }
            point.open()
            for try await outcome in group { #expect(outcome == .open(jo)) }
        }
        #expect(biometricPrompt.reasons.count == 1)
    }

    @Test func `closes the prompt when nobody waits any more, and can ask again`() async throws {
        let (biometricPrompt, point) = held()
        let keeper = keeper(biometricPrompt)
        let task = Task { await keeper.unlock("first", knowing: jo) }
        try await point.arrivals(1)
        task.cancel()
        #expect(await task.value == .closed(.cancelled))
        async let second = keeper.unlock("second", knowing: jo)
        try await point.arrivals(2)
        point.open()
        #expect(await second == .open(jo))
        // The second prompt waited until the first was gone.
        #expect(biometricPrompt.closings == 1 && biometricPrompt.reasons == ["first", "second"])
    }

    @Test func `leaves the prompt to the others when one gives up`() async throws {
        let (biometricPrompt, point) = held()
        let keeper = keeper(biometricPrompt)
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
        #expect(biometricPrompt.closings == 0 && keeper.mayUse)
    }

    // MARK: What views hear

    @Test func `tells the latest first, then every change, without repeats`() async {
        let keeper = keeper(ScriptedBiometricPrompt())
        var openness = keeper.openness.makeAsyncIterator()
        #expect(await openness.next() == false)
        keeper.signedIn()
        #expect(await openness.next() == true)
        keeper.didEnterBackground()
        keeper.willEnterForeground()
        keeper.close()
        #expect(await openness.next() == false)
        keeper.signedIn()
        #expect(await openness.next() == true)
    }

    @Test func `tells an app why it stays closed`() {
        #expect(UnlockProblem.cancelled.error == .cancelledByUser)
        for problem in [UnlockProblem.failed, .lockedOut, .unavailable, .interrupted] {
            #expect(problem.error == .locked)
        }
    }
}
