import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import OstiaryUI
import Testing

@testable import SwiftUI

let goodPassword = "donau dampf schiff"

/// An example app on screen, with its server.
@MainActor
struct AppOnScreen {
    let server: TestServer
    let auth: AuthClient
    let model: AuthViewModel
    let browser: ScriptedBrowser
    let host: ShimHost

    /// - Parameter root: Returns the app's root view for a client and a browser.
    init<Root: View>(
        _ contract: Contract, _ root: (AuthClient, AuthViewModel, any BrowserPresenter) -> Root
    ) throws {
        server = try TestServer(contract, seed: 7)
        auth = try server.client()
        model = AuthViewModel(auth, texts: .english)
        browser = ScriptedBrowser(server)
        host = ShimHost(root(auth, model, browser))
    }

    /// Waits until the app knows that no user is signed in, and shows the sign-in.
    func opensOnSignIn() async throws {
        try await host.wait("the sign-in") { host.has("NavigationTitle", model.texts(.signInTitle)) }
    }

    func signIn(_ identifier: String) throws {
        try host.type(identifier, into: "signIn.identifier")
        try host.type(goodPassword, into: "signIn.password")
        try host.tap("signIn")
    }

    func sees(_ text: String) async throws { try await host.wait("\"\(text)\"") { host.has("Text", text) } }

    /// Signs out on the account's screen, which also offers the deletion if the contract does.
    func signsOut() async throws {
        try host.tap("account")
        try await host.wait("the account") { host.has("NavigationTitle", model.texts(.account)) }
        #expect(host.all.contains { $0.attributes["id"] == "delete-account" } == model.screens.has(.deleteAccount))
        try host.tap("sign-out")
        let alert = try #require(host.all.first { $0.kind == "Alert" })
        try #require(alert.all.first { $0.kind == "Button" && $0.label == model.texts(.signOut) }).press?()
        try await opensOnSignIn()
    }
}
