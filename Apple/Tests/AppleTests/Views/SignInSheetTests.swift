import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// An app whose content is usable without a session.
@MainActor struct SignInSheetTests {
    @MainActor @Observable final class Presentation { var isPresented = false }

    /// Content with a counter of its own, and a sign-in as a sheet.
    private struct Content: View {
        @State private var count = 0
        @Bindable var presentation: Presentation
        let model: AuthViewModel

        var body: some View {
            VStack {
                Text(verbatim: "\(count) articles read")
                Button("Read") { count += 1 }
            }
            .signInSheet(isPresented: $presentation.isPresented, model: model)
        }
    }

    private struct App {
        let server: TestServer
        let network: ScriptedTransport
        let auth: AuthClient
        let model: AuthViewModel
        let presentation: Presentation
        let host: ShimHost
    }

    private func app(_ contract: Contract = .vici, alone: Bool = false) async throws -> App {
        let server = try TestServer(contract, seed: 7)
        try server.addAccount(email: "ada@example.com", password: goodPassword)
        let network = ScriptedTransport(server)
        let auth = try server.client(over: network)
        let model = AuthViewModel(auth, texts: .english)
        let presentation = Presentation()
        let content = Content(presentation: presentation, model: model)
        let host =
            alone
            ? ShimHost(content) : ShimHost(AuthView(model, browser: nil, requiresSignIn: false) { content })
        await auth.settle()
        try await host.wait("the state") { model.state != .unknown }
        return App(
            server: server, network: network, auth: auth, model: model, presentation: presentation, host: host)
    }

    private func signIn(_ app: App) throws {
        try app.host.type("ada@example.com", into: "signIn.identifier")
        try app.host.type(goodPassword, into: "signIn.password")
        try app.host.tap("signIn")
    }

    @Test(arguments: [false, true])
    func `content is usable without a session, and keeps its state through a sign-in`(alone: Bool) async throws {
        let app = try await app(alone: alone)
        try app.host.tap("Read")
        #expect(app.host.has("Text", "1 articles read"))
        #expect(!app.host.has("Sheet"))
        app.presentation.isPresented = true
        try signIn(app)
        try await app.host.wait("the end of the sheet") { !app.host.has("Sheet") }
        #expect(app.model.isSignedIn && !app.presentation.isPresented)
        #expect(app.host.has("Text", "1 articles read"))
        try app.host.tap("Read")
    }

    @Test func `cancelling closes the sheet, and leaves nothing of what was begun`() async throws {
        let app = try await app()
        app.presentation.isPresented = true
        let point = HoldingPoint()
        app.network.on(.any, .pass.held(at: point))
        try signIn(app)
        try await point.arrivals(1)
        try app.host.tap("cancel")
        #expect(!app.host.has("Sheet") && !app.presentation.isPresented)
        #expect(!app.model.isLoading && app.model.fields.password.isEmpty && app.model.step == .start)
        point.open()
    }

    @Test func `a second step that was cancelled comes up again at the next sign-in`() async throws {
        let app = try await app(.clarity)
        app.server.challenge("ada@example.com", with: .newPassword)
        for _ in 1...2 {
            app.presentation.isPresented = true
            try signIn(app)
            try await app.host.wait("the challenge") {
                app.host.has("NavigationTitle", AuthTexts.english(.challengeTitle))
            }
            app.presentation.isPresented = false
            #expect(!app.host.has("Sheet"))
        }
    }

    @Test func `presented with a session, the sheet closes at once`() async throws {
        let app = try await app()
        try await app.auth.signIn(email: "ada@example.com", password: goodPassword)
        try await app.host.wait("the session") { app.model.isSignedIn }
        app.presentation.isPresented = true
        try await app.host.wait("the end of the sheet") { !app.host.has("Sheet") }
        #expect(!app.presentation.isPresented)
    }

    @Test(arguments: [false, true])
    func `an error in the sheet is announced once`(alone: Bool) async throws {
        let app = try await app(alone: alone)
        app.presentation.isPresented = true
        try app.host.type("ada@example.com", into: "signIn.identifier")
        try app.host.type("wrong password", into: "signIn.password")
        try app.host.tap("signIn")
        try await app.host.wait("the error") {
            _ = app.host.nodes; return app.model.error != nil
        }
        _ = app.host.nodes
        #expect(app.host.announcements.count == 1)
    }

    @Test func `a link opens a sheet with its screen, or leads there in the one that is open`() async throws {
        let app = try await app()
        let link = try #require(URL(string: "vici://register?email=jo%40example.com"))
        app.host.open(link)
        #expect(try app.host.find(["TextField"], "register.identifier").value == "jo@example.com")
        try app.host.tap("Back")
        try app.host.tap("cancel")
        #expect(!app.host.has("Sheet"))
        app.presentation.isPresented = true
        _ = app.host.nodes
        app.host.open(link)
        _ = app.host.nodes
        #expect(app.host.all.filter { $0.kind == "Sheet" }.count == 1)
        #expect(try app.host.find(["TextField"], "register.identifier").value == "jo@example.com")
    }

    @Test func `a locked session hides the content all the same`() async throws {
        let app = try await app()
        app.model.state = .locked
        #expect(!app.host.has("Button", "Read") && app.host.all.contains { $0.attributes["id"] == "unlock" })
    }

    @Test(arguments: AuthTexts.all) func `a sign-in sheet looks as it did`(texts: AuthTexts) async throws {
        let screen = try Screen(.vici, texts: texts, requiresSignIn: false) { model in AccountButton(model) }
        try await screen.start()
        try screen.host.tap("account")
        try screen.matches("sign-in-sheet-\(texts.language)")
    }
}

@MainActor struct AccountButtonTests {
    private func screen() async throws -> Screen {
        let screen = try Screen(.vici, requiresSignIn: false) { model in AccountButton(model) }
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword, fullName: "Ada Lovelace")
        try await screen.start()
        return screen
    }

    @Test func `leads to the sign-in, then to the account, which closes when the session ends`() async throws {
        let screen = try await screen()
        #expect(try screen.button("account").label == "Sign in")
        try screen.host.tap("account")
        try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.host.wait("the end of the sheet") { screen.model.isSignedIn && !screen.host.has("Sheet") }
        #expect(try screen.button("account").label == "Your account")
        try screen.host.tap("account")
        #expect(screen.host.has("NavigationTitle", "Your account"))
        try screen.host.tap("done")
        #expect(!screen.host.has("Sheet"))
        try screen.host.tap("account")
        try await screen.auth.signOut()
        try await screen.host.wait("the end of the sheet") { !screen.model.isSignedIn && !screen.host.has("Sheet") }
    }
}
