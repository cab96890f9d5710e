import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// The app's own views in the sign-in screens.
@MainActor struct AuthSlotsTests {
    private func screen(_ contract: Contract = .vici) async throws -> Screen {
        let screen = try Screen(contract) { _, model in
            AuthView(model, browser: nil) {
                Text(verbatim: Screen.content)
            } header: {
                Text(verbatim: "The header")
            } footer: {
                Text(verbatim: "The footer")
            } terms: {
                Text(verbatim: "The terms")
            }
        }
        try await screen.start()
        return screen
    }

    private func texts(_ screen: Screen) -> [String] {
        screen.host.all.filter { $0.kind == "Text" && $0.label.hasPrefix("The ") }.map(\.label)
    }

    @Test func `stand on the sign-in in their order`() async throws {
        #expect(try await texts(screen()) == ["The header", "The footer", "The terms"])
    }

    @Test(arguments: [Contract.vici, .barqnet]) func `the terms stand where an account is created`(contract: Contract)
        async throws
    {
        let screen = try await screen(contract)
        try screen.host.tap("register-link")
        #expect(texts(screen) == ["The terms"])
    }

    @Test func `a sheet has those of the view around it, unless it has its own`() async throws {
        let screen = try Screen(.vici) { _, model in
            AuthView(model, browser: nil, requiresSignIn: false) {
                Text(verbatim: Screen.content)
                    .signInSheet(isPresented: .constant(true), model: model, header: { Text(verbatim: "The sheet") })
            } header: {
                Text(verbatim: "The header")
            } terms: {
                Text(verbatim: "The terms")
            }
        }
        await screen.auth.settle()
        try await screen.host.wait("the sheet") { screen.has("signIn") }
        #expect(texts(screen).filter { $0 != Screen.content } == ["The sheet", "The terms"])
    }

    @Test func `the header takes the place of the logo`() async throws {
        var theme = AuthTheme()
        theme.logo = Image("logo")
        let screen = try Screen(.vici) { _, model in
            AuthView(model, browser: nil) {
                Text(verbatim: Screen.content)
            } header: {
                Text(verbatim: "The header")
            }
            .authTheme(theme)
        }
        try await screen.start()
        #expect(texts(screen) == ["The header"])
        #expect(!screen.host.all.contains { $0.attributes["name"] == "logo" })
    }

    @Test(arguments: [
        (AuthTheme.ButtonStyle.borderedProminent, "prominent"), (.bordered, "bordered"), (.inherited, "plain"),
    ])
    func `the theme chooses the style of the buttons that send`(style: AuthTheme.ButtonStyle, shown: String)
        async throws
    {
        var theme = AuthTheme()
        theme.buttonStyle = style
        let screen = try Screen(.vici) { _, model in
            AuthView(model, browser: nil) { Text(verbatim: Screen.content) }.authTheme(theme).buttonStyle(.plain)
        }
        try await screen.start()
        #expect(try screen.button("signIn").looks["style"] == shown)
    }
}
