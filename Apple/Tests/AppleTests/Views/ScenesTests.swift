import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

/// Two windows of one app, as on an iPad or a Mac.
@MainActor
struct ScenesTests {
    private static let secret = "What only its owner may read"

    /// One window, with a phase of its own.
    @MainActor
    private struct Window {
        let moment = Moment()
        let host: ShimHost

        init(_ model: AuthViewModel, _ cover: PrivacyCover = .background) {
            host = ShimHost(AuthView(model, privacyCover: cover) { Text(verbatim: secret) }) { [moment] in
                $0.scenePhase = moment.phase
            }
        }

        func become(_ phases: ScenePhase...) { for phase in phases { moment.become(phase, on: host) } }

        /// True if the content can be read.
        var showsContent: Bool {
            host.all.contains { $0.label == secret && $0.attributes["invisible"] == nil }
        }
        var isLocked: Bool { host.all.contains { $0.attributes["id"] == "unlock" } }
    }

    private func model(
        _ policy: AppLockPolicy = .never, clock: TestClock = TestClock(),
        gate: ScriptedBiometricPrompt = ScriptedBiometricPrompt()
    ) async throws -> (AuthViewModel, AuthClient) {
        let server = try TestServer(.vici, clock: clock, seed: 7)
        try server.addAccount(email: ada, password: goodPassword)
        let auth = try server.client { options in
            options.biometricPrompt = gate
            options.appLockPolicy = policy
        }
        let model = AuthViewModel(auth, texts: .english)
        try await auth.signIn(email: ada, password: goodPassword)
        return (model, auth)
    }

    private func shown(_ windows: Window...) async throws {
        for window in windows { try await window.host.wait("the content") { window.showsContent } }
    }

    @Test func `a window in the background hides and locks no other`() async throws {
        let (model, auth) = try await model(.always)
        let (first, second) = (Window(model), Window(model))
        try await shown(first, second)
        first.become(.inactive, .background)
        #expect(second.showsContent && !second.isLocked)
        #expect(auth.state != .locked && !model.isInBackground)
        #if canImport(UIKit)
        #expect(!first.showsContent)
        #endif
        first.become(.inactive, .active)
        #expect(first.showsContent && second.showsContent && auth.state != .locked)
    }

    @Test func `the app is in the background once all its windows are`() async throws {
        let gate = ScriptedBiometricPrompt(thereafter: .cancelled)
        let (model, auth) = try await model(.always, gate: gate)
        let (first, second) = (Window(model), Window(model))
        try await shown(first, second)
        first.become(.inactive, .background)
        second.become(.inactive, .background)
        #expect(auth.state == .locked && model.isInBackground)
        #expect(!first.showsContent && !second.showsContent)
        second.become(.inactive)
        #expect(second.isLocked && !model.isInBackground)
    }

    @Test func `time in the background begins when the last window enters it`() async throws {
        let clock = TestClock()
        let gate = ScriptedBiometricPrompt(thereafter: .cancelled)
        let (model, auth) = try await model(.afterBackground(.seconds(60)), clock: clock, gate: gate)
        let (first, second) = (Window(model), Window(model))
        try await shown(first, second)
        first.become(.inactive, .background)
        clock.advance(by: .seconds(100))
        #expect(auth.state != .locked)
        second.become(.inactive, .background)
        clock.advance(by: .seconds(59))
        first.become(.inactive, .active)
        #expect(first.showsContent && auth.state != .locked)
        first.become(.inactive, .background)
        clock.advance(by: .seconds(60))
        first.become(.inactive, .active)
        #expect(first.isLocked && auth.state == .locked)
    }

    @Test func `a window that is closed counts no longer`() async throws {
        let (model, auth) = try await model(.always, gate: ScriptedBiometricPrompt(thereafter: .cancelled))
        let (first, second) = (Window(model), Window(model))
        try await shown(first, second)
        second.become(.inactive, .background)
        first.host.remove()
        #expect(model.isInBackground && auth.state == .locked)
        second.host.remove()
        #expect(model.isInBackground)
        let third = Window(model)
        #expect(!model.isInBackground && third.isLocked)
    }

    @Test func `closing the only window in front locks nothing while the app goes on`() async throws {
        let (model, auth) = try await model(.always)
        let window = Window(model)
        try await shown(window)
        window.host.remove()
        #expect(!model.isInBackground && auth.state != .locked)
    }

    // MARK: The privacy cover

    @Test(arguments: [
        (PrivacyCover.never, ScenePhase.inactive, true), (.never, .background, true),
        (.background, .inactive, true), (.background, .background, false),
        (.inactive, .inactive, false), (.inactive, .background, false),
    ])
    func `the cover hides in the phases it names`(
        cover: PrivacyCover, phase: ScenePhase, isVisible: Bool
    ) async throws {
        let (model, _) = try await model()
        // A second window, so that the app as a whole stays in the foreground.
        let (window, other) = (Window(model, cover), Window(model))
        try await shown(window, other)
        window.become(phase)
        #if canImport(UIKit)
        #expect(window.showsContent == isVisible)
        #expect(window.host.all.contains { $0.attributes["systemName"] == "lock.fill" } == !isVisible)
        #else
        // A window behind another one goes on being read.
        #expect(window.showsContent)
        #endif
        window.become(.active)
        #expect(window.showsContent)
    }

    @Test func `an app that wants no cover shows its content in the app switcher`() async throws {
        let (model, _) = try await model()
        let window = Window(model, .never)
        try await shown(window)
        window.become(.inactive, .background)
        #expect(model.isInBackground && window.showsContent)
    }
}
