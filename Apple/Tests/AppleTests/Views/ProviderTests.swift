import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

@MainActor struct ProviderTests {
    private func viewvault(
        _ visit: BrowserVisit = .signIn(.jo), point: HoldingPoint? = nil, apple: AppleSignInAction? = nil
    ) async throws -> Screen {
        let screen = try Screen(
            .viewvault, apple: apple,
            browser: { server in
                let browser = ScriptedBrowser(server, visit)
                browser.hold(at: point)
                return browser
            })
        try await screen.start()
        return screen
    }

    private func providersAsked(_ screen: Screen) -> [String] {
        screen.network.calls.compactMap { call in
            call.request.path.split(separator: "oauth/").count == 2
                ? call.request.path.split(separator: "/").last.map(String.init) : nil
        }
    }

    @Test(arguments: ["google", "github"])
    func `signs in at the provider whose button was tapped`(provider: String) async throws {
        let screen = try await viewvault()
        try screen.host.tap("sign-in-\(provider)")
        try await screen.seesContent()
        #expect(providersAsked(screen) == [provider])
    }

    @Test func `says what the providers want to be said`() async throws {
        let screen = try await viewvault()
        #expect(try screen.button("sign-in-google").label == "Sign in with Google")
        #expect(try screen.button("sign-in-github").label == "Sign in with GitHub")
    }

    @Test func `waits for the browser, with everything else at rest`() async throws {
        let point = HoldingPoint()
        let screen = try await viewvault(point: point)
        try screen.type(["signIn.identifier": "ada", "signIn.password": "x"])
        try screen.host.tap("sign-in-google")
        try await point.arrivals(1)
        #expect(try screen.button("sign-in-google").label == AuthTexts.english(.browserBusy))
        for button in ["sign-in-google", "sign-in-github", "signIn"] { #expect(try !screen.button(button).enabled) }
        point.open()
        try await screen.seesContent()
    }

    @Test func `says nothing to whoever closes the browser`() async throws {
        let screen = try Screen(.viewvault, browser: { _ in ScriptedBrowser.closed })
        try await screen.start()
        try screen.host.tap("sign-in-google")
        try await screen.host.wait("the end") { !screen.model.isLoading }
        #expect(screen.error == nil)
        #expect(try screen.button("sign-in-google").enabled)
    }

    @Test func `says what to do when the provider refuses`() async throws {
        let screen = try await viewvault(.refuse("access_denied"))
        try screen.host.tap("sign-in-github")
        try await screen.host.wait("the refusal") { screen.error != nil }
        #expect(screen.host.announcements.count == 1)
    }

    @Test func `has no button for what the app cannot open`() async throws {
        let screen = try Screen(.viewvault)
        try await screen.start()
        #expect(!screen.has("sign-in-google") && screen.has("signIn"))
    }

    @Test func `puts Apple's button first where the app signs in with Apple`() async throws {
        var taps = 0
        let screen = try await viewvault(apple: { _ in taps += 1 })
        let buttons = screen.host.all.compactMap { $0.attributes["id"] }.filter { $0.hasPrefix("sign-in-") }
        #expect(buttons == ["sign-in-apple", "sign-in-google", "sign-in-github"])
        #expect(try screen.button("sign-in-apple").label == "Sign in with Apple")
        try screen.host.tap("sign-in-apple")
        #expect(taps == 1 && !screen.model.isEntering)
    }

    @Test func `waits for no browser where the device itself has signed in`() async throws {
        let screen = try await viewvault(apple: { _ in })
        screen.model.signIn(identityToken: "t", provider: "apple", nonce: "n")
        #expect(try screen.button("sign-in-apple").label == AuthTexts.english(.signInBusy))
    }

    @Test func `signs in in the browser where that is the only way`() async throws {
        let screen = try Screen(.timetracker, browser: { ScriptedBrowser($0) })
        try await screen.start()
        #expect(!screen.host.has("TextField") && !screen.host.has("SecureField"))
        #expect(!screen.has("register-link") && !screen.has("forgot-link"))
        try screen.host.tap("sign-in-browser")
        try await screen.seesContent()
    }

    @Test func `is black in the light and white in the dark, as Apple asks`() {
        #expect(ProviderLook("apple", .light).fill == .black && ProviderLook("apple", .light).text == .white)
        #expect(ProviderLook("apple", .dark).fill == .white && ProviderLook("apple", .dark).text == .black)
        for provider in ["google", "github"] {
            let (light, dark) = (ProviderLook(provider, .light), ProviderLook(provider, .dark))
            #expect(light.fill != dark.fill && light.fill != light.text && dark.fill != dark.text)
        }
    }

    @Test func `shows the provider's own mark where the app has it`() async throws {
        var theme = AuthTheme()
        theme.providerMarks = ["google": Image("google-g")]
        let screen = try Screen(.viewvault, theme: theme, browser: { ScriptedBrowser($0) })
        try await screen.start()
        let marks = try screen.button("sign-in-google").children.map { $0.attributes["name"] }
        #expect(marks == ["google-g"])
    }
}
