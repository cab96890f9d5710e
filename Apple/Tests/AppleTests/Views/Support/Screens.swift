import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

/// A screen with its simulated user and its server, connected by the real client.
@MainActor
struct Screen {
    let server: TestServer
    let network: ScriptedTransport
    let auth: AuthClient
    let model: AuthViewModel
    let host: ShimHost

    /// - Parameters:
    ///   - clock: Skips no sleep by itself: a countdown stands still until the test moves it.
    ///   - browser: The browser; nil for an app that opens none.
    ///   - look: The environment that the screens are in, for example the layout direction.
    init(
        _ contract: Contract, texts: AuthTexts = .english, rules: TestServerRules = .standard,
        clock: TestClock = TestClock(), passkeys: (any PasskeyCredentialProvider)? = nil,
        theme: AuthTheme = AuthTheme(), apple: AppleSignInAction? = nil,
        browser: ((TestServer) -> any BrowserPresenter)? = nil, social: [String]? = nil,
        look: @escaping (inout EnvironmentValues) -> Void = { _ in }
    ) throws {
        try self.init(
            contract, texts: texts, rules: rules, clock: clock, passkeys: passkeys, social: social, look: look
        ) { server, model in
            AuthView(model, browser: browser?(server), links: AppLinks(contract: contract)) {
                Text(verbatim: Self.content)
            }
            .environment(\.authAppleSignIn, apple).authTheme(theme)
        }
    }

    /// An app that opens no browser.
    init(
        _ contract: Contract, texts: AuthTexts = .english, requiresSignIn: Bool,
        @ViewBuilder content: @escaping (AuthViewModel) -> some View
    ) throws {
        try self.init(contract, texts: texts) { _, model in
            AuthView(model, browser: nil, requiresSignIn: requiresSignIn) { content(model) }
        }
    }

    /// - Parameter root: The app's root view.
    init(
        _ contract: Contract, texts: AuthTexts = .english, rules: TestServerRules = .standard,
        clock: TestClock = TestClock(), passkeys: (any PasskeyCredentialProvider)? = nil, social: [String]? = nil,
        look: @escaping (inout EnvironmentValues) -> Void = { _ in }, root: (TestServer, AuthViewModel) -> some View
    ) throws {
        let server = try TestServer(contract, rules: rules, clock: clock, seed: 7)
        let network = ScriptedTransport(server)
        let auth = try server.client(over: network)
        var options = AuthViewModel.Options()
        options.system = server.clock.system
        options.socialProviders = social
        options.passkeys = passkeys
        options.phoneRegion = PhoneRegion("US")
        let model = AuthViewModel(auth, texts: texts, options: options)
        host = ShimHost(root(server, model), look)
        (self.server, self.network, self.auth, self.model) = (server, network, auth, model)
    }

    /// Waits until the client knows if a user is signed in.
    func start() async throws {
        await auth.settle()
        try await host.wait("the first screen") { model.state != .unknown && !host.has("ProgressView") }
    }

    /// Waits until a text is on the screen.
    func sees(_ text: String) async throws { try await host.wait("\"\(text)\"") { host.has("Text", text) } }
    func sees(_ key: TextKey) async throws { try await sees(model.texts(key)) }

    static let content = "The app's own content"
    func seesContent() async throws { try await sees(Self.content) }

    func type(_ entries: [String: String]) throws {
        for (field, text) in entries.sorted(by: { $0.key < $1.key }) { try host.type(text, into: field) }
    }

    /// Holds the next request of the app, taps, and waits until the request is under way.
    func begin(_ button: String) async throws -> HoldingPoint {
        let point = HoldingPoint()
        let asked = network.calls.count
        network.on(.any, .pass.held(at: point))
        try host.tap(button)
        try await host.wait("a request") { network.calls.count > asked }
        return point
    }

    func sends(_ kind: OperationKind) -> Int { network.calls(.operation(kind, of: server.contract)).count }

    func button(_ id: String) throws -> ShimNode { try host.find(["Button", "NavigationLink", "Toggle"], id) }
    func field(_ id: String) throws -> ShimNode { try host.find(["TextField", "SecureField"], id) }
    func has(_ id: String) -> Bool { host.all.contains { $0.attributes["id"] == id } }
    /// The text of the error that belongs to no field; nil without one.
    var error: String? { host.all.first { $0.attributes["id"] == "error" }?.text }
    /// Returns the message below a field.
    func message(at id: String) -> String? { host.all.first { $0.attributes["id"] == id }?.attributes["hint"] }
    /// The identifier of the field in focus; nil if none is.
    var focus: String? { host.all.first { $0.attributes["focused"] == "true" }?.attributes["id"] }
}
