import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct LockViewTests {
    private static let secret = "What only its owner may read"

    private func signedIn(_ gate: ScriptedBiometricPrompt, _ moment: Moment = Moment()) async throws -> Screen {
        let screen = try Screen(inside: .vici, moment: moment) {
            $0.biometricPrompt = gate
        } content: { _ in
            Text(verbatim: Self.secret)
        }
        try await screen.enter()
        try await screen.sees(Self.secret)
        return screen
    }

    private func locked(_ gate: ScriptedBiometricPrompt, _ moment: Moment = Moment()) async throws -> Screen {
        let screen = try await signedIn(gate, moment)
        try await screen.lockAway(moment)
        return screen
    }

    /// Waits until that number of prompts has been shown and answered.
    private func asked(_ count: Int, _ gate: ScriptedBiometricPrompt, _ screen: Screen) async throws {
        try await screen.host.wait("\(count) prompts") {
            _ = screen.host.nodes
            return gate.reasons.count == count && !screen.model.isBusy(.unlock)
        }
    }

    @Test func `shows nothing of the app while it is locked, asks, and shows it again`() async throws {
        let gate = ScriptedBiometricPrompt()
        let point = HoldingPoint()
        gate.hold(at: point)
        let screen = try await locked(gate)
        try await screen.host.wait("the prompt") { point.arrivals == 1 }
        #expect(!screen.host.all.contains { $0.text.contains(Self.secret) })
        #expect(screen.shows(.lockTitle) && screen.shows(.lockNote))
        #expect(try !screen.button("unlock").enabled)
        #expect(gate.reasons == [AuthTexts.english(.unlockReason)])
        point.open()
        try await screen.sees(Self.secret)
        #expect(!screen.shows("unlock"))
    }

    @Test func `asks once, not again because the prompt itself came and went`() async throws {
        let gate = ScriptedBiometricPrompt(thereafter: .cancelled)
        let moment = Moment()
        let screen = try await locked(gate, moment)
        try await asked(1, gate, screen)
        #expect(screen.shows(.unlockCancelled))
        for phase in [ScenePhase.inactive, .active, .inactive, .active] { moment.become(phase, on: screen) }
        try await asked(1, gate, screen)
        try screen.host.tap("unlock")
        try await asked(2, gate, screen)
        #expect(!screen.host.all.contains { $0.text.contains(Self.secret) })
    }

    @Test func `asks again when the app comes back from the background`() async throws {
        let gate = ScriptedBiometricPrompt(answers: [.cancelled])
        let moment = Moment()
        let screen = try await locked(gate, moment)
        try await asked(1, gate, screen)
        moment.become(.background, on: screen)
        try await asked(1, gate, screen)
        moment.become(.inactive, on: screen)
        moment.become(.active, on: screen)
        try await screen.sees(Self.secret)
    }

    @Test func `asks nobody before the app is in front`() async throws {
        let gate = ScriptedBiometricPrompt()
        let moment = Moment()
        let screen = try await signedIn(gate, moment)
        moment.become(.background, on: screen)
        screen.auth.lock()
        try await screen.host.wait("the lock") { screen.shows("unlock") }
        #expect(gate.reasons.isEmpty && !screen.model.isBusy(.unlock))
        moment.become(.active, on: screen)
        try await screen.sees(Self.secret)
        #expect(gate.reasons.count == 1)
    }

    @Test func `waits for the button where it was locked by hand`() async throws {
        let gate = ScriptedBiometricPrompt()
        let moment = Moment()
        let screen = try await signedIn(gate, moment)
        screen.auth.lock()
        try await screen.host.wait("the lock") { screen.shows("unlock") }
        for phase in [ScenePhase.inactive, .active] { moment.become(phase, on: screen) }
        #expect(gate.reasons.isEmpty && !screen.model.isBusy(.unlock))
        try screen.host.tap("unlock")
        try await screen.sees(Self.secret)
        screen.auth.lock()
        try await screen.host.wait("the lock") { screen.shows("unlock") }
        for phase in [ScenePhase.background, .active] { moment.become(phase, on: screen) }
        try await screen.sees(Self.secret)
    }

    // MARK: Entering the foreground

    @Test func `shows nothing between coming back and the lock`() async throws {
        let point = HoldingPoint()
        let gate = ScriptedBiometricPrompt()
        gate.hold(at: point)
        let moment = Moment()
        let screen = try await signedIn(gate, moment)
        screen.auth.didEnterBackground()
        moment.become(.background, on: screen)
        #expect(screen.host.all.first { $0.label == Self.secret }?.attributes["invisible"] == "true")
        moment.become(.active, on: screen)
        // Nothing was awaited: this is the first rendering.
        #expect(!screen.host.all.contains { $0.label == Self.secret })
        #expect(screen.shows("unlock"))
        point.open()
        try await screen.sees(Self.secret)
    }

    @Test func `shows at once what no lock has closed`() async throws {
        let moment = Moment()
        let screen = try Screen(inside: .vici, moment: moment) {
            $0.biometricPrompt = ScriptedBiometricPrompt()
            $0.appLockPolicy = .afterBackground(.seconds(60))
        } content: { _ in
            Text(verbatim: Self.secret)
        }
        try await screen.enter()
        screen.auth.didEnterBackground()
        for phase in [ScenePhase.background, .active] { moment.become(phase, on: screen) }
        let content = try #require(screen.host.all.first { $0.label == Self.secret })
        #expect(content.attributes["invisible"] == nil && content.attributes["hidden"] == nil)
    }

    @Test(arguments: [BiometricPromptResult.failed, .lockedOut, .unavailable])
    func `says what to do where it stays locked`(answer: BiometricPromptResult) async throws {
        let gate = ScriptedBiometricPrompt(answers: [answer])
        let screen = try await locked(gate)
        try await screen.sees(.unlockFailed)
        #expect(screen.host.announcements == [AuthTexts.english(.unlockFailed)])
        try screen.host.tap("unlock")
        try await screen.sees(Self.secret)
    }

    @Test func `lets the person out by signing out, and asks first`() async throws {
        let screen = try await locked(ScriptedBiometricPrompt(thereafter: .failed))
        try await screen.sees(.unlockFailed)
        try screen.host.tap("sign-out")
        #expect(screen.alert == AuthTexts.english(.confirmSignOut))
        try screen.answer(.cancel)
        #expect(screen.shows("unlock"))
        try screen.host.tap("sign-out")
        try screen.answer(.signOut)
        try await screen.host.wait("the sign-in") { screen.shows("signIn") }
        #expect(!screen.host.all.contains { $0.text.contains(Self.secret) })
    }

    @Test func `leads to the sign-in, and says why, where the device knows other faces than before`() async throws {
        let gate = ScriptedBiometricPrompt()
        let moment = Moment()
        let screen = try await signedIn(gate, moment)
        gate.enrol(BiometricEnrolment([2]))
        try await screen.lockAway(moment)
        try await screen.sees(.enrolmentChanged)
        #expect(screen.shows("signIn"))
        // No prompt was shown, as none could unlock the session.
        #expect(gate.reasons.isEmpty)
        #expect(screen.model.error == nil)
    }

    @Test func `tells the app's own reason to the system's prompt`() async throws {
        let actions = ScriptedActions(.vici, state: .locked)
        let host = ShimHost(LockView(AuthViewModel(actions, texts: .english), reason: "Show your notes."))
        try await host.wait("the prompt") {
            _ = host.nodes
            return actions.calls.first?.description == "unlock(Show your notes.)"
        }
    }

    @Test func `whoever turned the prompt of a bound store away can be asked again`() async throws {
        let (actions, time) = (ScriptedActions(.vici, state: .unknown), TestClock())
        var options = AuthViewModel.Options()
        options.system = time.system
        let model = AuthViewModel(actions, texts: .english, options: options)
        let host = ShimHost(AuthView(model, browser: nil) { Text(verbatim: Self.secret) })
        func button() -> ShimNode? { try? host.find(["Button"], "unlock") }
        try await host.wait("the patience") { host.has("ProgressView") && time.sleepers == [.seconds(3)] }
        #expect(button() == nil)
        time.advance(by: .seconds(3))
        try await host.wait("the button") { button() != nil }
        try host.tap("unlock")
        try await host.wait("the prompt") {
            _ = host.nodes
            return actions.calls.first?.description == "unlock(\(AuthTexts.english(.unlockReason)))"
        }
    }

    // MARK: The app switcher

    @Test func `shows nothing in the app switcher, and everything behind an alert of the system`() async throws {
        let moment = Moment()
        let screen = try await signedIn(ScriptedBiometricPrompt(), moment)
        func content() throws -> ShimNode { try #require(screen.host.all.first { $0.label == Self.secret }) }
        #expect(try content().attributes["invisible"] == nil)
        for phase in [ScenePhase.inactive, .active] {
            moment.become(phase, on: screen)
            #expect(try content().attributes["invisible"] == nil && content().attributes["hidden"] == nil)
            #expect(!screen.host.all.contains { $0.attributes["systemName"] == "lock.fill" })
        }
        moment.become(.background, on: screen)
        #expect(try content().attributes["invisible"] == "true" && content().attributes["hidden"] == "true")
        moment.become(.active, on: screen)
        #expect(screen.model.state == .locked && !screen.host.all.contains { $0.label == Self.secret })
    }

    @Test func `hides nothing where the system never says that the app is in front`() {
        let host = ShimHost(Text(verbatim: Self.secret).privacyCover(.inactive)) { $0.scenePhase = .background }
        #expect(host.all.first { $0.label == Self.secret }?.attributes["invisible"] == nil)
    }
}
