import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import OstiaryUI
import SwiftUI
import Synchronization
import Testing

@testable import TimeTracker

/// Tests of the sources that the example apps share.
@MainActor struct SharedTests {
    private let options = ClientOptions(store: MemorySessionStore(), isDevelopment: true, verifiesAtStart: false)

    @Test func `the server is where the Info.plist says`() throws {
        let auth = try AuthClient.inApp(
            .timetracker, options: options, information: ["API_BASE_URL": "https://api.example.com/tt"])
        #expect(auth.baseURL.text == "https://api.example.com/tt")
    }

    @Test func `where the Info.plist says nothing it is where the contract says`() throws {
        let auth = try AuthClient.inApp(.timetracker, options: options, information: [:])
        #expect(auth.baseURL.text == "http://localhost:3001")
    }

    @Test func `an address that is none is told, and nobody is sent elsewhere`() throws {
        let launch = Launch {
            try AuthClient.inApp(.timetracker, options: options, information: ["API_BASE_URL": "not an address"])
        }
        let host = ShimHost(TimeTracker.RootView(launch: launch, browser: nil))
        #expect(host.snapshot().contains("The server's address cannot be used"))
    }

    @Test func `what opens the app goes to the sign-in that waits`() async throws {
        let server = try TestServer(.timetracker)
        let auth = try server.client()
        let browser = ScriptedBrowser(server)
        let point = HoldingPoint()
        browser.hold(at: point)
        let model = AuthViewModel(auth, texts: .english)
        let host = ShimHost(TimeTracker.RootView(launch: .ready(auth, model), browser: browser))
        model.signInWithBrowser(using: browser)
        try await point.arrivals(1)
        guard
            case .app(let address) = await server.browse(
                try #require(browser.pages.first).url.absoluteString, .signIn(.jo))
        else {
            Issue.record("the server did not send the browser back")
            return
        }
        host.open(try #require(URL(string: address)))
        try await host.wait("the app") { model.isSignedIn }
    }

    @Test func `the client is told when the app goes and when it comes back`() async throws {
        let server = try TestServer(.timetracker)
        server.route("GET", "/entries") { _ in .json("[]") }
        let auth = try server.client { $0.biometricPrompt = ScriptedBiometricPrompt() }
        try await auth.signInWithBrowser(using: ScriptedBrowser(server))
        let moment = Moment()
        let root = TimeTracker.RootView(launch: .ready(auth, AuthViewModel(auth, texts: .english)), browser: nil)
        let host = ShimHost(AtMoment(moment: moment, content: root))
        try await host.wait("the app") { host.has("NavigationTitle", "Today") }
        moment.phase = .background
        _ = host.nodes
        moment.phase = .active
        #expect(!host.has("NavigationTitle", "Today"))
        try await host.wait("the lock") { auth.state == .locked }
    }

    @Test func `an app that locks asks for a face, or the passcode, each time that it comes to the front`() throws {
        let options = ClientOptions.locking()
        #expect(try #require(options.biometricPrompt as? LocalAuthenticationPrompt).allowsPasscode)
        #expect(options.appLockPolicy == .onForeground)
    }

    @Test(arguments: [Contract.timetracker, .vici, .clarity, .barqnet, .viewvault])
    func `a preview opens on the sign-in, and signs in with what is filled in`(contract: Contract) async throws {
        guard case .ready(let auth, let model) = Launch.preview(contract) else {
            Issue.record("the preview cannot begin")
            return
        }
        let host = ShimHost(AuthView(model, browser: nil) { Text(verbatim: "The app") })
        await auth.settle()
        try await host.wait("the sign-in") { host.has("NavigationTitle", model.texts(.signInTitle)) }
        guard model.screens.has(.signIn) else { return }
        try host.tap("signIn")
        try await host.wait("the app") { host.has("Text", "The app") }
    }

    @Test func `what the API did not answer can be asked again`() async throws {
        let app = try AppOnScreen(.timetracker) { TimeTracker.RootView(launch: .ready($0, $1), browser: $2) }
        let isThere = Mutex(false)
        app.server.route("GET", "/entries") { _ in
            isThere.withLock { $0 }
                ? .json(#"[{"id": 1, "project": "Ostiary", "minutes": 5}]"#)
                : .json(#"{"error": "Nobody has counted yet."}"#, status: 404)
        }
        try await app.opensOnSignIn()
        app.model.signInWithBrowser(using: app.browser)
        try await app.sees("Nobody has counted yet.")
        isThere.withLock { $0 = true }
        try app.host.tap("Try again")
        try await app.sees("Ostiary: 5 min")
    }
}

/// The phase of the app's scene, as the test sets it.
@MainActor @Observable private final class Moment {
    var phase = ScenePhase.active
}

private struct AtMoment<Content: View>: View {
    let moment: Moment
    let content: Content

    var body: some View { content.environment(\.scenePhase, moment.phase) }
}
