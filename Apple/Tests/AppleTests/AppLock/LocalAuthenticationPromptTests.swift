import Foundation
import LocalAuthentication
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct LocalAuthenticationPromptTests {
    private let device = PlayedDevice()
    private static let system = ProcessInfo.processInfo.operatingSystemVersion.majorVersion
    private let jo = BiometricEnrolment([1], system: system)

    private func gate(passcode: Bool = false) -> LocalAuthenticationPrompt {
        LocalAuthenticationPrompt(allowsPasscode: passcode) { [device] in device.prompt() }
    }

    @Test func `is ready for whom the device knows, without asking`() async {
        #expect(await gate().readiness() == .ready(jo))
        #expect(device.prompts == 0)
    }

    @Test(arguments: [
        (LAError.Code.biometryNotEnrolled, BiometricReadiness.notEnrolled), (.passcodeNotSet, .notEnrolled),
        (.biometryLockout, .lockedOut), (.biometryNotAvailable, .unavailable),
    ])
    func `says why nobody can be asked`(_ code: LAError.Code, _ readiness: BiometricReadiness) async {
        device.play { $0.unavailable = code }
        #expect(await gate().readiness() == readiness)
    }

    @Test(arguments: [
        (LAError.Code?.none, BiometricPromptResult.passed(BiometricEnrolment([1], system: system))),
        (.userCancel, .cancelled),
        (.systemCancel, .cancelled), (.appCancel, .cancelled), (.userFallback, .cancelled),
        (.authenticationFailed, .failed), (.biometryLockout, .lockedOut), (.biometryNotAvailable, .unavailable),
    ])
    func `says what came of it`(_ failure: LAError.Code?, _ answer: BiometricPromptResult) async {
        device.play { $0.failure = failure }
        #expect(await gate().ask("Show your notes") == answer)
        #expect(device.shim.asked.map(\.reason) == ["Show your notes"])
    }

    @Test func `asks anew each time`() async {
        let gate = gate()
        for _ in 0..<3 { #expect(await gate.ask("r") == .passed(jo)) }
        #expect(device.prompts == 3)
    }

    @Test(arguments: [(false, LAPolicy.deviceOwnerAuthenticationWithBiometrics), (true, .deviceOwnerAuthentication)])
    func `takes a passcode where the app wants that`(_ passcode: Bool, _ policy: LAPolicy) async {
        _ = await gate(passcode: passcode).ask("r")
        #expect(device.shim.asked.map(\.policy) == [policy])
        // Without a passcode there is no fallback button.
        #expect(device.shim.fallbackTitles == [passcode ? nil : ""])
    }

    @Test func `is ready with a passcode alone, and knows nobody then`() async {
        device.play { ($0.unavailable, $0.stateHash) = (.biometryNotEnrolled, nil) }
        #expect(await gate(passcode: true).readiness() == .ready(nil))
        #expect(await gate(passcode: true).ask("r") == .passed(nil))
    }

    @Test(arguments: [
        LAError.Code.biometryLockout, .biometryNotAvailable, .biometryDisconnected, .biometryNotPaired,
    ])
    func `does not take a keyboard that is off, or a lockout, for another enrolment`(_ code: LAError.Code) async {
        device.play { $0.unavailable = code }
        let keeper = AppLock(
            biometricPrompt: gate(passcode: true), policy: .onForeground,
            system: TestClock(skippingSleeps: .seconds(86_400)).system)
        #expect(await keeper.enrolment() == nil)
        #expect(await keeper.unlock("r", knowing: jo) == .open(jo))
        #expect(device.shim.asked.map(\.policy) == [.deviceOwnerAuthentication])
    }

    @Test func `closes its prompt when nobody waits any more`() async {
        device.play { $0.holds = true }
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        device.shim.onAsk { ask.yield() }
        let task = Task { [gate = gate()] in await gate.ask("r") }
        for await _ in asked { break }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(device.shim.invalidated == 1)
    }

    @Test func `shows no prompt to a task that is cancelled already`() async {
        let task = Task { [gate = gate()] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await gate.ask("r")
        }
        #expect(await task.value == .cancelled)
        #expect(device.prompts == 0)
    }

    @MainActor @Test func `can be asked from the main actor, whose queue the answer does not come on`() async {
        #expect(await gate().ask("r") == .passed(jo))
    }

    @Test func `another enrolment leads to sign-in, and to no question`() async {
        let time = TestClock(skippingSleeps: .seconds(86_400))
        let keeper = AppLock(biometricPrompt: gate(), policy: .onForeground, system: time.system)
        device.play { $0.stateHash = Data([1, 2]) }
        for _ in 0..<3 {
            #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
        }
        #expect(device.prompts == 0)
    }

    @Test func `an update of the system is no other enrolment`() async {
        let time = TestClock(skippingSleeps: .seconds(86_400))
        let keeper = AppLock(biometricPrompt: gate(), policy: .onForeground, system: time.system)
        device.play { $0.stateHash = Data([7, 7]) }
        let before = BiometricEnrolment([1], system: Self.system - 1)
        #expect(await keeper.unlock("r", knowing: before) == .open(BiometricEnrolment([7, 7], system: Self.system)))
        #expect(device.prompts == 1)
    }

    @Test func `another enrolment while the prompt is up passes nobody`() async {
        let time = TestClock(skippingSleeps: .seconds(86_400))
        let keeper = AppLock(biometricPrompt: gate(), policy: .onForeground, system: time.system)
        device.shim.onAsk { [device] in device.play { $0.stateHash = Data([1, 2]) } }
        #expect(await keeper.unlock("r", knowing: jo) == .signInNeeded(.enrolmentChanged))
    }

    @Test(arguments: [
        (AppLockPolicy.always, true), (.onForeground, true), (.afterBackground(.seconds(300)), false), (.never, false),
    ])
    func `asks when the policy says`(_ policy: AppLockPolicy, _ asksAfterAMinute: Bool) async {
        let time = TestClock(skippingSleeps: .seconds(86_400))
        let keeper = AppLock(biometricPrompt: gate(), policy: policy, system: time.system)
        #expect(keeper.mayUse == (policy == .never))
        _ = await keeper.unlock("r", knowing: jo)
        let before = device.prompts
        keeper.didEnterBackground()
        time.advance(by: .seconds(60))
        keeper.willEnterForeground()
        _ = await keeper.unlock("r", knowing: jo)
        #expect((device.prompts > before) == asksAfterAMinute)
    }
}
