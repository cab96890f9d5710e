import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The sign-in of an app of UIKit or AppKit.
@MainActor struct AuthViewControllerTests {
    private final class Delegate: AuthViewControllerDelegate {
        var sessions: [SessionSnapshot] = []
        var cancels = 0

        func authViewController(_ controller: AuthViewController, didSignIn session: SessionSnapshot) {
            sessions.append(session)
        }
        func authViewControllerDidCancel(_ controller: AuthViewController) { cancels += 1 }
    }

    @MainActor private struct App {
        let controller: AuthViewController
        let presenter = AuthPresentingController()
        let delegate = Delegate()
        let host: ShimHost

        init(_ controller: AuthViewController) {
            self.controller = controller
            host = ShimHost(controller.rootView)
            controller.delegate = delegate
        }

        var isPresented: Bool {
            #if canImport(UIKit)
            presenter.presentedViewController === controller
            #else
            presenter.presentedViewControllers?.contains { $0 === controller } ?? false
            #endif
        }

        func present() {
            #if canImport(UIKit)
            presenter.present(controller, animated: false)
            #else
            presenter.presentAsSheet(controller)
            #endif
        }

        func dismiss() {
            #if canImport(UIKit)
            presenter.dismiss(animated: false)
            #else
            presenter.dismiss(controller)
            #endif
        }
    }

    private func app() async throws -> App {
        let server = try TestServer(.vici, seed: 7)
        try server.addAccount(email: "ada@example.com", password: goodPassword)
        let auth = try server.client()
        await auth.settle()
        let app = App(AuthViewController(model: AuthViewModel(auth, texts: .english)))
        try await app.host.wait("the sign-in") { app.host.all.contains { $0.attributes["id"] == "signIn" } }
        return app
    }

    private func signIn(_ app: App) throws {
        try app.host.type("ada@example.com", into: "signIn.identifier")
        try app.host.type(goodPassword, into: "signIn.password")
        try app.host.tap("signIn")
    }

    @Test func `tells its delegate of the session, and dismisses itself`() async throws {
        let app = try await app()
        app.present()
        try signIn(app)
        try await app.host.wait("the end") {
            _ = app.host.nodes; return !app.isPresented
        }
        #expect(app.delegate.sessions.map(\.label) == ["ada@example.com"] && app.delegate.cancels == 0)
    }

    @Test(arguments: [false, true]) func `tells its delegate once that it was cancelled`(byDismissing: Bool)
        async throws
    {
        let app = try await app()
        app.present()
        if byDismissing { app.dismiss() } else { try app.host.tap("cancel") }
        #expect(!app.isPresented)
        #expect(app.delegate.cancels == 1 && app.delegate.sessions.isEmpty)
    }

    @Test func `returns the session to who waits for it`() async throws {
        let app = try await app()
        let task = Task { await app.controller.signIn(presentedBy: app.presenter) }
        try await app.host.wait("the controller") { app.isPresented }
        try signIn(app)
        try await app.host.wait("the end") {
            _ = app.host.nodes; return !app.isPresented
        }
        #expect(await task.value?.label == "ada@example.com")
    }

    #if canImport(UIKit)
    @Test func `returns nothing when the presenter presents another controller`() async throws {
        let app = try await app()
        app.presenter.present(UIViewController(), animated: false)
        let task = Task { await app.controller.signIn(presentedBy: app.presenter) }
        try await app.host.wait("the end") { app.delegate.cancels == 1 }
        #expect(await task.value == nil)
        #expect(!app.isPresented)
    }
    #endif

    @Test func `returns nothing when it is cancelled, by the person or by the task`() async throws {
        for byTask in [false, true] {
            let app = try await app()
            let task = Task { await app.controller.signIn(presentedBy: app.presenter) }
            try await app.host.wait("the controller") { app.isPresented }
            if byTask { task.cancel() } else { try app.host.tap("cancel") }
            #expect(await task.value == nil)
            #expect(!app.isPresented)
        }
    }
}
