import AuthenticationServices
import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// Tests of `AuthView(model) { … }` with the model as its only argument.
@MainActor struct AuthViewAloneTests {
    private let content = "The app's own content"

    init() { _ = TestDevice.window }

    private struct Alone {
        let server: TestServer
        let auth: AuthClient
        let model: AuthViewModel
        let host: ShimHost
    }

    private func alone(_ contract: Contract, social: [String]? = nil) async throws -> Alone {
        var rules = TestServerRules.standard
        rules.providers = social?.map { TestProvider(name: $0) }
        let server = try TestServer(contract, rules: rules, seed: 7)
        let auth = try server.client()
        var options = AuthViewModel.Options()
        options.socialProviders = social
        let model = AuthViewModel(auth, texts: .english, options: options)
        let host = ShimHost(AuthView(model) { Text(verbatim: content) })
        await auth.settle()
        try await host.wait("the sign-in") { host.has("NavigationTitle", model.texts(.signInTitle)) }
        return Alone(server: server, auth: auth, model: model, host: host)
    }

    @Test func `timetracker: signs in in the system's browser`() async throws {
        let app = try await alone(.timetracker)
        let (browser, content) = (ShimBrowser.visiting(app.server), content)
        try await browser.on { @MainActor in
            try app.host.tap("sign-in-browser")
            try await app.host.wait("the app") { app.host.has("Text", content) }
        }
        #expect(browser.requests.map(\.ephemeral) == [true])
    }

    @Test func `viewvault: signs in at a provider in the system's browser`() async throws {
        let app = try await alone(.viewvault)
        let (browser, content) = (ShimBrowser.visiting(app.server), content)
        try await browser.on { @MainActor in
            try app.host.tap("sign-in-github")
            try await app.host.wait("the app") { app.host.has("Text", content) }
        }
        #expect(browser.requests.count == 1)
    }

    @Test func `signs in with Apple in the system's own sheet where the app names Apple`() async throws {
        let app = try await alone(.vici, social: ["google", "apple"])
        let buttons = app.host.all.compactMap { $0.attributes["id"] }.filter { $0.hasPrefix("sign-in-") }
        #expect(buttons == ["sign-in-apple", "sign-in-google"])
        let (person, content) = (ShimAuthorizer.apple(app.server), content)
        try await person.on { @MainActor in
            try app.host.tap("sign-in-apple")
            try await app.host.wait("the app") { app.host.has("Text", content) }
        }
        #expect(person.shown == 1)
    }

    @Test(arguments: [Contract.timetracker, .vici, .clarity, .barqnet, .viewvault])
    func `has no button for Apple where nobody named it: without the capability it would fail`(contract: Contract)
        async throws
    {
        let app = try await alone(contract)
        #expect(!app.host.all.contains { $0.attributes["id"] == "sign-in-apple" })
    }

    @Test func `tells the client when the app goes and when it comes to the front`() async throws {
        let (actions, moment) = (ScriptedActions(.vici), Moment())
        let host = ShimHost(AuthView(AuthViewModel(actions, texts: .english)) { Text(verbatim: content) }) {
            $0.scenePhase = moment.phase
        }
        _ = host.nodes
        #expect(actions.callNames.isEmpty)
        for phase in [ScenePhase.inactive, .background, .inactive, .active] {
            moment.become(phase, on: host)
        }
        try await host.wait("the client") { actions.callNames == ["enterBackground", "comeToFront"] }
    }

    @Test func `reads links of the contract's own scheme`() async throws {
        let app = try await alone(.vici)
        app.host.open(try #require(URL(string: "vici://register?email=ada%40example.com")))
        #expect(try app.host.find(["TextField"], "register.identifier").value == "ada@example.com")
    }

    @Test func `SD-01: an answer that no sign-in waits for is given to nobody`() async throws {
        let app = try await alone(.timetracker)
        app.host.open(try #require(URL(string: "timetracker://oauth/callback?code=c&state=s")))
        await app.auth.settle()
        #expect(app.server.performed.isEmpty && !app.model.isLoading && app.model.error == nil)
    }

    @Test func `the answer that a sign-in waits for is given to it`() async throws {
        let app = try await alone(.timetracker)
        let (browser, content, point) = (ScriptedBrowser(app.server), content, HoldingPoint())
        browser.hold(at: point)
        app.model.signInWithBrowser(using: browser)
        try await point.arrival()
        let page = try #require(browser.pages.first).url.absoluteString
        guard case .app(let address) = await app.server.browse(page, .signIn(.jo)) else {
            Issue.record("the server did not send the browser back")
            return
        }
        app.host.open(try #require(URL(string: address)))
        try await app.host.wait("the app") { app.host.has("Text", content) }
    }
}
