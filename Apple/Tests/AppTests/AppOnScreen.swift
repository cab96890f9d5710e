import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import OstiaryUI
import SwiftUI

let goodPassword = "donau dampf schiff"

/// An example app in front of somebody, with its server behind it.
@MainActor
struct AppOnScreen {
    let server: TestServer
    let auth: AuthClient
    let model: AuthViewModel
    let browser: ScriptedBrowser
    let host: ShimHost

    /// - Parameter root: Makes the app's root view of a client and a browser.
    init<Root: View>(
        _ contract: Contract, _ root: (AuthClient, AuthViewModel, any BrowserPresenter) -> Root
    ) throws {
        server = try TestServer(contract, seed: 7)
        auth = try server.client()
        model = AuthViewModel(auth, texts: .english)
        browser = ScriptedBrowser(server)
        host = ShimHost(root(auth, model, browser))
    }

    /// Waits until the app knows that nobody is signed in, and shows how to.
    func opensOnSignIn() async throws {
        try await host.wait("the sign-in") { host.has("NavigationTitle", model.texts(.signInTitle)) }
    }

    func signIn(_ identifier: String) throws {
        try host.type(identifier, into: "signIn.identifier")
        try host.type(goodPassword, into: "signIn.password")
        try host.tap("signIn")
    }

    func sees(_ text: String) async throws { try await host.wait("\"\(text)\"") { host.has("Text", text) } }

    func signsOut() async throws {
        try host.tap("Sign out")
        try await opensOnSignIn()
    }
}
