import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

let goodPassword = "donau dampf schiff"

/// A person in front of a screen, and the server behind it: the real client in between.
@MainActor
struct Screen {
    let server: TestServer
    let network: ScriptedTransport
    let auth: AuthClient
    let model: AuthViewModel
    let host: ShimHost

    /// - Parameters:
    ///   - browser: Nil for an app that opens none.
    ///   - look: The environment that the screens are in, for example the layout direction.
    init(
        _ contract: Contract, texts: AuthTexts = .english, rules: TestServerRules = .standard,
        browser: ((TestServer) -> any BrowserPresenter)? = nil, social: [String]? = nil,
        look: @escaping (inout EnvironmentValues) -> Void = { _ in }
    ) throws {
        // Nothing sleeps away: a countdown stands still until the test moves the clock.
        let server = try TestServer(contract, rules: rules, clock: TestClock(), seed: 7)
        let network = ScriptedTransport(server)
        let auth = try server.client(over: network)
        var options = AuthViewModel.Options()
        options.surroundings = server.clock.surroundings
        options.socialProviders = social
        let model = AuthViewModel(auth, texts: texts, options: options)
        let links = AppLinks(contract: contract)
        host = ShimHost(
            AuthView(model, browser: browser?(server), links: links) { Text(verbatim: "The app's own content") }, look)
        (self.server, self.network, self.auth, self.model) = (server, network, auth, model)
    }

    /// Waits until the client knows whether somebody is signed in.
    func start() async throws {
        await auth.settle()
        try await host.wait("the first screen") { model.state != .unknown && !host.has("ProgressView") }
    }

    /// Waits until a text stands somewhere.
    func sees(_ text: String) async throws { try await host.wait("\"\(text)\"") { host.has("Text", text) } }
    func sees(_ key: TextKey) async throws { try await sees(model.texts(key)) }

    func seesContent() async throws { try await sees("The app's own content") }

    var screenshot: String { host.snapshot() }
    func button(_ id: String) throws -> ShimNode { try host.find(["Button", "NavigationLink", "Toggle"], id) }
    func field(_ id: String) throws -> ShimNode { try host.find(["TextField", "SecureField"], id) }
    /// The fields that the focus is in.
    var focused: [String] {
        host.all.filter { $0.attributes["focused"] == "true" }.compactMap { $0.attributes["id"] }
    }
}
