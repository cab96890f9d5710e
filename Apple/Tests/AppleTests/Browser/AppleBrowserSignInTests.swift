import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import OstiaryUI
import SwiftUI
import Testing

import AuthenticationServices
@testable import OstiaryClient

@MainActor
struct AppleBrowserSignInTests {
    init() { _ = TestDevice.window }

    @Test func `timetracker R2: opens strictly the login URL, ephemeral, and comes back by its scheme`() async throws {
        let server = try TestServer(.timetracker, baseURL: "http://localhost:3001")
        let auth = try server.client { $0.bindsBrowserSignIns = false }
        let browser = ShimBrowser.visiting(server)
        try await browser.on { _ = try await auth.signInWithBrowser() }
        #expect(
            browser.requests.map(\.url.absoluteString) == [
                "http://localhost:3001/auth/login?redirect_uri=timetracker://oauth/callback"
            ])
        #expect(browser.requests.map(\.ephemeral) == [true])
        #expect(auth.isAuthenticated)
    }

    @Test func `signs in at a provider too`() async throws {
        let server = try TestServer(.viewvault)
        let auth = try server.client()
        try await ShimBrowser.visiting(server).on { _ = try await auth.signInWithBrowser(provider: "google") }
        #expect(auth.isAuthenticated)
    }

    @Test func `tells a person who gave up from an app that is set up wrongly`() async throws {
        let auth = try TestServer(.timetracker).client()
        await #expect(throws: ClientError.cancelledByUser) {
            try await ShimBrowser { _ in .cancel }.on { try await auth.signInWithBrowser() }
        }
        await #expect(
            throws: ClientError.invalidRequest("the browser cannot be opened: the app has no window to show it over")
        ) {
            try await auth.signInWithBrowser(using: WebAuthenticationPresenter { nil })
        }
    }

    @Test func `the view model opens the browser by itself`() async throws {
        let server = try TestServer(.timetracker)
        let model = AuthViewModel(try server.client())
        try await ShimBrowser.visiting(server).on { await model.signInWithBrowser().value }
        #expect(model.error == nil && model.isSignedIn)
    }

    // MARK: SwiftUI's session

    @Test func `signs in by the view's own browser`() async throws {
        let server = try TestServer(.timetracker)
        let (auth, browser, view) = (
            try server.client(), ShimBrowser.visiting(server), EnvironmentValues().signInBrowser
        )
        try await browser.on { _ = try await auth.signInWithBrowser(using: view) }
        #expect(auth.isAuthenticated && browser.requests.map(\.ephemeral) == [true] && browser.dropped == 0)
    }

    @Test func `the view's browser tells cancelled from misconfigured, and from a task that waits no longer`()
        async throws
    {
        let (auth, view) = (try TestServer(.timetracker).client(), EnvironmentValues().signInBrowser)
        await #expect(throws: ClientError.cancelledByUser) {
            try await ShimBrowser { _ in .cancel }.on { try await auth.signInWithBrowser(using: view) }
        }
        let invalid = ShimBrowser { _ in .fail(ASWebAuthenticationSessionError(.presentationContextInvalid)) }
        await #expect(
            throws: ClientError.invalidRequest(
                "the browser cannot be opened: the window to show it over is not in front")
        ) {
            try await invalid.on { try await auth.signInWithBrowser(using: view) }
        }
        let point = HoldingPoint()
        let held = ShimBrowser { _ in
            try? await point.hold()
            return .cancel
        }
        let task = Task { try await held.on { try await auth.signInWithBrowser(using: view) } }
        try await point.arrival()
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        point.open()
    }

    // MARK: SD-01: unsolicited URLs

    @Test func `SD-01: gives an address to the client only while a sign-in waits for it`() async throws {
        let server = try TestServer(.timetracker)
        let auth = try server.client()
        let others = Addresses()
        let host = ShimHost(Text("Welcome").onSignInURL(auth) { others.all.append($0.absoluteString) })
        let unsolicited = try #require(URL(string: "timetracker://oauth/callback?code=c&state=s"))
        host.open(unsolicited)
        #expect(others.all == [unsolicited.absoluteString])
        #expect(server.performed.isEmpty && !auth.isAuthenticated)

        let point = HoldingPoint()
        let browser = ShimBrowser { _ in
            try? await point.hold()
            return .cancel
        }
        async let signedIn = browser.on { try await auth.signInWithBrowser() }
        try await point.arrival()
        let end = await server.browse(try #require(browser.requests.first).url.absoluteString)
        guard case .app(let address) = end else {
            Issue.record("\(end)")
            return
        }
        // If the address is not accepted, the person closes the browser in the end.
        let patience = Task {
            try await Task.sleep(for: .seconds(10))
            point.open()
        }
        host.open(try #require(URL(string: address)))
        _ = try await signedIn
        patience.cancel()
        #expect(others.all.count == 1 && auth.isAuthenticated && browser.cancelled == 1)
        point.open()

        host.open(try #require(URL(string: address)))
        #expect(others.all.count == 2 && server.count(of: .completeBrowserSignIn) == 1)
    }
}

@MainActor private final class Addresses { var all: [String] = [] }
