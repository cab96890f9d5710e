import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

/// The scene phase of the app, as the test sets it.
@MainActor
final class Moment {
    private(set) var phase = ScenePhase.active

    func become(_ phase: ScenePhase, on screen: Screen) { become(phase, on: screen.host) }

    func become(_ phase: ScenePhase, on host: ShimHost) {
        self.phase = phase
        host.invalidate()
        _ = host.nodes
    }
}

let ada = "ada@example.com"
let bob = "bob@example.com"
private let phones = [ada: "+15551234561", bob: "+15551234562"]

extension Screen {
    /// Creates the screens of an app whose content is shown to a signed-in user; Ada and Bob have accounts.
    ///
    /// - Parameters:
    ///   - passkeys: The source of passkeys; nil for an app without.
    ///   - handlesRequests: `true` if the client asks for a step-up by the screens.
    ///   - content: The app's content.
    init(
        inside contract: Contract, texts: AuthTexts = .english, moment: Moment = Moment(),
        clock: TestClock = TestClock(skippingSleeps: .seconds(60)), store: TestStore = TestStore(),
        passkeys: (any PasskeyCredentialProvider)? = nil, handlesRequests: Bool = false,
        adjust: (inout ClientOptions) -> Void = { _ in }, look: @escaping (inout EnvironmentValues) -> Void = { _ in },
        @ViewBuilder content: @escaping (AuthViewModel) -> some View
    ) throws {
        server = try TestServer(contract, clock: clock, seed: 7)
        for (email, name) in [(ada, "Ada Lovelace"), (bob, "Bob Bär")] where contract.rules.identifier != .subject {
            try server.addAccount(
                email: email, username: contract.rules.identifier == .username ? email : nil,
                phoneNumber: contract.rules.identifier == .phoneNumber ? phones[email] : nil,
                password: goodPassword, fullName: name)
        }
        network = ScriptedTransport(server)
        var options = AuthViewModel.Options()
        auth = try server.client(store: store, over: network) { client in
            if handlesRequests { client.stepUpHandler = StepUpPrompt() }
            adjust(&client)
        }
        options.passkeys = passkeys
        options.system = clock.system
        options.phoneRegion = PhoneRegion("US")
        let model = AuthViewModel(auth, texts: texts, options: options)
        self.model = model
        host = ShimHost(AuthView(model, links: AppLinks(contract: contract)) { content(model) }) { environment in
            environment.scenePhase = moment.phase
            look(&environment)
        }
    }

    /// Returns the screen of Ada's account, in the app's own navigation stack.
    static func account(
        _ contract: Contract = .vici, texts: AuthTexts = .english, passkeys: (any PasskeyCredentialProvider)? = nil,
        adjust: (inout ClientOptions) -> Void = { _ in }, look: @escaping (inout EnvironmentValues) -> Void = { _ in }
    ) async throws -> Screen {
        let screen = try Screen(
            inside: contract, texts: texts, passkeys: passkeys, adjust: adjust, look: look
        ) { model in
            NavigationStack { AccountView(model) }
        }
        if let device = passkeys as? TestPasskeys {
            // Between the requests of the sign-in, theirs would change what the server's random numbers are for.
            try await screen.start()
            try await device.suggestions(1)
        }
        try await screen.enter()
        if screen.model.screens.listsFactors { try await screen.host.wait("factors") { screen.model.factors != nil } }
        try await screen.idle()
        return screen
    }

    /// Signs in without the screens, and waits until the account is loaded.
    func enter(as email: String = ada) async throws {
        switch server.contract.rules.identifier {
        case .username: try await auth.signIn(username: email, password: goodPassword)
        case .phoneNumber:
            try await auth.signIn(phoneNumber: phones[email] ?? "", password: goodPassword)
        default: try await auth.signIn(email: email, password: goodPassword)
        }
        try await idle()
    }

    /// Waits until no action is under way.
    func idle() async throws {
        try await host.wait("the end of what is under way") {
            _ = host.nodes
            return model.isSignedIn && model.running.isEmpty
        }
    }

    /// Locks the session while the app is in the background, and returns the app to the foreground.
    func lockAway(_ moment: Moment) async throws {
        moment.become(.background, on: self)
        auth.lock()
        try await host.wait("the lock") { shows("unlock") }
        moment.become(.active, on: self)
    }

    func shows(_ id: String) -> Bool { host.all.contains { $0.attributes["id"] == id } }
    func shows(_ key: TextKey) -> Bool { host.has("Text", model.texts(key)) }
    func title(_ key: TextKey) -> Bool { host.has("NavigationTitle", model.texts(key)) }
    func titled(_ key: TextKey) async throws { try await host.wait("the title \(key)") { title(key) } }
    func asked(_ kind: OperationKind) -> Int { network.calls(.operation(kind, of: server.contract)).count }
    func answer(_ key: TextKey) throws { try host.tap(in: "Alert", model.texts(key)) }
    var alert: String? { host.all.first { $0.kind == "Alert" }?.label }
    func open(_ address: String) throws { host.open(try #require(URL(string: address))) }
}

extension ShimHost {
    /// Taps the button of an alert or a dialog, if the screen below has one with the same name.
    func tap(in kind: String, _ label: String) throws {
        let buttons = all.filter { $0.kind == kind }.flatMap(\.all).filter { $0.kind == "Button" && $0.label == label }
        guard let button = buttons.first, button.enabled else {
            throw Failure(description: "no \"\(label)\" in \(kind) of\n\(snapshot())")
        }
        button.press?()
    }
}
