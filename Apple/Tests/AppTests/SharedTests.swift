import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import OstiaryUI
import SwiftUI
import Testing

@testable import TimeTracker

/// What the example apps share.
@MainActor struct SharedTests {
    private let options = ClientOptions(store: MemorySessionStore(), isDevelopment: true, verifiesAtStart: false)

    @Test func `timetracker R1: base URL from the Info.plist key API_BASE_URL`() throws {
        let auth = try AuthClient.inApp(
            .timetracker, options: options, info: ["API_BASE_URL": "https://api.example.com/tt"])
        #expect(auth.baseURL.text == "https://api.example.com/tt")
    }

    @Test(arguments: [nil, [:], ["API_BASE_URL": ""]] as [[String: String]?])
    func `timetracker R1: http://localhost:3001 where it is missing`(_ info: [String: String]?) throws {
        let auth = try AuthClient.inApp(.timetracker, options: options, info: info)
        #expect(auth.baseURL.text == "http://localhost:3001")
    }

    @Test func `an address that is none is told, and nobody is sent elsewhere`() throws {
        let launch = Launch {
            try AuthClient.inApp(.timetracker, options: options, info: ["API_BASE_URL": "not an address"])
        }
        let host = ShimHost(TimeTracker.RootView(launch: launch, browser: nil))
        #expect(host.snapshot().contains("The server's address cannot be used"))
    }

    @Test func `what opens the app goes to the sign-in that waits, and coming to the front to the client`() async throws
    {
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
}
