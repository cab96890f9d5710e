import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
@testable import OstiaryUI
import Testing

/// A sign-in with a passkey that is suggested while the person types.
@MainActor @Suite(.timeLimit(.minutes(5))) struct PasskeySuggestionTests {
    private func screen(
        _ device: TestPasskeys
    ) async throws -> (server: TestServer, auth: AuthClient, model: AuthViewModel) {
        let server = try TestServer(.vici)
        let auth = try server.client()
        try await auth.register(email: "ada@example.com", password: goodPassword)
        _ = try await auth.addPasskey(from: device)
        try await auth.signOut()
        var options = AuthViewModel.Options()
        options.passkeys = device
        options.system = server.clock.system
        let model = AuthViewModel(auth, texts: .english, options: options)
        await model.until { $0.state == .signedOut(.signedOut) || $0.state == .signedOut(.notSignedIn) }
        return (server, auth, model)
    }

    @Test func `signs in with the passkey that the person chooses`() async throws {
        let device = TestPasskeys()
        let (_, auth, model) = try await screen(device)
        #expect(model.suggestsPasskeys)
        let suggestion = Task { await model.suggestPasskeys() }
        try await device.suggestions(1)
        // Nothing is under way for the person: every button works.
        #expect(!model.isLoading && !model.isBusy(.passkey))
        try await device.chooseSuggestion()
        await suggestion.value
        #expect(auth.isAuthenticated && model.error == nil)
    }

    @Test func `replaces the challenge before it expires`() async throws {
        let device = TestPasskeys()
        let (server, auth, model) = try await screen(device)
        let suggestion = Task { await model.suggestPasskeys() }
        try await device.suggestions(1)
        try await server.clock.sleepers(1)
        server.clock.advance(by: .seconds(240))
        try await device.suggestions(2)
        server.clock.advance(by: .seconds(200))
        try await device.chooseSuggestion()
        await suggestion.value
        #expect(auth.isAuthenticated && server.count(of: .beginPasskeySignIn) == 2)
    }

    @Test func `ends with its screen`() async throws {
        let device = TestPasskeys()
        let (_, auth, model) = try await screen(device)
        let suggestion = Task { await model.suggestPasskeys() }
        try await device.suggestions(1)
        suggestion.cancel()
        await suggestion.value
        #expect(!auth.isAuthenticated && model.error == nil)
    }

    @Test func `a passkey that the server refuses is reported, one that was not chosen is not`() async throws {
        let device = TestPasskeys()
        let (server, _, model) = try await screen(device)
        server.delete("ada@example.com")
        let suggestion = Task { await model.suggestPasskeys() }
        try await device.chooseSuggestion()
        await suggestion.value
        #expect(model.error?.text == AuthTexts.english(.credentialRefused))
        model.dismissError()
        server.refuse(.operation(.beginPasskeySignIn, of: .vici), with: .notFound)
        await model.suggestPasskeys()
        #expect(model.error == nil)
    }

    @Test func `suggests nothing without passkeys, and while something is under way`() async throws {
        let actions = ScriptedActions(.vici)
        #expect(!AuthViewModel.scripted(actions).suggestsPasskeys)
        var options = AuthViewModel.Options()
        options.passkeys = TestPasskeys()
        let model = AuthViewModel(actions, texts: .english, options: options)
        #expect(model.suggestsPasskeys)
        let point = actions.hold("signIn")
        model.type(identifier: "ada@example.com")
        let task = model.signIn()
        #expect(!model.suggestsPasskeys)
        await model.suggestPasskeys()
        #expect(!actions.callNames.contains("suggestedPasskey"))
        point.open()
        await task?.value
        #expect(model.suggestsPasskeys)
    }
}
